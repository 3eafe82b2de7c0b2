// Visible meshes on the results page.

import { group, leastAndMedian, show, table } from './markdown.js';
import type { RecordedTables } from './recorded-table.js';

export function skins({ skins: measured }: RecordedTables): string {
  const rows = measured.filter({ backend: 'wasm' }).map(({ name, particles, skinVertices, bindSeconds }) => {
    const time = (backend: string): string =>
      leastAndMedian(measured.least({ name, backend }), measured.median({ name, backend }));
    const binding = (1e6 * Number(bindSeconds)) / Number(skinVertices);
    return [
      `${name}, ${group(Number(skinVertices))} vertices`,
      ...[group(Number(particles)), time('wasm'), time('reference'), show(binding, 2)],
    ];
  });
  return `## Visible meshes
What \`skin.update\` takes, positions and normals, on one thread [ms], the least, in brackets the median; binding is done once (\`npm run bench -- skins\`;
${measured.machine}).

${table([['visible', 'on particles', 'WebAssembly', 'reference', 'binding a vertex [µs]'], ...rows])}
`;
}
