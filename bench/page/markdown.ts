// Figures and tables as the results page shows them.

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  ...{ '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' },
};

/** Three digits; thousands apart; powers of ten where there would be many zeros. */
export function show(value: number, digits = 3): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(1).split('e');
    const power = [...String(Number(exponent))].map((letter) => SUPERSCRIPTS[letter]).join('');
    return `${mantissa.replace(/\.0$/, '').replace('-', '−')}·10${power}`;
  }
  const rounded = size >= 10 ** digits ? Math.round(value) : Number(value.toPrecision(digits));
  return group(rounded);
}

/** A whole number with its thousands apart. */
export function group(value: number): string {
  const [whole, rest] = String(value).replace('-', '−').split('.');
  const digits = whole.replace('−', '');
  const grouped = digits.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ' ') : whole;
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** The least, in brackets the median. */
export const leastAndMedian = (least: number, median: number): string => `${show(least)} (${show(median)})`;

/** A ratio, to two digits below a hundred. */
export const times = (ratio: number): string => show(ratio, ratio < 100 ? 2 : 3);

/** One row of fields per line; the first is the head. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  return [head, `|${rows[0].map(() => '---').join('|')}|`, ...body].join('\n');
}
