// A question's page is plain HTML, all of it written when the site is built: there are thousands,
// and scripts with the rows beside each would make the site three times its size.
export const csr = false;
