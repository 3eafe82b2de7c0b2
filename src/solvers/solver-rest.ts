// What a solver makes of a mesh: rest data that all copies of a body share.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { CheckedMaps } from './maps.js';
import type { PaintedRegions } from './painted-regions.js';
import type { VolumeRest } from './volume/rest.js';

/** The faces along which a shell was cut. */
export interface CutFaces {
  /** 1 for each triangle that is on such a face. */
  readonly marks: Uint8Array;
  /** Texture coordinates on them [m], u and v of each particle; 0 for those that are on none. */
  readonly uvs: Float64Array;
}

/** The shell's particles: the mesh's vertices, in an order of the solver's choice. */
export interface ParticleRest {
  readonly count: number;
  /** The mesh's own vertex at each place of that order. */
  readonly order: Uint32Array;
  /** The mesh renumbered in that order, where it stands in the file. */
  readonly mesh: TriangleMesh;
  /** Share of the body's mass at each particle; Σ = 1. */
  readonly massShares: Float64Array;
  /** Mean of the density's map; 1 unless given. */
  readonly massFactor?: number;
  /** First particle of each closed part, and the count at the end: each keeps its own volume. One part unless given. */
  readonly parts?: Uint32Array;
  /** Of a shell that was cut. */
  readonly cutFaces?: CutFaces;
}

/** What a solver makes of a mesh: the shell's particles, and what its model needs to know of the body at rest. */
export interface SolverRest {
  readonly particles: ParticleRest;
  /** The shell's mesh, and what is painted on its vertices, where it is another than the mesh that was given. */
  readonly shell?: { readonly mesh: TriangleMesh; readonly maps: CheckedMaps };
  /** The surface that was given, where the shell is another: what is to be looked at follows the shell as a skin. */
  readonly visible?: TriangleMesh;
  /** What the volume constraint needs; built from the particles' mesh unless given. */
  readonly volume?: VolumeRest;
  /** Rest data of region matching, where the kernels run the solver. */
  readonly kernels?: KernelRest;
  /** What a debug view can show of it. */
  readonly structure?: BodyStructure;
  /** Particles that are simulated beside the shell's. */
  readonly innerCount?: number;
}

/** What the kernels' region matching needs, in the particles' order; see `surface/rest`. */
export interface KernelRest extends ParticleRest {
  readonly positions: Float64Array;
  readonly areas: Float64Array;
  readonly unitNormals: Float64Array;
  /** ω in rings. */
  readonly rings: number;
  readonly stiffnessScale: number;
  readonly stiffnesses?: PaintedRegions;
  readonly dampings?: PaintedRegions;
  readonly regions: {
    readonly count: number;
    readonly sizes: Uint32Array;
    readonly offsets: Uint32Array;
    readonly begins: Uint32Array;
    readonly ends: Uint32Array;
  };
  readonly regionMasses: Float64Array;
  readonly regionTotals: Float64Array;
  readonly regionCentres: Float64Array;
  readonly extraLengths: Float64Array;
  readonly restMoments: Float64Array;
}

/** What can be shown of how a body is simulated, in the mesh's own vertices. */
export interface BodyStructure {
  /** Chains of vertices along which sums are taken. */
  paths(): readonly Uint32Array[];
  /** The vertices of the region of a vertex, that one among them. */
  regionOf(vertex: number): Uint32Array;
}
