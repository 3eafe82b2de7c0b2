// `npm run docs`: builds the documentation site into docs/.vitepress/dist; `npm run docs -- dev` serves it while one writes.
// Its own dependencies are in docs/package.json, so that whoever only wants the library does not install them.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';

bootstrap();
const docs = join(root, 'docs');
bootstrap(docs);

function must(name, code) {
  if (code === 0) return;
  console.error(`\nnpm run docs: ${name} failed`);
  process.exit(code);
}

const tool = (name, args) => run(join(docs, 'node_modules', '.bin', name), args, { cwd: docs });

must('the package', run(process.execPath, ['scripts/build.mjs']));
// What is imported below needs what was just installed and built.
const { buildLive } = await import('./build-live.mjs');
const { writeIndex } = await import('./docs-index.mjs');
await buildLive(join(docs, 'public', 'live'));
writeIndex(docs, process.env.ISOCHORE_DOCS_BASE);
// What the first page shows beside its title is not imported by it.
cpSync(join(docs, 'pictures'), join(docs, 'public', 'pictures'), { recursive: true });
must('the reference', tool('typedoc', []));
must('the site', tool('vitepress', process.argv[2] === 'dev' ? ['dev'] : ['build']));
