// A collider of one frame as the solver asks it: signed distance and normal at points of the body's own frame, in half sizes.

import { Heightfield } from '../contact/obstacles/heightfield.js';
import { MeshObstacle } from '../contact/obstacles/mesh-obstacle.js';
import { measureDistance, type PrimitiveShape } from '../contact/obstacles/shapes.js';
import type { SurfacePoint } from '../contact/obstacles/surface-point.js';
import { IDENTITY, normalizeQuaternion, writeMatrix } from '../math/quaternion.js';
import { dot, normalize, scale as scaleVector, subtract, type Vec3 } from '../math/vec3.js';
import { boundsOf } from '../mesh/measure.js';
import type { Bounds, TriangleMesh } from '../mesh/triangle-mesh.js';
import { closestPoint } from '../mesh/triangle-tree.js';
import type { DeformerCollider } from './collider-settings.js';
import { type ObjectFrame, turnToOwn } from './object-frame.js';

/**
 * Distance beyond which a mesh answers with its box's, in half sizes: nothing here asks for the nearest point farther away than the
 * band in which the finish lets vertices move.
 */
const FAR = 0.2;
/** Share of a mesh's size below which the way to its nearest point is rounding, and the triangle's own normal is taken. */
const ON_SURFACE = 1e-9;

type Measure = (x: number, y: number, z: number, out: SurfacePoint) => void;

export class FrameCollider {
  readonly name: string;
  /** Whether the shape has an inside: a mesh with a border has not. */
  readonly isClosed: boolean = true;
  readonly sweep: boolean;
  readonly inside: boolean;
  /** The way given by the user, from the collider's front backwards, in the body's frame: against this vertices leave it. */
  readonly given: Vec3 | undefined;
  /** Vertices that pass through it. */
  readonly ignores: readonly number[];
  /** The normal of a half-space in the body's frame: it is the same everywhere. */
  readonly flatNormal: Vec3 | undefined;
  /** How far the body's origin is in front of a half-space's plane, with its margin [half sizes]. */
  private readonly flatOffset: number = 0;
  /** Middle of a ball in the body's frame, and its radius with the margin [half sizes]: these two shapes need no turning there and back. */
  private readonly middle: Vec3 | undefined;
  private readonly radius: number = 0;
  private readonly measureShape: Measure;
  private readonly margin: number;
  /** From the body's frame to the shape's: turned, scaled, and moved by where the body's origin is there [m]. */
  private readonly turn = new Float64Array(9);
  private readonly scale: number;
  private readonly origin: Vec3;

  constructor(collider: DeformerCollider, frame: ObjectFrame) {
    const { direction = 'auto' } = collider;
    this.name = collider.name ?? collider.shape;
    this.sweep = collider.sweep ?? false;
    this.inside = collider.inside ?? false;
    this.given = direction === 'auto' ? undefined : turnToOwn(frame, scaleVector(normalize(direction), -1));
    this.ignores = collider.ignores ?? [];
    this.margin = collider.margin ?? 0;
    this.scale = frame.scale;
    const q = new Float64Array(9);
    writeMatrix(normalizeQuaternion(collider.rotation ?? IDENTITY), q);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        for (let k = 0; k < 3; k++) this.turn[3 * i + j] += q[3 * k + i] * frame.rotation[3 * k + j];
      }
    }
    const [dx, dy, dz] = subtract(frame.centre, collider.position ?? [0, 0, 0]);
    this.origin = [
      q[0] * dx + q[3] * dy + q[6] * dz,
      q[1] * dx + q[4] * dy + q[7] * dz,
      q[2] * dx + q[5] * dy + q[8] * dz,
    ];
    if (collider.shape === 'mesh') {
      const { obstacle, bounds } = obstacleOf(collider.mesh);
      this.isClosed = obstacle.isClosed;
      this.measureShape = measureMesh(obstacle, bounds, FAR * frame.scale + this.margin);
    } else if (collider.shape === 'heightfield') {
      const field = new Heightfield(collider);
      this.measureShape = (x, y, z, out) => field.measure(x, y, z, out);
    } else {
      const shape: PrimitiveShape = collider;
      this.measureShape = (x, y, z, out) => measureDistance(shape, x, y, z, out);
    }
    if (collider.shape === 'plane') {
      const normal = normalize(collider.normal);
      this.flatNormal = this.turnBack(normal);
      this.flatOffset = (dot(normal, this.origin) - (collider.offset ?? 0) - this.margin) / this.scale;
    } else if (collider.shape === 'sphere') {
      this.middle = scaleVector(this.turnBack(this.origin), -1 / this.scale);
      this.radius = (collider.radius + this.margin) / this.scale;
    }
  }

  /** Writes middle and radius where it is a ball; false where it is none. */
  writeBall(out: Float64Array): boolean {
    if (!this.middle) return false;
    out.set(this.middle);
    out[3] = this.radius;
    return true;
  }

  /** A direction of the shape's frame in the body's. */
  private turnBack([x, y, z]: Vec3): Vec3 {
    const { turn: t } = this;
    return [t[0] * x + t[3] * y + t[6] * z, t[1] * x + t[4] * y + t[7] * z, t[2] * x + t[5] * y + t[8] * z];
  }

  /** Signed distance [half sizes] to the shape and its margin, and the normal. */
  measure(x: number, y: number, z: number, out: SurfacePoint): void {
    const { turn: t, origin, scale, flatNormal, middle } = this;
    if (flatNormal) {
      out.nx = flatNormal[0];
      out.ny = flatNormal[1];
      out.nz = flatNormal[2];
      out.distance = out.nx * x + out.ny * y + out.nz * z + this.flatOffset;
      return;
    }
    if (middle) {
      const dx = x - middle[0];
      const dy = y - middle[1];
      const dz = z - middle[2];
      const apart = Math.sqrt(dx * dx + dy * dy + dz * dz);
      out.distance = apart - this.radius;
      if (apart > 0) {
        out.nx = dx / apart;
        out.ny = dy / apart;
        out.nz = dz / apart;
        return;
      }
    }
    this.measureShape(
      scale * (t[0] * x + t[1] * y + t[2] * z) + origin[0],
      scale * (t[3] * x + t[4] * y + t[5] * z) + origin[1],
      scale * (t[6] * x + t[7] * y + t[8] * z) + origin[2],
      out,
    );
    out.distance = (out.distance - this.margin) / scale;
    const { nx, ny, nz } = out;
    out.nx = t[0] * nx + t[3] * ny + t[6] * nz;
    out.ny = t[1] * nx + t[4] * ny + t[7] * nz;
    out.nz = t[2] * nx + t[5] * ny + t[8] * nz;
  }
}

interface KnownObstacle {
  readonly obstacle: MeshObstacle;
  readonly bounds: Bounds;
}

/** Meshes are never written to, so a mesh that collides in many frames is prepared once. */
const known = new WeakMap<TriangleMesh, KnownObstacle>();

export function obstacleOf(mesh: TriangleMesh): KnownObstacle {
  let found = known.get(mesh);
  if (!found) {
    found = { obstacle: new MeshObstacle(mesh), bounds: boundsOf(mesh.positions) };
    known.set(mesh, found);
  }
  return found;
}

/** Obstacles of a world are asked near their surface only; here the nearest point counts outside of the mesh's box as well. */
function measureMesh(obstacle: MeshObstacle, [low, high]: Bounds, far: number): Measure {
  const { tree, normals, thickness } = obstacle;
  return (x, y, z, out) => {
    const dx = x - Math.max(low[0], Math.min(high[0], x));
    const dy = y - Math.max(low[1], Math.min(high[1], y));
    const dz = z - Math.max(low[2], Math.min(high[2], z));
    const apart = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (apart > far) {
      out.distance = apart - thickness;
      out.nx = dx / apart;
      out.ny = dy / apart;
      out.nz = dz / apart;
      return;
    }
    if (apart === 0) {
      obstacle.measure(x, y, z, out);
      if (Math.abs(out.distance + thickness) > ON_SURFACE * obstacle.size) return;
    }
    const nearest = closestPoint(tree, [x, y, z]);
    if (!nearest) throw new RangeError('collider.mesh: expected at least one finite triangle');
    const { distance, point, triangle } = nearest;
    if (apart > 0) out.distance = distance - thickness;
    if (distance > ON_SURFACE * obstacle.size) {
      out.nx = (x - point[0]) / distance;
      out.ny = (y - point[1]) / distance;
      out.nz = (z - point[2]) / distance;
    } else {
      out.nx = normals[3 * triangle];
      out.ny = normals[3 * triangle + 1];
      out.nz = normals[3 * triangle + 2];
    }
  };
}
