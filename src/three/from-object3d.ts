// Makes a loaded three.js object soft: its triangles become bodies of a world, its meshes follow them with their own
// materials and texture coordinates.

import { Group, type Material, Matrix4, type Mesh, type Object3D, Quaternion as Turn, Vector3 } from 'three';
import { expectKnownFields } from '../math/known-fields.js';
import type { Quaternion } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';
import type { SimulatableOptions } from '../mesh/repair/make-simulatable.js';
import type { RepairStep } from '../mesh/repair/repair-report.js';
import type { Prepared } from '../solvers/solver.js';
import type { WorkerBody } from '../worker/worker-body.js';
import type { WorkerPrepared } from '../worker/worker-prepared.js';
import type { WorkerWorld } from '../worker/worker-world.js';
import type { Body } from '../world/body.js';
import { BODY_OPTIONS, type BodyOptions } from '../world/body-options.js';
import type { World } from '../world/world.js';
import { findMeshes } from './find-meshes.js';
import { SoftMesh } from './soft-mesh.js';
import { MAKER, MODEL_DEFAULTS, type ModelMaker, type ModelOptions, softModel } from './soft-model.js';

/** How bodies are made of a model. */
export interface FromObject3DOptions
  extends ModelOptions,
    SimulatableOptions,
    Omit<BodyOptions, 'position' | 'rotation'> {}

/** Options of `fromObject3D` where none are given. */
export const FROM_OBJECT3D_DEFAULTS = MODEL_DEFAULTS;

const OPTIONS = [
  ...['solver', 'refine', 'vertices', 'parts', 'weldTolerance'],
  ...BODY_OPTIONS.filter((name) => name !== 'position' && name !== 'rotation'),
];

/** A group of soft meshes in world coordinates, and the bodies that they follow. Do not move, turn or scale it: the bodies say where it is. */
export class SoftObject<B extends Body | WorkerBody = Body> extends Group {
  constructor(
    private readonly world: { remove(body: B): void },
    readonly bodies: readonly B[],
    readonly meshes: readonly SoftMesh<Material | Material[]>[],
    /** What each of the meshes was made of. */
    readonly sources: readonly Mesh[],
    /** What was done to the triangles to make bodies of them. */
    readonly steps: readonly RepairStep[],
    /** Makes another one, where this was made. */
    private readonly again: () => SoftObject<B>,
  ) {
    super();
    for (const mesh of meshes) this.add(mesh);
  }

  /** Shows the bodies as they are now, as `SoftMesh.update` does. */
  update(): void {
    for (const mesh of this.meshes) mesh.update();
  }

  /** Another one with bodies of its own in the same world, in the place where this one was made: `teleport` its bodies away. */
  override clone(): this {
    return this.again() as this;
  }

  /** Takes the bodies out of the world and the meshes out of the scene, and frees them; materials stay. */
  override dispose(): void {
    // Not every version that this works with has one.
    super.dispose?.();
    this.removeFromParent();
    for (const mesh of this.meshes) mesh.dispose();
    for (const body of this.bodies) if (!body.removed) this.world.remove(body);
  }
}

/**
 * Makes soft bodies of all triangle meshes below an object, where they are in the world and in the pose they have, and meshes
 * that look like them. The object itself is not changed: take it out of the scene. Instanced meshes are left out. What is prepared is kept
 * for as long as its geometries live: the same model again, here or elsewhere, is a matter of milliseconds. In a world in a worker all of
 * the slow part is done there.
 * @throws RangeError where there are no triangles, RepairError where no body can be made of them.
 * @example
 * ```ts
 * const world = await createWorld();
 * const toy = await fromObject3D(gltf.scene, world, { vertices: 300 });
 * scene.add(toy);
 * world.advance(1 / 60);
 * toy.update();
 * ```
 */
export function fromObject3D(object: Object3D, world: World, options?: FromObject3DOptions): Promise<SoftObject>;
export function fromObject3D(
  object: Object3D,
  world: WorkerWorld,
  options?: FromObject3DOptions,
): Promise<SoftObject<WorkerBody>>;
export function fromObject3D(
  object: Object3D,
  world: World | WorkerWorld,
  options: FromObject3DOptions = {},
): Promise<SoftObject<Body> | SoftObject<WorkerBody>> {
  // A world in a worker mends and prepares there.
  return 'makeSimulatable' in world
    ? makeSoft<WorkerPrepared, WorkerBody>(object, world, world, options)
    : makeSoft<Prepared, Body>(object, world, MAKER, options);
}

/** What a soft object needs of its world. */
interface SoftHome<P, B> {
  add(prepared: P, options: BodyOptions): B;
  remove(body: B): void;
}

async function makeSoft<P extends { readonly mesh: Prepared['mesh'] }, B extends Body | WorkerBody>(
  object: Object3D,
  world: SoftHome<P, B>,
  maker: ModelMaker<P>,
  options: FromObject3DOptions,
): Promise<SoftObject<B>> {
  const { solver, refine, vertices, parts, weldTolerance, ...bodyOptions } = options;
  expectKnownFields('fromObject3D', options, OPTIONS);
  const sources = findMeshes(object);
  const frame = new Frame(object);
  const model = await softModel(sources, frame.inverse, { solver, refine, vertices, parts, weldTolerance }, maker);
  const { name = object.name } = bodyOptions;
  const looks = sources.map((source) => ({ source, material: source.material as Material | Material[] }));
  const make = (): SoftObject<B> => {
    const bodies = model.prepared.map((prepared, n) =>
      world.add(prepared, {
        ...{ ...bodyOptions, position: frame.position, rotation: frame.rotation },
        name: model.prepared.length > 1 ? `${name} ${n + 1}` : name,
      }),
    );
    const meshes = model.shown.map(({ source, body, geometry }) =>
      copyLook(looks[source].source, new SoftMesh(bodies[body], looks[source].material, { geometry })),
    );
    const shownOf = model.shown.map(({ source }) => sources[source]);
    return new SoftObject(world, bodies, meshes, shownOf, model.steps, make);
  };
  return make();
}

/** Where an object is in the world, its size apart. */
class Frame {
  readonly position: Vec3;
  readonly rotation: Quaternion;
  /** From the world to the frame. */
  readonly inverse: Matrix4;

  constructor({ matrixWorld }: Object3D) {
    const [position, turned, scale] = [new Vector3(), new Turn(), new Vector3()];
    matrixWorld.decompose(position, turned, scale);
    this.position = [position.x, position.y, position.z];
    this.rotation = [turned.x, turned.y, turned.z, turned.w];
    this.inverse = new Matrix4().compose(position, turned, scale.set(1, 1, 1)).invert();
  }
}

function copyLook<T extends Mesh>(from: Mesh, to: T): T {
  to.name = from.name;
  to.visible = from.visible;
  to.castShadow = from.castShadow;
  to.receiveShadow = from.receiveShadow;
  to.renderOrder = from.renderOrder;
  to.layers.mask = from.layers.mask;
  to.userData = { ...from.userData };
  return to;
}
