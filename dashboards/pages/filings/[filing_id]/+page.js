// A filing's page is plain HTML, like a question's: its text would else be shipped twice.
export const csr = false;
