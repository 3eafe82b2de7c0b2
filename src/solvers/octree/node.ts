// A node of the octree's forest: a cell together with one connected component of the voxels in it.

export interface OctreeNode {
  /** Place in the forest's table; free for another once the node is gone. */
  readonly id: number;
  readonly level: number;
  readonly cell: readonly [number, number, number];
  /** Centre of the cell in half finest cells: distances of cells are whole numbers of these. */
  readonly centre: readonly [number, number, number];
  parent: OctreeNode | undefined;
  /** Empty for leaves. */
  children: OctreeNode[];
  /** Of leaves: the component. Empty for inner nodes. */
  voxels: Int32Array;
  /** m, in voxels; debris that a leaf took over counts. */
  mass: number;
  /** x⁰ [m], centroid of the component. */
  readonly rest: Float64Array;
  /** Leaves below, 1 for a leaf. */
  leafCount: number;
  /** Of leaves: neighbours in the visibility graph, and how far they are in half finest cells. */
  readonly edges: Map<OctreeNode, number>;
  /** Of leaves: the nodes whose leaves make up its region. */
  region: OctreeNode[];
  /** W of leaves, half-width asked for in half finest cells; the region is at least as wide as the longest edge. */
  width: number;
  /** Stiffness of its region as a share of the body's, above 0 up to 1, as painted. */
  stiffness: number;
  /** The same of its damping, 0…1. */
  damping: number;
  /** Scratch of searches: the search that wrote here last, and what it found. */
  readonly search: { stamp: number; distance: number; low: number; high: number; weighted: number; visited: number };
}
