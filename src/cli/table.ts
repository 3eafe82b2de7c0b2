// Plain text tables: the first column to the left, the others to the right.

/** Columns two spaces apart, no trailing spaces. Counts code points, which is enough for the names we print. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column], column > 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const widthOf = (text: string): number => [...text].length;

function pad(text: string, width: number, toRight: boolean): string {
  const space = ' '.repeat(width - widthOf(text));
  return toRight ? space + text : text + space;
}

export const transpose = (rows: readonly (readonly string[])[]): string[][] =>
  rows.length === 0 ? [] : rows[0].map((_, column) => rows.map((row) => row[column]));
