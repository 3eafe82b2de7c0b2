// What a body can be cut along, as the user says it, all in world space where the body is now.

import type { Vec3 } from '../math/vec3.js';

/** Along a plane, all through the body or within a distance. */
export interface PlaneCut {
  /** A point of the plane [m], and its normal of any length. */
  readonly plane: { readonly point: Vec3; readonly normal: Vec3 };
  /** How far from the point it cuts [m]; all through unless given. */
  readonly within?: number;
}

/** Along the surface that a blade sweeps. */
export interface PathCut {
  /** Where the blade's tip goes [m]: two points or more. */
  readonly path: readonly Vec3[];
  /** From the tip to the other end of the blade [m]: one for the whole path, or one for each point of it. */
  readonly blade: Vec3 | readonly Vec3[];
}

/** Along any patch of triangles: one piece without holes. */
export interface TriangleCut {
  readonly triangles: {
    /** x, y, z of each vertex [m]. */
    readonly positions: ArrayLike<number>;
    /** Three vertices each. */
    readonly triangles: ArrayLike<number>;
  };
}

export type CutOptions = PlaneCut | PathCut | TriangleCut;

export interface StrokeOptions {
  /** How far the blade reaches along its direction beyond the point that it is moved to [m]; all through unless given. */
  readonly depth?: number;
  /** How far it reaches back from that point [m]; as far as `depth` unless given. */
  readonly back?: number;
}

/** A cut in the making: `const stroke = body.beginCut({ depth: 0.1 }); stroke.moveTo(…); stroke.end()`. */
export interface CutStroke {
  /** Whether it goes on: neither ended, nor its body gone. */
  readonly active: boolean;
  /**
   * Moves the blade on: it passes through a point [m] along a direction of any length. Matter between the blade's last place and this
   * one comes apart with the next step.
   */
  moveTo(point: Vec3, direction: Vec3): void;
  /** Lifts the blade: with the next step the surface is cut along the whole stroke, once and clean. */
  end(): void;
}
