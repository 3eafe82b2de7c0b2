// The figures of a run, in the order and under the names that the report promises.

import { StateHash } from '../math/hash.js';
import type { Vec3 } from '../math/vec3.js';
import { boundsOf } from '../mesh/measure.js';
import { findSelfIntersections } from '../mesh/self-intersections.js';
import type { Bounds, TriangleMesh } from '../mesh/triangle-mesh.js';
import type { Body } from '../world/body.js';
import type { World } from '../world/world.js';
import { VERSION } from './version.js';

/** Stages that reports have times of. */
export const REPORT_STAGES = ['total', 'predict', 'match', 'damp', 'contact', 'conserve'] as const;
/** Name of such a stage. */
export type ReportStage = (typeof REPORT_STAGES)[number];

/** What a run did to one body. */
export interface BodyReport {
  name: string;
  particles: number;
  /** [m³] */
  restVolume: number;
  /** |V/V₀ − 1|·100, the largest over every step and the last. */
  maxVolumeErrorPercent: number;
  finalVolumeErrorPercent: number;
  /** Centre of mass [m], extent [m], momentum [kg·m/s] and angular momentum about the world's origin [kg·m²/s] at the end. */
  centroid: Vec3;
  bounds: Bounds;
  momentum: Vec3;
  angularMomentum: Vec3;
  /** Root mean square of edge length / rest length − 1. */
  edgeStrainRms: number;
  /** Depth of the deepest vertex inside a collider at the end [m]. */
  maxPenetration: number;
  /** Colliding particles in the last step. */
  contacts: number;
  /** Crossing pairs of triangles at the end. */
  selfIntersections: number;
  /** How often it was found broken and drawn back to its shape. */
  recoveries: number;
  solver: string;
  /** What moves it: nodes inside, or its particles. */
  nodes: number;
  /** Its closed parts, the largest first. */
  parts: { vertices: number; volume: number; restVolume: number }[];
  /** For how long its volume gave way: was off by more than 0.1 % [s]. */
  volumeGaveWaySeconds: number;
  /** Figures of its solver, if it has any: those whose names begin with `max` over every step, others at the end. */
  [figure: string]: unknown;
}

/** A cut that changed a body. */
export interface CutReport {
  body: string;
  /** [s] */
  time: number;
  /** What the step that made it took [ms]. */
  ms: number;
  partsAfter: number;
}

/** Figures that are not finite become null in JSON. */
export interface Report {
  /** Version of the package. */
  isochore: string;
  scene: string;
  backend: string;
  threads: number;
  particles: number;
  /** Steps done. */
  steps: number;
  /** [s] */
  timeStep: number;
  /** Medians over the steps [ms]. */
  msPerStep: Record<ReportStage, number>;
  /** Coordinates and velocity components that are not finite at the end. */
  nonFinite: number;
  /** Of all position bits, in body order and the mesh's own vertex order. */
  hash: string;
  bodies: BodyReport[];
  /** Where something was cut. */
  cuts?: CutReport[];
}

/** Volume error above which a body's volume has given way [%]: a body that nothing crushes is a hundred times nearer. */
export const GAVE_WAY = 0.1;

/** What only the run itself has seen. */
export interface SeenInRun {
  readonly scene: string;
  readonly steps: number;
  readonly stageTimes: Readonly<Record<ReportStage, readonly number[]>>;
  /** Per body [%]. */
  readonly maxVolumeErrors: readonly number[];
  /** Per body: steps in which its volume was off by more than `GAVE_WAY`. */
  readonly stepsGivenWay: readonly number[];
  /** Of bodies that changed their topology. */
  readonly cuts: readonly CutReport[];
  /** Per body: the solver's own whose names begin with `max`. */
  readonly maxFigures: readonly Readonly<Record<string, number>>[];
}

export function buildReport(world: World, bodies: readonly Body[], record: SeenInRun): Report {
  const hash = new StateHash();
  for (const body of bodies) hash.update(body.positions);
  const stages = REPORT_STAGES.map((stage) => [stage, median(record.stageTimes[stage])]);
  return {
    isochore: VERSION,
    scene: record.scene,
    backend: world.capabilities.backend,
    threads: world.capabilities.threads,
    particles: bodies.reduce((sum, body) => sum + body.particleCount, 0),
    steps: record.steps,
    timeStep: world.timeStep,
    msPerStep: Object.fromEntries(stages) as Record<ReportStage, number>,
    nonFinite: countNonFinite(bodies),
    hash: hash.digest(),
    bodies: bodies.map((body, index) => {
      const figures = { ...body.figures(), ...record.maxFigures[index] };
      const volumeGaveWaySeconds = record.stepsGivenWay[index] * world.timeStep;
      const seen = {
        ...reportBody(body, record.maxVolumeErrors[index], world.penetration(body)),
        volumeGaveWaySeconds,
      };
      return { ...seen, ...figures };
    }),
    ...(record.cuts.length > 0 && { cuts: [...record.cuts] }),
  };
}

function reportBody(body: Body, maxVolumeError: number, penetration: number) {
  const finalVolumeError = volumeErrorPercent(body);
  return {
    name: body.name,
    particles: body.particleCount,
    restVolume: body.restVolume,
    maxVolumeErrorPercent: Math.max(maxVolumeError, finalVolumeError),
    finalVolumeErrorPercent: finalVolumeError,
    centroid: body.centreOfMass(),
    bounds: boundsOf(body.positions),
    momentum: body.momentum(),
    angularMomentum: body.angularMomentum(),
    edgeStrainRms: edgeStrainRms(body.mesh, body.positions),
    maxPenetration: penetration,
    contacts: body.contactCount,
    selfIntersections: findSelfIntersections(body.positions, body.mesh.triangles).count,
    recoveries: body.recoveries,
    solver: body.prepared.solver.type,
    nodes: body.nodeCount,
    parts: body.parts
      .map((part) => ({ vertices: part.vertices.length, volume: part.volume(), restVolume: part.restVolume }))
      .sort((a, b) => b.restVolume - a.restVolume),
  };
}

/** |V/V₀ − 1|·100, of the closed part where it is largest. */
export function volumeErrorPercent(body: Body): number {
  const { parts, targetVolume, restVolume } = body;
  if (parts.length === 1) return Math.abs(body.volume() / targetVolume - 1) * 100;
  const wanted = targetVolume / restVolume;
  return Math.max(...parts.map((part) => Math.abs(part.volume() / (wanted * part.restVolume) - 1) * 100));
}

export function countNonFinite(bodies: readonly Body[]): number {
  let count = 0;
  for (const body of bodies) {
    for (const values of [body.positions, body.velocities]) {
      for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) count++;
    }
  }
  return count;
}

/** Over the sides of the triangles: in a closed mesh every edge comes exactly twice, which leaves the mean as it is. */
export function edgeStrainRms(rest: TriangleMesh, positions: ArrayLike<number>): number {
  const { triangles } = rest;
  let sum = 0;
  for (let i = 0; i < triangles.length; i++) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i % 3 === 2 ? i - 2 : i + 1];
    const strain = edgeLength(positions, a, b) / edgeLength(rest.positions, a, b) - 1;
    sum += strain * strain;
  }
  return triangles.length ? Math.sqrt(sum / triangles.length) : 0;
}

function edgeLength(positions: ArrayLike<number>, a: number, b: number): number {
  const x = positions[b] - positions[a];
  const y = positions[b + 1] - positions[a + 1];
  const z = positions[b + 2] - positions[a + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** 0 where nothing was measured. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
