// Writes llms.txt (a list of all pages) and llms-full.txt (all of their text) for programs that read documentation.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const INCLUDE = /<!--@include: (\S+)-->/g;

/** The pages that are written by hand, in the order of their folders. */
export function docsPages(docs) {
  return ['.', 'guide', 'how'].flatMap((folder) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => join(folder, name)),
  );
}

/** A page's text with what it includes, without its front matter. */
export function readPage(docs, page) {
  const path = join(docs, page);
  const text = readFileSync(path, 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '');
  return text.replace(INCLUDE, (_, file) => readFileSync(join(dirname(path), file), 'utf8'));
}

/** The first sentence of a page that is not code. */
function openingOf(text) {
  const words = text.replace(/^```[\s\S]*?^```/gm, '').replace(/^(#|!\[).*$/gm, '');
  const plain = words
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*/g, '')
    .trim();
  return /^[\s\S]*?\.(?=\s|$)/.exec(plain)?.[0].replace(/\s+/g, ' ') ?? '';
}

/** Writes both; `base` is where the site is below its server. */
export function writeIndex(docs, base = '/') {
  const lines = [
    '# Isochore',
    '',
    '> Soft bodies that keep their volume, in real time, in TypeScript: a library for the browser and Node, a command line, a playground.',
    '',
    `All of this text in one file: [llms-full.txt](${base}llms-full.txt)`,
    '',
    '## Pages',
    '',
  ];
  const texts = [];
  for (const page of docsPages(docs)) {
    const text = readPage(docs, page);
    const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Isochore';
    lines.push(`- [${title}](${base}${page.replace(/\.md$/, '.html')}): ${openingOf(text)}`);
    texts.push(text.trim());
  }
  mkdirSync(join(docs, 'public'), { recursive: true });
  writeFileSync(
    join(docs, 'public', 'llms.txt'),
    `${lines.join('\n')}\n- [Reference](${base}api/index.html): every export of every entry, with an example of each function.\n`,
  );
  writeFileSync(join(docs, 'public', 'llms-full.txt'), `${texts.join('\n\n---\n\n')}\n`);
}
