// What a body is cut along, as a model is told it: checked, in world space, where the body is now.

import type { Vec3 } from '../math/vec3.js';

/**
 * Boolean operations on solids, as the module of `manifold-3d` has them: what cannot be cut otherwise is cut with these, where they are
 * passed in.
 */
export interface SolidModule {
  readonly Mesh: new (options: {
    numProp: number;
    vertProperties: Float32Array;
    triVerts: Uint32Array;
    faceID: Uint32Array;
    runIndex: Uint32Array;
    runOriginalID: Uint32Array;
  }) => unknown;
  readonly Manifold: (new (mesh: never) => Solid) & { reserveIDs(count: number): number };
}

/** A solid of such a module. */
export interface Solid {
  subtract(other: never): Solid;
  getMesh(): {
    readonly vertProperties: Float32Array;
    readonly triVerts: Uint32Array;
    readonly runIndex: Uint32Array;
    readonly runOriginalID: Uint32Array;
    readonly faceID: Uint32Array;
  };
  delete(): void;
}

/** A plane, within a distance of a point of it [m]; the normal has length 1. */
export interface PlaneBlade {
  readonly kind: 'plane';
  readonly point: Vec3;
  readonly normal: Vec3;
  readonly within: number;
}

/** What a blade sweeps: both of its ends at each place of its way [m]. */
export interface SweptBlade {
  readonly kind: 'swept';
  readonly tips: readonly Vec3[];
  readonly ends: readonly Vec3[];
}

/** Triangles of one piece. */
export interface PatchBlade {
  readonly kind: 'patch';
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

export type Blade = (PlaneBlade | SweptBlade | PatchBlade) & {
  /** For what cannot be cut otherwise. */
  readonly fallback?: SolidModule;
};

/** A cut in the making: matter comes apart while the blade moves, the surface when it ends. */
export interface BladeStroke {
  /** Whether it goes on. */
  readonly active: boolean;
  /** Moves both ends of the blade [m]; they may be farther from the body than it is large. */
  moveTo(tip: Vec3, end: Vec3): void;
  end(): void;
}
