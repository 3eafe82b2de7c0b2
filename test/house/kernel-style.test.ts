// The look of the kernels, line by line. Biome, which formats all else, does not parse AssemblyScript: decorators before
// functions are a syntax error to it. With these hidden from it, it sets matrices that stand in rows one number to a line.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Columns: twenty more than elsewhere, as no machine breaks these lines; lists of imports may be wider. */
const WIDEST = 140;

/** Every fault of a text as its line and what is wrong with it. */
function findStyleFaults(text: string): string[] {
  const faults: string[] = [];
  const lines = text.split('\n');
  if (!lines[0].startsWith('//')) faults.push('1: expected a comment of what the file is');
  if (lines.at(-1) !== '' || lines.at(-2) === '') faults.push(`${lines.length}: expected one line break at the end`);
  /** The line on which each bracket was opened that is still open. */
  const open: number[] = [];
  let [before, inComment, inImport] = ['', false, false];
  for (const [index, line] of lines.entries()) {
    const fault = (what: string) => faults.push(`${index + 1}: ${what}`);
    inImport ||= line.startsWith('import ');
    if (line.length > WIDEST && !inImport) fault(`expected at most ${WIDEST} columns, got ${line.length}`);
    if (/\t|\s$/.test(line)) fault('expected no tabs, and no blanks at the end');
    if (line === '' && lines[index - 1] === '' && index < lines.length - 1) fault('expected one empty line');
    const startsComment = /^\s*\/\*/.test(line);
    if (inComment || startsComment) {
      inComment = !line.includes('*/');
      continue;
    }
    const code = line.replace(/'[^']*'/g, "''").replace(/\/\/.*/, '');
    const words = code.trim();
    if (words === '') continue;
    if (words.includes('"')) fault('expected single quotes');
    const closed = /^[)\]}]*/.exec(words)?.[0].length ?? 0;
    const depth = new Set(open.slice(0, open.length - closed)).size;
    // Two steps more where a line goes on that began in one of several that go on.
    const deepest = /(^|[;{}])$/.test(before) ? depth : depth + 2;
    const steps = (code.length - code.trimStart().length) / 2;
    if (!Number.isInteger(steps) || steps < depth || steps > deepest) {
      fault(`expected an indentation of ${2 * depth}${deepest > depth ? ` to ${2 * deepest}` : ''}, got ${2 * steps}`);
    }
    for (const sign of words) {
      if ('([{'.includes(sign)) open.push(index);
      else if (')]}'.includes(sign)) open.pop();
    }
    before = words;
    if (words.endsWith(';')) inImport = false;
  }
  return faults;
}

const folder = fileURLToPath(new URL('../../assembly/', import.meta.url));
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

it('kernels are written alike', () => {
  expect(paths.length).toBeGreaterThan(20);
  const faults = paths.flatMap((path) =>
    findStyleFaults(readFileSync(folder + path, 'utf8')).map((fault) => `${path}:${fault}`),
  );
  expect(faults).toEqual([]);
});

describe('the check', () => {
  const HEAD = '// A file.\n\n';

  it('passes what is written well', () => {
    const text = `${HEAD}@inline function f(\n  a: i32, b: i32,\n): i32 {\n  if (a > b)\n    return a;\n  return max(\n    a + (\n      b),\n  );\n}\n`;
    expect(findStyleFaults(text)).toEqual([]);
  });

  it.each([
    ['const a = 1;\n', '1: expected a comment of what the file is'],
    [`${HEAD}const a = 1;`, '3: expected one line break at the end'],
    [`${HEAD}const a = 1;\n\n`, '5: expected one line break at the end'],
    [`${HEAD}\nconst a = 1;\n`, '3: expected one empty line'],
    [`${HEAD}const a = 1; \n`, '3: expected no tabs, and no blanks at the end'],
    [`${HEAD}import { a } from "./a";\n`, '3: expected single quotes'],
    [`${HEAD}  const a = 1;\n`, '3: expected an indentation of 0, got 2'],
    [`${HEAD}if (a) {\n    b();\n}\n`, '4: expected an indentation of 2, got 4'],
    [`${HEAD}if (a) {\n  b();\n  }\n`, '5: expected an indentation of 0, got 2'],
    [`${HEAD}// ${'a'.repeat(138)}\n`, '3: expected at most 140 columns, got 141'],
  ])('finds the fault of %j', (text, fault) => {
    expect(findStyleFaults(text)).toEqual([fault]);
  });
});
