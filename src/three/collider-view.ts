// Shows the obstacles of a world as lines, where they are.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Quaternion,
  SphereGeometry,
  Vector3,
  WireframeGeometry,
} from 'three';
import type { ColliderShape } from '../contact/obstacles/collider-shape.js';
import type { Quaternion as Turn } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';

/** A collider as far as it is shown. */
interface ShownCollider {
  readonly name: string;
  readonly shape: ColliderShape;
  readonly sensor: boolean;
  readonly position: Vec3;
  readonly rotation: Turn;
}

/** Colours of the lines. */
export interface ColliderViewOptions {
  readonly color?: number | string;
  /** Of sensors, which only report. */
  readonly sensorColor?: number | string;
}

/** Colours unless others are given. */
export const COLLIDER_VIEW_DEFAULTS = { color: 0x2a9d8f, sensorColor: 0xe9a23b };

/** Half of what is shown of a plane, which has no end [m], and its lines. */
const PLANE_REACH = 10;
const PLANE_LINES = 21;

/** Shows the colliders of a world, or of a world in a worker. Call `update` after the world has stepped. */
export class ColliderView extends Group {
  private readonly shown = new Map<ShownCollider, LineSegments<BufferGeometry, LineBasicMaterial>>();
  private readonly materials: Record<'solid' | 'sensor', LineBasicMaterial>;

  constructor(
    private readonly world: { readonly colliders: readonly ShownCollider[] },
    options: ColliderViewOptions = {},
  ) {
    super();
    const { color, sensorColor } = { ...COLLIDER_VIEW_DEFAULTS, ...options };
    this.materials = {
      solid: new LineBasicMaterial({ color }),
      sensor: new LineBasicMaterial({ color: sensorColor }),
    };
    this.update();
  }

  /** Follows the colliders, those that came and those that went. */
  update(): void {
    const present = new Set(this.world.colliders);
    for (const [collider, lines] of this.shown) {
      if (present.has(collider)) continue;
      this.shown.delete(collider);
      lines.removeFromParent();
      lines.geometry.dispose();
    }
    for (const collider of present) {
      const lines = this.shown.get(collider) ?? this.show(collider);
      lines.position.set(...(collider.position as [number, number, number]));
      lines.quaternion.set(...(collider.rotation as [number, number, number, number]));
    }
  }

  override dispose(): void {
    // Not every version of three.js that this works with has one.
    super.dispose?.();
    this.removeFromParent();
    for (const { geometry } of this.shown.values()) geometry.dispose();
    this.shown.clear();
    for (const material of Object.values(this.materials)) material.dispose();
    this.clear();
  }

  private show(collider: ShownCollider): LineSegments<BufferGeometry, LineBasicMaterial> {
    const lines = new LineSegments(linesOf(collider.shape), this.materials[collider.sensor ? 'sensor' : 'solid']);
    lines.name = collider.name;
    this.shown.set(collider, lines);
    this.add(lines);
    return lines;
  }
}

function linesOf(shape: ColliderShape): BufferGeometry {
  switch (shape.shape) {
    case 'box':
      return outline(new BoxGeometry(...(shape.size as [number, number, number])));
    case 'sphere':
      return new WireframeGeometry(new SphereGeometry(shape.radius, 16, 10));
    case 'capsule':
      return new WireframeGeometry(new CapsuleGeometry(shape.radius, shape.height - 2 * shape.radius, 4, 12));
    case 'cylinder':
      return outline(new CylinderGeometry(shape.radius, shape.radius, shape.height, 24));
    case 'glass':
      return join(
        outline(new CylinderGeometry(shape.radius, shape.radius, shape.height, 24, 1, true)),
        outline(new CylinderGeometry(shape.radius - shape.wall, shape.radius - shape.wall, shape.height, 24, 1, true)),
        // It stands on its origin.
      ).translate(0, 0.5 * shape.height, 0);
    case 'plane':
      return planeLines(shape.normal, shape.offset ?? 0);
    case 'mesh':
      return meshLines(shape.mesh.positions, shape.mesh.triangles);
    case 'heightfield':
      return heightLines(shape.heights, shape.size);
  }
}

const outline = (solid: BufferGeometry): BufferGeometry => new EdgesGeometry(solid, 10);

const fromPoints = (points: readonly number[]): BufferGeometry =>
  new BufferGeometry().setAttribute('position', new BufferAttribute(Float32Array.from(points), 3));

function join(...parts: readonly BufferGeometry[]): BufferGeometry {
  return fromPoints(parts.flatMap((part) => Array.from(part.getAttribute('position').array)));
}

function planeLines(normal: Vec3, offset: number): BufferGeometry {
  const points: number[] = [];
  for (let n = 0; n < PLANE_LINES; n++) {
    const at = PLANE_REACH * ((2 * n) / (PLANE_LINES - 1) - 1);
    points.push(at, 0, -PLANE_REACH, at, 0, PLANE_REACH, -PLANE_REACH, 0, at, PLANE_REACH, 0, at);
  }
  const length = Math.hypot(...normal);
  const up = new Vector3(...normal).divideScalar(length);
  return fromPoints(points)
    .applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up))
    .translate(...up.multiplyScalar(offset).toArray());
}

function meshLines(positions: ArrayLike<number>, triangles: ArrayLike<number>): BufferGeometry {
  const solid = fromPoints(Array.from(positions));
  solid.setIndex(Array.from(triangles));
  return new WireframeGeometry(solid);
}

function heightLines(heights: readonly (readonly number[])[], [width, length]: readonly [number, number]) {
  const points: number[] = [];
  const [rows, columns] = [heights.length, heights[0].length];
  const at = (i: number, j: number): number[] => [
    (i / (columns - 1) - 0.5) * width,
    heights[j][i],
    (j / (rows - 1) - 0.5) * length,
  ];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      if (i > 0) points.push(...at(i - 1, j), ...at(i, j));
      if (j > 0) points.push(...at(i, j - 1), ...at(i, j));
    }
  }
  return fromPoints(points);
}
