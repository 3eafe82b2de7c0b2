// What is left of a mesh's faults when mending has ended: what a cage around it covers.

import { analyseTopology, UnionFind } from '../topology.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import type { RepairLog } from './repair-report.js';

/** Notes open rims, edges and vertices in which several surfaces meet, one-sided patches and parts. */
export function noteRemainingFaults(mesh: TriangleMesh, log: RepairLog): void {
  const { adjacency, openEdges, crowdedEdges, splitVertices, componentCount, winding } = analyseTopology(mesh);
  const ends = new UnionFind(adjacency.vertexCount);
  let rims = 0;
  // Every edge begins a rim of its own, which ends where it meets another.
  const seen = new Uint8Array(adjacency.vertexCount);
  for (const e of openEdges) {
    const [a, b] = [adjacency.edgeVertices[2 * e], adjacency.edgeVertices[2 * e + 1]];
    for (const v of [a, b]) {
      if (!seen[v]) rims++;
      seen[v] = 1;
    }
    if (ends.union(a, b)) rims--;
  }
  log.add('covered-rims', rims, 'open rim covered by the cage', 'open rims covered by the cage');
  const shared = crowdedEdges.length + splitVertices.length;
  log.add(
    'covered-faults',
    shared,
    'place where surfaces meet in one edge or vertex covered by the cage',
    'places where surfaces meet in one edge or vertex covered by the cage',
  );
  const oneSided = winding.oneSided.reduce((sum, value) => sum + value, 0);
  log.add('covered-sheets', oneSided, 'one-sided surface treated as a sheet', 'one-sided surfaces treated as sheets');
  if (componentCount > 1) log.add('united-parts', componentCount, 'part', 'parts united in the cage');
}
