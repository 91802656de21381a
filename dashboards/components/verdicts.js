// A verdict is a word with a symbol and a tone. The word always stands there: colour and symbol
// only make it quicker to find.

const VERDICTS = {
	pass: ['✓', 'good'],
	fail: ['✕', 'bad'],
	warn: ['!', 'doubt'],
	breach: ['✕', 'bad'],
	unmeasured: ['?', 'doubt'],
	too_few: ['…', 'doubt'],
	not_applicable: ['–', 'plain'],
	waived: ['⚑', 'doubt'],
	better: ['▲', 'good'],
	worse: ['▼', 'bad'],
	equivalent: ['=', 'plain'],
	unchanged: ['=', 'plain'],
	undetermined: ['~', 'doubt'],
	right: ['✓', 'good'],
	wrong: ['✕', 'bad'],
	supported: ['✓', 'good'],
	inferred: ['~', 'doubt'],
	unproven: ['?', 'doubt'],
	unsupported: ['✕', 'bad'],
	answered: ['✓', 'plain'],
	abstained: ['–', 'plain'],
	failed: ['✕', 'bad'],
	not_run: ['…', 'doubt'],
	measured: ['✓', 'plain'],
	yes: ['✓', 'plain'],
	no: ['✕', 'plain'],
	agrees: ['✓', 'good'],
	sign_differs: ['±', 'doubt'],
	scale_differs: ['✕', 'bad'],
	value_differs: ['✕', 'bad'],
	not_read: ['?', 'doubt'],
	not_numeric: ['–', 'plain'],
	not_shown: ['–', 'plain'],
	error: ['✕', 'bad'],
	info: ['i', 'plain']
};

/** Symbol and tone of a verdict; a word unknown here is shown plainly. */
export const verdictOf = (value) => VERDICTS[value] ?? ['•', 'plain'];
