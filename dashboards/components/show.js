// Numbers and words as the pages print them. Nothing is computed here.

const LOCALE = 'en-US';

/** Digits asked for by a format's name: pct1 -> 1. */
const digitsOf = (format) => Number(/\d+$/.exec(format)?.[0] ?? 0);

const grouped = (value, digits) =>
	value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });

const signOf = (value) => (value > 0 ? '+' : value < 0 ? '−' : '');

const SHAPES = {
	pct: (value, digits) => `${grouped(value * 100, digits)} %`,
	// a difference of shares is no share: percentage points, with its sign or as a size alone
	points: (value, digits) => `${signOf(value)}${SHAPES.pts(Math.abs(value), digits)}`,
	pts: (value, digits) => `${grouped(value * 100, digits)} pts`,
	num: (value, digits) => grouped(value, digits),
	usd: (value, digits) => `$${grouped(value, digits)}`,
	ms: (value, digits) => `${grouped(value, digits)} ms`,
	s: (value, digits) => `${grouped(value, digits)} s`,
	mb: (value, digits) => `${grouped(value, digits)} MB`
};

/** True where there is nothing to print: no value, or no number. */
export const isMissing = (value) =>
	value === null || value === undefined || value === '' || Number.isNaN(value);

/**
 * One value as text: `pct1`, `points1`, `pts1`, `num2`, `usd4`, `ms0`, `s1`, `mb0`, `day`, `list`, or no format at all.
 * Null where there is no value: the caller says what that means, never 0.
 */
export function show(value, format) {
	if (isMissing(value)) return null;
	if (value instanceof Date) return dayOf(value, format);
	if (format === 'day' && ISO_DAY.test(value)) return dayOf(new Date(value), format);
	if (format === 'list') return listOf(value);
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	const shape = SHAPES[String(format ?? '').replace(/\d+$/, '')];
	if (shape && typeof value === 'number') return shape(value, digitsOf(format));
	if (typeof value === 'number') return value.toLocaleString(LOCALE);
	return String(value);
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** 12 March 2025, and its time in UTC unless the day alone is asked for. */
const dayOf = (date, format) => {
	const day = date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
	return format === 'day' ? day : `${day}, ${date.toISOString().slice(11, 16)} UTC`;
};

/** A list written as JSON or with commas, as one reads it aloud: [2021,2022] -> 2021, 2022. */
const listOf = (value) =>
	String(value)
		.replace(/^\[|\]$/g, '')
		.split(',')
		.map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
		.filter(Boolean)
		.join(', ');

/** A signed difference; shares in percentage points. */
export function showChange(value, format) {
	if (isMissing(value)) return null;
	const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
	const size = Math.abs(value);
	if (String(format).startsWith('pct')) {
		return `${sign}${grouped(size * 100, digitsOf(format))} points`;
	}
	return sign + show(size, format);
}

/** An interval in words, or null where one of its ends is missing; values that are all alike have none. */
export function showInterval(low, high, format) {
	const ends = [show(low, format), show(high, format)];
	if (low === high && !isMissing(low)) return 'no interval: all values are alike';
	return ends.includes(null) ? null : `${ends[0].replace(/ (%|pts)$/, '')} to ${ends[1]}`;
}

/** A code as words: too_few -> too few. */
export const words = (code) => String(code ?? '').replaceAll('_', ' ');

/**
 * The rows of a query, an array or one row, as an array. A query that failed stops the build
 * (a page with a hole in it would look like a page of an empty table).
 */
export function rowsOf(data) {
	if (!data) return [];
	if (data.error) throw data.error;
	if (typeof data[Symbol.iterator] === 'function') return [...data];
	return [data];
}

/** A number given in a page's markup, where every attribute is text; undefined stays. */
export const numberOf = (attribute) => (isMissing(attribute) ? undefined : Number(attribute));

/** True while a query of the page has not come back. */
export const isLoading = (data) => Boolean(data?.isQuery && !data.dataLoaded && !data.error);
