// The tree of boxes over a surface that deforms: built once over its rest state, which all copies share, and fitted to
// where its vertices are whenever it is asked after they have moved.
// Based on: G. van den Bergen, Efficient collision detection of complex deformable models using AABB trees, 1997 (refit).

import type { TriangleMesh } from './triangle-mesh.js';
import { buildTriangleTree, type TriangleTree } from './triangle-tree.js';

const builtTrees = new WeakMap<TriangleMesh, TriangleTree>();

function treeOf(mesh: TriangleMesh): TriangleTree {
  let tree = builtTrees.get(mesh);
  if (!tree) {
    tree = buildTriangleTree(mesh.positions, mesh.triangles);
    builtTrees.set(mesh, tree);
  }
  return tree;
}

export class SurfaceTree {
  private bounds: Float64Array | undefined;
  private stale = true;

  /** @param mesh the surface at rest. */
  constructor(private readonly mesh: TriangleMesh) {}

  /** To be said whenever vertices have moved. */
  moved(): void {
    this.stale = true;
  }

  /** The tree over these positions, one per vertex of the mesh; valid until they move. */
  at(positions: ArrayLike<number>): TriangleTree {
    const rest = treeOf(this.mesh);
    this.bounds ??= new Float64Array(6 * rest.nodeCount);
    const tree = { ...rest, positions, nodeBounds: this.bounds };
    if (this.stale) refitTriangleTree(tree);
    this.stale = false;
    return tree;
  }
}

/** Fits the tree's boxes to its positions. */
export function refitTriangleTree(tree: TriangleTree): void {
  const { positions, triangles, nodeCounts, nodeLinks, order, nodeBounds: bounds } = tree;
  // Children come after their parent.
  for (let node = tree.nodeCount - 1; node >= 0; node--) {
    const at = 6 * node;
    const left = at + 6;
    const right = 6 * nodeLinks[node];
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      if (nodeCounts[node] === 0) {
        low = Math.min(bounds[left + k], bounds[right + k]);
        high = Math.max(bounds[left + 3 + k], bounds[right + 3 + k]);
      }
      for (let i = nodeLinks[node]; i < nodeLinks[node] + nodeCounts[node]; i++) {
        for (let c = 3 * order[i]; c < 3 * order[i] + 3; c++) {
          const x = positions[3 * triangles[c] + k];
          if (x < low) low = x;
          if (x > high) high = x;
        }
      }
      bounds[at + k] = low;
      bounds[at + 3 + k] = high;
    }
  }
}
