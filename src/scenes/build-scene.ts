// From a checked scene to a world that is ready to step. A mesh that several bodies share is prepared once.

import type { ColliderOptions } from '../contact/obstacles/collider-options.js';
import { boundsOf } from '../mesh/measure.js';
import { joinSeams, makeSimulatable } from '../mesh/repair/make-simulatable.js';
import type { RepairStep } from '../mesh/repair/repair-report.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { findProblems } from '../mesh/validate.js';
import { type AttributedMesh, transferAttributes } from '../mesh/vertex-attributes.js';
import { type AnySolverMaker, solverFor } from '../solvers/built-in.js';
import { posed } from '../solvers/posed/posed-solver.js';
import { MeshError, prepare } from '../solvers/prepare.js';
import type { Prepared, Solver } from '../solvers/solver.js';
import type { Body } from '../world/body.js';
import type { BodyOptions } from '../world/body-options.js';
import { createWorld } from '../world/create-world.js';
import { wind } from '../world/wind.js';
import type { World } from '../world/world.js';
import type { WorldOptions } from '../world/world-options.js';
import { attributesOf, buildMaps } from './build-maps.js';
import { type OpenCollider, openPosed, type PosedBody, type PoseSceneOptions } from './pose-scene.js';
import { PosedMotion } from './posed-motion.js';
import { SceneError, showValue } from './scene-errors.js';
import { isSolidFile, loadSolid, makeMesh, refuseMesh, scaleMesh } from './scene-mesh.js';
import { bodyName, type Scene } from './scene-schema.js';
import { settingsAt } from './setting-keys.js';

type SceneBody = Scene['bodies'][number];
type SceneCollider = Scene['colliders'][number];
type SceneHeld = Pick<Scene['pins'][number], 'body' | 'select'>;

/** What building a scene needs from outside. */
export interface BuildSceneOptions extends Pick<WorldOptions, 'backend' | 'kernels' | 'gpu'>, PoseSceneOptions {
  /** As many as the backend can use up to this. */
  threads?: number;
  /** Solvers of one's own that the scene names. */
  solvers?: readonly AnySolverMaker[];
  /** Told of bodies[index] of `count` before it is prepared, which is the slow part; copies of one before it are not. */
  onPrepare?: (index: number, count: number) => void;
  /** Told what was done to make the mesh of bodies[index] simulatable, where anything was. */
  onRepair?: (index: number, steps: readonly RepairStep[]) => void;
}

/** A posed body of a world. */
export interface PosedMember {
  readonly body: Body;
  readonly motion: PosedMotion;
  /** What is painted on it for its poser, by vertex of the body. */
  readonly maps: Readonly<Record<string, ArrayLike<number> | undefined>>;
}

/** A scene as a world. */
export interface BuiltScene {
  readonly world: World;
  /** In the scene's order. */
  readonly bodies: readonly Body[];
  /** Those that are posed, and where they are when. */
  readonly posed: readonly PosedMember[];
}

/** More than any machine steps in reasonable time; stops a file whose counts are each fine but multiply. */
const MAX_PARTICLES = 16_000_000;

/**
 * Throws SceneError for what only shows with the meshes at hand, and what createWorld throws.
 * @example
 * ```ts
 * const { world, bodies } = await buildScene(checkScene(findScene('stairs')?.make()));
 * ```
 */
export async function buildScene(scene: Scene, options: BuildSceneOptions = {}): Promise<BuiltScene> {
  const { gravity, timeStep } = scene;
  const world = await createWorld({
    gravity,
    timeStep,
    backend: options.backend,
    threads: options.threads,
    kernels: options.kernels,
    gpu: options.gpu,
  });
  try {
    return await fillWorld(world, scene, options);
  } catch (error) {
    world.dispose();
    throw error;
  }
}

async function fillWorld(world: World, scene: Scene, options: BuildSceneOptions): Promise<BuiltScene> {
  const bodies = new Map<string, Body>();
  const prepared = new Map<string, Prepared>();
  const open = await openPosed(scene, options);
  const posedMembers: PosedMember[] = [];
  let particleCount = 0;
  for (const [index, body] of scene.bodies.entries()) {
    const posing = open.bodies.find((one) => one.index === index);
    if (posing) {
      options.onPrepare?.(index, scene.bodies.length);
      const others = posing.behind.map((one) => posedMembers[one.body].motion);
      const added = await addPosed(world, posing, body, others);
      posedMembers.push(added);
      bodies.set(added.body.name, added.body);
      continue;
    }
    const key = JSON.stringify([body.mesh, body.repair, body.scale, body.solver, body.maps]);
    const rest = prepared.get(key) ?? (await prepareAlike(prepared, body, index, scene.bodies.length, options));
    prepared.set(key, rest);
    const { position, rotation, velocity, spin, density, friction, restitution, selfContact } = body;
    const { group, collidesWith } = body;
    const name = bodyName(body, index);
    particleCount += rest.particles.count + (rest.innerCount ?? 0);
    if (particleCount > MAX_PARTICLES) {
      throw new SceneError(
        'bodies',
        `expected at most ${MAX_PARTICLES} particles in all, got more up to bodies[${index}]`,
      );
    }
    const added = addBody(world, rest, index, {
      ...{ name, position, rotation, velocity, spin, density },
      ...{ friction, restitution, selfContact, group, collidesWith },
    });
    if (body.deform !== 'none') added.deform(body.deform, scene.seed + index);
    bodies.set(added.name, added);
  }
  for (const [index, collider] of scene.colliders.entries()) {
    const made = makeCollider(collider, open.colliders[index], scene.timeStep);
    try {
      world.addCollider(made);
    } catch (error) {
      throw new SceneError(`colliders[${index}]`, (error as Error).message);
    }
  }
  for (const [index, pin] of scene.pins.entries()) {
    const body = bodies.get(pin.body) as Body;
    body.pin(selectHeld(pin, `pins[${index}]`, body), pin.motion);
  }
  for (const [index, attachment] of scene.attachments.entries()) {
    const body = bodies.get(attachment.body) as Body;
    const collider = scene.colliders.findIndex(({ name }) => name === attachment.to);
    const other = bodies.get(attachment.to) ?? world.colliders[collider];
    const { breakForce } = attachment;
    world.attach(body, selectHeld(attachment, `attachments[${index}]`, body), other, { breakForce });
  }
  if (scene.detail) world.detail = scene.detail;
  for (const { type: _, ...options } of scene.fields) world.addField(wind(options));
  return { world, bodies: [...bodies.values()], posed: posedMembers };
}

/** The kernels hold fewer particles than a scene may have: some eight million, and each body takes its share of it. */
function addBody(world: World, prepared: Prepared, index: number, options: BodyOptions): Body {
  try {
    return world.add(prepared, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SceneError(`bodies[${index}]`, error.message);
  }
}

const NO_TRIANGLES = new Uint32Array(0);

/** Bodies that differ in nothing but what can be changed while they move are prepared once. */
async function prepareAlike(
  known: Map<string, Prepared>,
  body: SceneBody,
  index: number,
  count: number,
  options: BuildSceneOptions,
): Promise<Prepared> {
  const solver = solverFor(settingsAt(body.solver, 0), options.solvers);
  const { fields, settings, type } = solver;
  const own = Object.entries(settings).filter(([name]) => fields[name]?.change !== 'live');
  const key = JSON.stringify([body.mesh, body.repair, body.scale, body.maps, { type, own }]);
  const alike = known.get(key);
  if (alike) return Object.freeze({ ...alike, solver });
  options.onPrepare?.(index, count);
  const rest = await prepareBody(body, solver, index, options);
  known.set(key, rest);
  return rest;
}

async function prepareBody(
  body: SceneBody,
  solver: Solver,
  index: number,
  options: BuildSceneOptions,
): Promise<Prepared> {
  const mesh = isSolidFile(body.mesh)
    ? scaleMesh(await loadSolid(body.mesh, `bodies[${index}].mesh`, options), body.scale)
    : scaleMesh(await makeBodyMesh(body, index, options), body.scale);
  // Boxes choose the nodes of a solid mesh; it has no triangles that they would need.
  const painted = 'triangles' in mesh ? mesh : { positions: mesh.positions, triangles: NO_TRIANGLES };
  const maps = buildMaps(body.maps, painted, `bodies[${index}].maps`);
  try {
    return prepare(mesh, solver, { maps });
  } catch (error) {
    if (isSolidFile(body.mesh) && error instanceof RangeError) {
      throw refuseMesh(body.mesh, `bodies[${index}].mesh`, error.message);
    }
    if (!(error instanceof MeshError)) throw error;
    const hint = typeof body.mesh === 'string' && body.repair === undefined ? '; "repair": true would mend it' : '';
    const reasons = error.problems.map(({ message }) => message).join('; ');
    throw refuseMesh(body.mesh, `bodies[${index}].mesh`, reasons + hint);
  }
}

/** The mesh of a body, mended as far as the scene asks for it; shapes need none of that. */
async function makeBodyMesh(
  { mesh, repair, maps }: SceneBody,
  index: number,
  options: BuildSceneOptions,
): Promise<AttributedMesh> {
  const place = `bodies[${index}].mesh`;
  const loaded = await makeMesh(mesh, place, options, attributesOf(maps));
  if (typeof mesh !== 'string' || repair === false || findProblems(loaded).length === 0) return loaded;
  try {
    if (repair !== true) return withAttributes(loaded, joinSeams(loaded) ?? loaded);
    const { bodies, steps } = await makeSimulatable(loaded);
    options.onRepair?.(index, steps);
    return withAttributes(loaded, bodies[0].mesh);
  } catch (error) {
    throw refuseMesh(mesh, place, (error as Error).message);
  }
}

/** What a mesh was made from gives it its attributes. */
const withAttributes = (from: AttributedMesh, made: TriangleMesh): AttributedMesh =>
  from.attributes && made !== from ? { ...made, attributes: transferAttributes(from, from.attributes, made) } : made;

/** A posed body, which is where it is; what it is bound to is prepared as a wall. */
async function addPosed(
  world: World,
  posing: PosedBody,
  body: SceneBody,
  others: readonly PosedMotion[],
): Promise<PosedMember> {
  const { friction, restitution, group, collidesWith } = body;
  const { index, name, mesh, settings } = posing;
  try {
    // Only scenes with such bodies load it.
    const { createDeformer } = await import('../deformer/deformer.js');
    const motion = new PosedMotion(createDeformer(mesh, settings), posing, others);
    const added = world.add(prepare(mesh, posed()), { name, friction, restitution, group, collidesWith });
    added.pose((time) => motion.at(time));
    return { body: added, motion, maps: { ...settings?.maps } };
  } catch (error) {
    if (error instanceof RangeError || error instanceof MeshError)
      throw new SceneError(`bodies[${index}]`, error.message);
    throw error;
  }
}

/** Most keyframes of a collider that a node carries. */
const MOST_CARRIED = 10_000;

/** A collider as the world takes it. One that a node carries has a keyframe for each step until the node comes to rest. */
function makeCollider(collider: SceneCollider, open: OpenCollider, timeStep: number): ColliderOptions {
  const { press: _press, follow: _follow, ...others } = collider;
  const { mesh, scale, ...plain } = others as typeof others & { mesh?: unknown; scale?: unknown };
  const { carriedUntil } = open;
  const shape = open.at(0);
  const made = { ...plain, ...(shape.shape === 'mesh' && { mesh: shape.mesh }) } as ColliderOptions;
  if (carriedUntil === undefined) return made;
  const count = Math.min(MOST_CARRIED, Math.ceil(carriedUntil / timeStep) + 1);
  const motion = Array.from({ length: count }, (_, n) => {
    const { position, rotation } = open.at(n * timeStep);
    return { time: n * timeStep, position, rotation };
  });
  return { ...made, position: motion[0].position, rotation: motion[0].rotation, motion };
}

/** The vertices whose rest position lies in the box of a pin or an attachment. */
function selectHeld(held: SceneHeld, place: string, body: Body): number[] {
  const [low, high] = held.select.box;
  const { positions } = body.mesh;
  const selected = body.select(held.select);
  if (selected.length === 0) {
    const [lowest, highest] = boundsOf(positions);
    const extent = `${showValue([...lowest])} to ${showValue([...highest])}`;
    throw new SceneError(
      `${place}.select.box`,
      `expected a box with at least one vertex of ${showValue(held.body)} (at rest it spans ${extent}), got ${showValue(low)} to ${showValue(high)}`,
    );
  }
  return selected;
}
