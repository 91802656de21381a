// Axes: from values to places between 0 and 1.

const STEPS = [1, 2, 2.5, 5, 10];

const roundStep = (span, count) => {
	const raw = span / count;
	const power = 10 ** Math.floor(Math.log10(raw));
	return power * STEPS.find((step) => step * power >= raw - 1e-12);
};

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/**
 * A linear axis over the values: round ends, about `count` ticks. It starts at 0 unless all
 * values are far from it; shares end at 1, even where an interval reaches a little beyond. Ends
 * given win.
 */
export function axisOf(values, { format = '', min, max, count = 4 } = {}) {
	const numbers = values.filter(isNumber);
	let low = min ?? Math.min(...numbers, Infinity);
	let high = max ?? Math.max(...numbers, -Infinity);
	if (!isNumber(low) || !isNumber(high)) [low, high] = [0, 1];
	const isShare = String(format).startsWith('pct') && high <= 1.05;
	if (isShare) high = Math.min(high, 1);
	if (min === undefined && low > 0 && low < 0.6 * high) low = 0;
	if (max === undefined && high < 0 && high > 0.6 * low) high = 0;
	if (high <= low) [low, high] = [low - Math.abs(low) * 0.1 - 1e-9, low + Math.abs(low) * 0.1 + 1e-9];
	const step = roundStep(high - low, count);
	const start = min ?? Math.floor(low / step + 1e-9) * step;
	const end = max ?? Math.min(Math.ceil(high / step - 1e-9) * step, isShare ? 1 : Infinity);
	const ticks = [];
	for (let i = 0; start + i * step <= end + step * 1e-6; i += 1) ticks.push(start + i * step);
	return { start, end, step, ticks, at: (value) => (value - start) / (end - start) };
}

/** Decimals that tell the ticks apart: 0.05 of a share needs none in percent, 0.005 one. */
export function tickFormat(format, step) {
	const kind = String(format ?? 'num').replace(/\d+$/, '') || 'num';
	const scaled = ['pct', 'points', 'pts'].includes(kind) ? step * 100 : step;
	const digits = Math.max(0, Math.ceil(-Math.log10(scaled) - 1e-9));
	// a step of 2.5 needs one more than its size says
	const isWhole = Math.abs((scaled * 10 ** digits) % 1 - 0.5) > 0.4;
	return kind + Math.min(6, digits + (isWhole ? 0 : 1));
}

/** Every how many-th label of an axis stands there, so that none touches the next. */
export const labelStep = (labels, width) => {
	const longest = Math.max(1, ...labels.map((label) => String(label ?? '').length));
	return Math.max(1, Math.ceil((labels.length * (longest * 7 + 14)) / Math.max(1, width)));
};

/** The series of the rows, in the order in which they come, each with its place in the palette. */
export function seriesOf(rows, column) {
	if (!column) return new Map([[undefined, 0]]);
	const names = [...new Set(rows.map((row) => row[column]))];
	return new Map(names.map((name, index) => [name, index]));
}

/** Outlines of the marks around (0, 0): a series is told by its shape as well as its colour. */
export const MARKS = [
	'M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0',
	'M-4.5,-4.5h9v9h-9z',
	'M0,-6L6,0L0,6L-6,0z',
	'M0,-5.5L6,5h-12z',
	'M0,5.5L6,-5h-12z',
	'M-2,-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z',
	'M-6,-2.5h12v5h-12z',
	'M-2.5,-6h5v12h-5z'
];

export const markOf = (index) => MARKS[index % MARKS.length];
export const colourOf = (index) => `var(--series-${(index % 8) + 1})`;
