// Obstacles from objects of a scene: the level's own meshes, where they are, and wherever they go.

import { type BufferGeometry, Matrix4, type Mesh, type Object3D, Quaternion, Vector3 } from 'three';
import { COMMON_FIELDS, type ColliderOptions } from '../contact/obstacles/collider-options.js';
import type { ColliderShape } from '../contact/obstacles/collider-shape.js';
import { expectKnownFields } from '../math/known-fields.js';
import type { Quaternion as Turn } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';
import { weld } from '../mesh/weld.js';
import type { WorkerCollider } from '../worker/worker-collider.js';
import type { WorkerWorld } from '../worker/worker-world.js';
import type { Collider } from '../world/collider.js';
import type { World } from '../world/world.js';
import { findMeshes } from './find-meshes.js';
import { gridHeightsOf } from './grid-heights.js';
import { readPlainGeometry } from './plain-geometry.js';

/** How the colliders of an object touch. */
export type ColliderFromOptions = Pick<
  ColliderOptions,
  'name' | 'friction' | 'restitution' | 'group' | 'collidesWith' | 'sensor'
>;

const OPTIONS = COMMON_FIELDS.filter((name) => !['shape', 'position', 'rotation', 'motion'].includes(name));

/** Scales that differ by less than this share are the same. */
const SAME_SCALE = 1e-6;

/** What a collider is asked to do: `Collider`, or that of a world in a worker. */
interface MovableCollider {
  moveTo(position: Vec3, rotation?: Turn): void;
  readonly removed: boolean;
}

/** Where obstacles can be added: a `World` or a `WorkerWorld`. */
interface ColliderWorld<C> {
  addCollider(options: ColliderOptions): C;
  remove(collider: C): void;
}

/** A mesh as an obstacle: where it was last sent, and how the obstacle is turned against the mesh. */
interface MovingMesh {
  readonly mesh: Mesh;
  readonly turn: Quaternion;
  sent: { readonly position: Vec3; readonly rotation: Turn };
}

/** The obstacles of an object, one for each of its meshes. */
export class ObjectColliders<C extends MovableCollider = Collider> {
  private readonly pose = new Pose();

  constructor(
    private readonly world: ColliderWorld<C>,
    readonly colliders: readonly C[],
    private readonly meshes: readonly MovingMesh[],
  ) {}

  /** Takes the obstacles to where the meshes are now, during the next step; call it before `World.advance`. Scales stay as they were. */
  update(): void {
    this.meshes.forEach((moving, n) => {
      const { position, rotation } = this.pose.read(moving.mesh, moving.turn);
      const { sent } = moving;
      if (position.every((x, c) => x === sent.position[c]) && rotation.every((x, c) => x === sent.rotation[c])) return;
      if (this.colliders[n].removed) return;
      moving.sent = { position, rotation };
      this.colliders[n].moveTo(position, rotation);
    });
  }

  /** Takes the obstacles out of the world. */
  dispose(): void {
    for (const collider of this.colliders) if (!collider.removed) this.world.remove(collider);
  }
}

/**
 * Makes obstacles of all meshes below an object. Boxes, spheres, capsules and cylinders of three.js become what they are, a plane that was
 * raised to a landscape a heightfield, solid below; others their triangles, solid where these are closed and a sheet with two sides where
 * they are not.
 * @throws RangeError where there are no triangles.
 * @example
 * ```ts
 * const world = await createWorld();
 * const obstacles = colliderFrom(gltf.scene, world, { friction: 0.6 });
 * obstacles.update(); // before `advance`, where its meshes moved
 * ```
 */
export function colliderFrom(object: Object3D, world: World, options?: ColliderFromOptions): ObjectColliders;
export function colliderFrom(
  object: Object3D,
  world: WorkerWorld,
  options?: ColliderFromOptions,
): ObjectColliders<WorkerCollider>;
export function colliderFrom(
  object: Object3D,
  world: World | WorkerWorld,
  options: ColliderFromOptions = {},
): ObjectColliders | ObjectColliders<WorkerCollider> {
  return makeColliders(object, world as ColliderWorld<Collider>, options);
}

function makeColliders<C extends MovableCollider>(
  object: Object3D,
  world: ColliderWorld<C>,
  options: ColliderFromOptions,
): ObjectColliders<C> {
  expectKnownFields('colliderFrom', options, OPTIONS);
  const meshes = findMeshes(object).filter(({ geometry }) => (geometry.getAttribute('position')?.count ?? 0) > 0);
  if (meshes.length === 0) throw new RangeError('object: expected a mesh with triangles, got none');
  const pose = new Pose();
  const given = meshes.map((mesh) => {
    pose.read(mesh);
    const name = options.name ?? (mesh.name || object.name || undefined);
    const primitive = primitiveOf(mesh, pose.scale);
    const grid = primitive ? undefined : gridHeightsOf(mesh, pose.scale);
    const shape = primitive ?? grid?.shape ?? trianglesOf(mesh, pose);
    const turn = grid?.turn ?? new Quaternion();
    const placed = pose.read(mesh, turn);
    return { collider: { ...options, name, ...placed, ...shape }, moving: { mesh, turn, sent: placed } };
  });
  const colliders: C[] = [];
  try {
    for (const { collider } of given) colliders.push(world.addCollider(collider as ColliderOptions));
  } catch (error) {
    for (const collider of colliders) world.remove(collider);
    throw error;
  }
  return new ObjectColliders(
    world,
    colliders,
    given.map(({ moving }) => moving),
  );
}

/** Where a mesh is in the world, and how large. */
class Pose {
  readonly scale = new Vector3();
  private readonly position = new Vector3();
  private readonly turned = new Quaternion();
  private readonly whole = new Quaternion();

  /** @param turn how what is asked about is turned against the mesh. */
  read(mesh: Mesh, turn?: Quaternion) {
    mesh.updateWorldMatrix(true, false);
    mesh.matrixWorld.decompose(this.position, this.turned, this.scale);
    const { x, y, z, w } = turn ? this.whole.multiplyQuaternions(this.turned, turn) : this.turned;
    const { position: p } = this;
    return { position: [p.x, p.y, p.z] as const, rotation: [x, y, z, w] as const };
  }

  /** From the world to the frame of the obstacle. */
  get inverse(): Matrix4 {
    return new Matrix4().compose(this.position, this.turned, new Vector3(1, 1, 1)).invert();
  }
}

const same = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_SCALE * Math.max(Math.abs(a), Math.abs(b));

/** Shapes of three.js that are formulas here; undefined where they are not whole, scaled out of it, or were changed after they were made. */
function primitiveOf({ geometry, matrixWorld }: Mesh, scale: Vector3): ColliderShape | undefined {
  const { type, parameters } = geometry as BufferGeometry & { readonly parameters?: Readonly<Record<string, number>> };
  const [x, y, z] = [scale.x, scale.y, scale.z].map(Math.abs);
  const isSheared = !same(Math.abs(matrixWorld.determinant()), x * y * z);
  if (!parameters || isSheared) return undefined;
  const { radius, width, depth, radiusTop, radiusBottom, phiLength = FULL, thetaLength } = parameters;
  // The straight part of a capsule was once called length.
  const height = parameters.height ?? parameters.length;
  if (type === 'BoxGeometry' && fillsBox(geometry, [width, height, depth])) {
    return { shape: 'box', size: [x * width, y * height, z * depth] };
  }
  const isRound = same(x, z);
  const isEven = isRound && same(x, y);
  const isWhole = same(phiLength, FULL) && same(thetaLength ?? FULL / 2, FULL / 2);
  if (type === 'SphereGeometry' && isEven && isWhole && fillsRound(geometry, radius, 2 * radius)) {
    return { shape: 'sphere', radius: x * radius };
  }
  if (type === 'CapsuleGeometry' && isEven && fillsRound(geometry, radius, height + 2 * radius)) {
    return { shape: 'capsule', radius: x * radius, height: x * (height + 2 * radius) };
  }
  const isStraight = radiusTop === radiusBottom && same(thetaLength ?? FULL, FULL);
  if (type === 'CylinderGeometry' && isRound && isStraight && fillsRound(geometry, radiusTop, height)) {
    return { shape: 'cylinder', radius: x * radiusTop, height: y * height };
  }
  return undefined;
}

const FULL = 2 * Math.PI;

/** Whether a geometry reaches just as far as a box about the origin. */
function fillsBox(geometry: BufferGeometry, size: readonly number[]): boolean {
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox as NonNullable<BufferGeometry['boundingBox']>;
  const corners = [min, max].map((corner) => corner.toArray());
  return size.every((edge, c) => same(corners[1][c], 0.5 * edge) && same(corners[0][c], -0.5 * edge));
}

/** The same of a shape about the Y axis: a polygon with corners on its circle, of which some rows may lie further in. */
function fillsRound(geometry: BufferGeometry, radius: number, height: number): boolean {
  const position = geometry.getAttribute('position');
  let [widest, lowest, highest] = [0, Infinity, -Infinity];
  for (let i = 0; i < position.count; i++) {
    widest = Math.max(widest, Math.sqrt(position.getX(i) ** 2 + position.getZ(i) ** 2));
    lowest = Math.min(lowest, position.getY(i));
    highest = Math.max(highest, position.getY(i));
  }
  const isWide = widest > 0.8 * radius && widest < (1 + SAME_SCALE) * radius;
  return isWide && same(highest, 0.5 * height) && same(lowest, -0.5 * height);
}

function trianglesOf(mesh: Mesh, pose: Pose): ColliderShape {
  const plain = readPlainGeometry(mesh);
  const positions = new Float64Array(plain.positions.length);
  const point = new Vector3();
  const { inverse } = pose;
  for (let k = 0; k < positions.length; k += 3) {
    point.fromArray(plain.positions, k).applyMatrix4(inverse).toArray(positions, k);
  }
  // Along seams of texture coordinates vertices are in one place.
  return { shape: 'mesh', mesh: weld({ positions, triangles: plain.triangles }).mesh };
}
