// One frame from its input to its output: contact found, the energy minimised, the surface finished, and what happened reported.

import { deepestBetween } from './between-vertices.js';
import { describeColliders } from './collider-reports.js';
import type { DeformerCollider } from './collider-settings.js';
import type { ContactPlanes } from './contact-planes.js';
import { contactSurface } from './contact-surface.js';
import { Contacts } from './contacts.js';
import {
  CONTACT_FALLOFF,
  contactAt,
  type DeformedMaps,
  measureDisplacement,
  measureStretch,
  unitNormals,
} from './deformed-maps.js';
import type { DeformerBody } from './deformer-body.js';
import { measureShares } from './falloff.js';
import { finishSurface } from './finish.js';
import type { FollowedInput } from './follow-input.js';
import { FrameCollider } from './frame-collider.js';
import { FrameEnergy, type FrameProblem } from './frame-energy.js';
import { type Iteration, iterateFrame } from './iterate.js';
import { minimiseFrame } from './minimise-frame.js';
import type { ObjectFrame } from './object-frame.js';
import type { ColliderReport, DeformerFlag, DeformerReport } from './report.js';
import { type DeformerFrameSettings, type DeformerSettings, reachLength } from './settings.js';
import { volumeOf } from './surface-volume.js';

/** One frame's input. Settings that are given replace the deformer's own for this frame. */
export interface DeformerFrame extends Partial<DeformerFrameSettings> {
  readonly colliders: readonly DeformerCollider[];
  /** Vertices before contact [m], as a rig leaves them; the bound mesh unless given. */
  readonly input?: ArrayLike<number>;
  /**
   * Whether numbers that are none, as broken keyframes have them, are to be got along without: colliders are left out, vertices follow the
   * others, and a flag says so. Such frames are refused else.
   */
  readonly mend?: boolean;
  /** An earlier result to begin at, for previews: the frame then depends on it, within the tolerance. */
  readonly start?: DeformedFrame;
}

/** A frame that can be deformed, what it was asked with, and what was done for it. */
export interface MendedFrame {
  readonly frame: DeformerFrame;
  /** All colliders that were asked for; the frame's are those that are somewhere, in their order. */
  readonly asked: readonly DeformerCollider[];
  readonly flags: readonly DeformerFlag[];
}

/** A frame: vertices, normals, maps and a report. */
export interface DeformedFrame {
  /** x, y, z per vertex [m]. */
  readonly positions: Float64Array;
  /** Unit normals. */
  readonly normals: Float64Array;
  readonly maps: DeformedMaps;
  readonly report: DeformerReport;
  /** How far each vertex of the helper mesh moved, in the body's own frame and half sizes. */
  readonly helper: Float64Array;
}

/** Least reach, as a share of the deepest vertex's depth: below, tetrahedra invert. */
const REACH_FOR_DEPTH = 0.4;

/** Least volume of an input that has one [half sizes³]: a rig may fold a body flat, or turn it inside out. */
const LEAST_VOLUME = 1e-6;

/** A frame that is asked for. */
export interface AskedFrame {
  readonly body: DeformerBody;
  readonly followed: FollowedInput;
  /** Vertices [m]. */
  readonly input: Float64Array;
  /** The frame, and what was done to it before. */
  readonly mended: MendedFrame;
  readonly settings: DeformerSettings;
}

/** A frame whose contacts are found and whose helper mesh is still to move. */
export interface BegunFrame extends AskedFrame {
  readonly problem: FrameProblem;
  /** Those that take part. */
  readonly colliders: readonly DeformerCollider[];
  readonly flags: Set<DeformerFlag>;
}

/** Where the helper mesh and the surface came to, and how. */
export interface SolvedFrame extends Iteration {
  readonly carried: Float64Array;
}

export function deformFrame(asked: AskedFrame): DeformedFrame {
  const begun = beginFrame(asked, asked.body.solver.planes);
  return 'positions' in begun ? begun : finishFrame(begun, solve(begun, asked.mended.frame.start));
}

/**
 * A frame up to what moves the helper mesh; the input itself where nothing touches it.
 * @param planes where planes of contact go, of one frame at a time; room of their own where there is none.
 */
export function beginFrame(asked: AskedFrame, planes?: ContactPlanes): BegunFrame | DeformedFrame {
  const { body, followed, input, mended, settings } = asked;
  const { frame } = mended;
  const { surface, rest } = followed;
  const { triangles } = body.mesh;
  const taking = frame.colliders.filter(({ enabled }) => enabled ?? true);
  const colliders = taking.map((collider) => new FrameCollider(collider, followed.frame));
  const isBound = surface === body.bound;
  const before = isBound ? body.boundContact : contactSurface(body.sites, surface, body.takesPart);
  const contacts = new Contacts(colliders, before, planes);
  const flags = new Set<DeformerFlag>(mended.flags);
  if (followed.folds) flags.add('input-folds');
  if (!contacts.touches()) {
    const reports = describe(asked, taking, contacts, surface, flags);
    return untouched(body, followed.frame, input, reports, [...flags]);
  }

  const deepest = greatest(contacts.depths);
  const wanted = reachLength(settings.reach);
  const reach = Math.max(wanted, body.helper.cellSize, REACH_FOR_DEPTH * deepest);
  if (reach > wanted) flags.add('reach-raised');
  const volume = volumeOf(surface, triangles);
  if (!(volume > LEAST_VOLUME)) flags.add('no-volume');
  const problem: FrameProblem = {
    helper: body.helper,
    triangles,
    elastic: body.elastic,
    solver: body.solver,
    rest,
    surface,
    contacts,
    reach,
    hold: body.hold,
    holdCentroid: Number(settings.holdCentroid),
    volume,
    targetVolume: volume * settings.volume,
  };
  return { ...asked, problem, colliders: taking, flags };
}

/** What happened at each collider, whose flags are the frame's as well. */
function describe(
  { mended, followed }: AskedFrame,
  colliders: readonly DeformerCollider[],
  contacts: Contacts,
  after: Float64Array,
  flags: Set<DeformerFlag>,
): ColliderReport[] {
  const reports = describeColliders(mended.asked, colliders, contacts, after, followed.frame);
  for (const one of reports) for (const flag of one.flags) flags.add(flag);
  return reports;
}

/** The frame, from what the helper mesh came to; `carried` becomes the surface. */
export function finishFrame(begun: BegunFrame, solved: SolvedFrame): DeformedFrame {
  const { body, followed, input, settings, problem, flags } = begun;
  const { surface, rest } = followed;
  const { contacts, volume, reach } = problem;
  const { triangles } = body.mesh;
  const { x, carried } = solved;
  if (!solved.converged) flags.add('not-converged');
  const depthSolved = contacts.deepest(carried);
  const volumeSolved = volumeOf(carried, triangles);
  if (settings.mode === 'minimise') {
    const shares = measureShares(settings.falloff, contacts, surface, followed.frame.scale);
    if (shares)
      for (let i = 0; i < carried.length; i++)
        carried[i] += (1 - shares[Math.floor(i / 3)]) * (surface[i] - carried[i]);
    const solvedSurface = carried.slice();
    const finish = finishSurface(carried, triangles, contacts, body.sites, problem.targetVolume, shares);
    if (!finish.exact) flags.add('volume-not-reached');
    // Colliders that leave no room fold the surface flat, to no end: the minimum lies between them and has its volume.
    const lostVolume = (points: Float64Array) => Math.abs(volumeOf(points, triangles) - problem.targetVolume);
    if (!finish.free && lostVolume(carried) > lostVolume(solvedSurface)) carried.set(solvedSurface);
  }
  const invertedTetrahedra = body.elastic.countInverted(x);
  if (invertedTetrahedra > 0) flags.add('inverted-tetrahedra');
  const reports = describe(begun, begun.colliders, contacts, carried, flags);
  const positions = placeInWorld(followed.frame, input, surface, carried, settings.envelope);
  const { stretch, most } = measureStretch(input, positions, triangles);
  const { scale } = followed.frame;
  const cube = scale * scale * scale;
  return {
    positions,
    normals: unitNormals(positions, triangles),
    maps: {
      contact: contactMap(body, contacts, carried),
      displacement: measureDisplacement(input, positions),
      stretch,
      depth: Float64Array.from(body.takesPart, (_, v) => scale * contacts.depthBefore(v)),
    },
    report: {
      touched: true,
      rounds: solved.rounds,
      iterations: solved.iterations,
      lastChange: solved.lastChange * scale,
      depthBefore: greatest(reports.map(({ depthBefore }) => depthBefore)),
      depthSolved: depthSolved * scale,
      depthAfter: greatest(reports.map(({ depthAfter }) => depthAfter)),
      depthBetween: deepestBetween(contacts, carried, triangles) * scale,
      volumeBefore: volume * cube,
      volumeTarget: problem.targetVolume * cube,
      volumeSolved: volumeSolved * cube,
      volumeAfter: volumeOf(carried, triangles) * cube,
      invertedTetrahedra,
      strain: most,
      reach: reach * scale,
      colliders: reports,
      flags: [...flags],
    },
    helper: x.map((value, i) => value - rest[i]),
  };
}

const greatest = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => Math.max(a, b), 0);

/** The helper mesh and the surface where there is no volume to keep: at rest. */
export function unsolved({ problem }: BegunFrame): SolvedFrame | undefined {
  if (problem.volume > LEAST_VOLUME) return undefined;
  const nothing = { rounds: 0, iterations: 0, lastChange: 0, converged: true };
  return { ...nothing, x: problem.rest, carried: problem.surface.slice() };
}

/** The helper mesh and the surface that it carries, by either mode. */
function solve(begun: BegunFrame, start?: DeformedFrame): SolvedFrame {
  const { body, problem, settings } = begun;
  const nothing = unsolved(begun);
  if (nothing) return nothing;
  body.elastic.setRest(problem.rest);
  const energy = new FrameEnergy(problem);
  const carried = new Float64Array(problem.surface.length);
  const begin = start && problem.rest.map((value, i) => value + start.helper[i]);
  const result =
    settings.mode === 'minimise'
      ? minimiseFrame(problem, energy, body.solver, settings.tolerance, begin)
      : iterateFrame(problem, energy, settings);
  energy.carry(result.x, carried);
  return { ...result, carried };
}

/** The input itself, to the bit. */
function untouched(
  body: DeformerBody,
  frame: ObjectFrame,
  input: Float64Array,
  colliders: readonly ColliderReport[],
  flags: readonly DeformerFlag[],
): DeformedFrame {
  const { triangles } = body.mesh;
  const count = input.length / 3;
  const own = input.map((x, i) => (x - frame.centre[i % 3]) / frame.scale);
  const volume = volumeOf(own, triangles) * frame.scale * frame.scale * frame.scale;
  return {
    positions: input,
    normals: unitNormals(input, triangles),
    maps: {
      contact: new Float64Array(count),
      displacement: new Float64Array(count),
      stretch: new Float64Array(count),
      depth: new Float64Array(count),
    },
    report: {
      touched: false,
      rounds: 0,
      iterations: 0,
      lastChange: 0,
      depthBefore: 0,
      depthSolved: 0,
      depthAfter: 0,
      depthBetween: 0,
      volumeBefore: volume,
      volumeTarget: volume,
      volumeSolved: volume,
      volumeAfter: volume,
      invertedTetrahedra: 0,
      strain: 0,
      reach: 0,
      colliders,
      flags,
    },
    helper: new Float64Array(body.helper.positions.length),
  };
}

/** input + envelope × (what the surface moved in its own frame, turned and scaled). */
function placeInWorld(
  { rotation: r, scale }: ObjectFrame,
  input: Float64Array,
  before: Float64Array,
  after: Float64Array,
  envelope: number,
): Float64Array {
  const out = new Float64Array(input.length);
  const size = scale * envelope;
  for (let i = 0; i < out.length; i += 3) {
    const x = after[i] - before[i];
    const y = after[i + 1] - before[i + 1];
    const z = after[i + 2] - before[i + 2];
    out[i] = input[i] + size * (r[0] * x + r[1] * y + r[2] * z);
    out[i + 1] = input[i + 1] + size * (r[3] * x + r[4] * y + r[5] * z);
    out[i + 2] = input[i + 2] + size * (r[6] * x + r[7] * y + r[8] * z);
  }
  return out;
}

/** A vertex touches where it or one of its edges does. */
function contactMap({ sites }: DeformerBody, contacts: Contacts, positions: Float64Array): Float64Array {
  const { ends, vertexCount } = sites;
  const placed = sites.place(positions);
  const map = new Float64Array(vertexCount);
  for (let site = 0; site < sites.count; site++) {
    if (!contacts.mayBeNear(site, CONTACT_FALLOFF)) continue;
    const contact = contactAt(contacts.distanceAt(placed, site));
    for (let end = 2 * site; end < 2 * site + 2; end++) map[ends[end]] = Math.max(map[ends[end]], contact);
  }
  return map;
}
