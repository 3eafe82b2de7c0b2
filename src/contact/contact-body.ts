// A body as contact sees it: its rest data, shared by all copies, and its particles during a step.

import { meanEdgeLength, signedVolume } from '../mesh/measure.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { type Bvh, buildBvh } from './broad-phase/bvh.js';
import type { ContactSettings } from './contact-settings.js';
import { type BodyEdges, buildEdges } from './narrow-phase/edges.js';
import type { Sleep } from './sleep.js';

/** What contact needs to know of a body at rest; particles in the solver's order. */
export interface ContactRest {
  readonly bvh: Bvh;
  readonly edges: BodyEdges;
  readonly mesh: TriangleMesh;
  /** V₀ [m³]. */
  readonly volume: number;
  /** Diameter of the bounding sphere [m]. */
  readonly size: number;
  /** Mean edge [m]: the length that gaps and margins are measured by. */
  readonly edge: number;
  /** Furthest that a vertex may move against a triangle and still be looked for at the end of its way only [m]. */
  readonly slow: number;
  /** Way through the body at each particle [m]; 0 where there is none. */
  readonly walls: Float64Array;
  /** Factor on the friction at each particle, where they differ. */
  readonly frictions?: Float64Array;
}

/** A vertex that moves less than this share of the edge, or of the thinnest part of the body, is slow. */
const SLOW_SHARE = 0.5;

/**
 * @param size diameter of the bounding sphere [m].
 * @param walls way through the body at each particle [m]; 0 where there is none.
 * @param frictions factor on the friction at each particle.
 */
export function buildContactRest(
  mesh: TriangleMesh,
  size: number,
  walls: Float64Array,
  frictions?: Float64Array,
): ContactRest {
  const thinnest = walls.reduce((least, length) => (length > 0 ? Math.min(least, length) : least), size);
  const edge = meanEdgeLength(mesh);
  const volume = signedVolume(mesh.positions, mesh.triangles);
  const bvh = buildBvh(mesh);
  const edges = buildEdges(mesh, bvh);
  const slow = SLOW_SHARE * Math.min(edge, thinnest);
  return { bvh, edges, mesh, volume, size, edge, slow, walls, frictions };
}

/** What a body remembers of contact with itself. */
export interface SelfContact {
  /** Whether the body has to get through itself first. */
  tangled: boolean;
  /** Steps in which it may have been looked at since. */
  looks: number;
  /** 1 for vertices that have passed through a triangle nearby and are to go back. */
  readonly crossed: Uint8Array;
}

/** A body's particles during a step, in the solver's order. */
export interface ContactBody {
  readonly contactRest: ContactRest;
  readonly particles: {
    readonly count: number;
    readonly positions: Float64Array;
    readonly starts: Float64Array;
    readonly velocities: Float64Array;
    readonly masses: Float64Array;
  };
  /** 1 for particles that a pin moves. */
  readonly pinned: Uint8Array;
  /** Boxes of the tree on their way through the step, 6 numbers per node [m]. */
  readonly bounds: Float64Array;
  /** Unit normals of the vertices at the start of the step. */
  readonly vertexNormals: Float64Array;
  readonly contactSettings: ContactSettings;
  readonly selfContact: SelfContact;
  /** How much of its volume at rest it is to have. */
  readonly inflation: { readonly factor: number };
  /** A sleeping body holds still whatever pushes it. */
  readonly sleep: Sleep;
  /** How far it has to go to leave another body that it lies deep in [m]; 0 for none. */
  deepBy: number;
  /** How deep its deepest vertex near another body's surface lay under it, or another body's under its own, in the last step [m]. */
  sunkBy: number;
  /** Bodies with the same number above 0 meet each other, and themselves, within their solves: contact leaves them alone. */
  readonly coupling?: number;
}
