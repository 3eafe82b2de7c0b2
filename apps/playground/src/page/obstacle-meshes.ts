// The obstacles as meshes: solid ones matt, those that bodies are seen through as glass.

import type { WorkerWorld } from 'isochore/worker';
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  EdgesGeometry,
  Group,
  LatheGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import type { ObstacleInfo } from '../protocol.js';
import type { StageColours } from './palette.js';

export class ObstacleMeshes {
  readonly group = new Group();
  /** One for each obstacle; a floor has none. */
  readonly meshes: (Mesh | undefined)[];
  private readonly solid = new MeshStandardMaterial({ roughness: 0.9, side: DoubleSide });
  private readonly glass = new MeshStandardMaterial({
    ...{ roughness: 0.12, transparent: true, opacity: 0.17, depthWrite: false, side: DoubleSide },
  });
  private readonly edge = new LineBasicMaterial({ transparent: true, opacity: 0.35 });

  constructor(readonly obstacles: readonly ObstacleInfo[]) {
    this.meshes = obstacles.map((obstacle, index) => {
      const geometry = makeGeometry(obstacle);
      if (!geometry) return undefined;
      const clear = isClear(obstacle);
      const mesh = new Mesh(geometry, clear ? this.glass : this.solid);
      mesh.castShadow = !clear;
      mesh.receiveShadow = !clear;
      mesh.renderOrder = clear ? 2 : 0;
      mesh.userData.obstacle = index;
      if (clear && obstacle.shape === 'box') mesh.add(new LineSegments(new EdgesGeometry(geometry), this.edge));
      this.group.add(mesh);
      return mesh;
    });
  }

  setColours({ obstacle, line }: StageColours): void {
    this.solid.color = new Color(obstacle);
    this.glass.color = new Color(obstacle).lerp(new Color(0xbfe0f2), 0.6);
    this.edge.color = new Color(line);
  }

  /** Where each is. */
  place(poses: WorkerWorld['colliders']): void {
    this.meshes.forEach((mesh, index) => {
      if (!mesh || !poses[index]) return;
      mesh.position.set(...poses[index].position);
      mesh.quaternion.set(...poses[index].rotation);
      // The pointer looks for it before it is drawn.
      mesh.updateMatrixWorld();
    });
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh?.geometry.dispose();
      for (const child of mesh?.children ?? []) (child as LineSegments).geometry.dispose();
    }
    for (const material of [this.solid, this.glass, this.edge]) material.dispose();
  }
}

/** Those that the user may take hold of: they move by themselves, or were put there by the user. */
export const isMovable = ({ shape, motion, name }: ObstacleInfo): boolean =>
  shape !== 'plane' && (motion.length > 0 || name === 'press' || shape === 'sphere');

/** Plates that come down and glasses: what happens behind them is the point. */
const isClear = (obstacle: ObstacleInfo): boolean =>
  obstacle.shape === 'glass' ||
  (obstacle.shape === 'box' && (obstacle.motion.length > 0 || obstacle.name === 'press')) ||
  /^wall/.test(obstacle.name ?? '');

function makeGeometry(obstacle: ObstacleInfo): BufferGeometry | undefined {
  switch (obstacle.shape) {
    case 'plane': {
      const normal = new Vector3(...obstacle.normal).normalize();
      // A level floor is the stage's own.
      if (normal.y > 0.999) return undefined;
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
      const offset = normal.clone().multiplyScalar(obstacle.offset);
      return new PlaneGeometry(30, 30).applyQuaternion(turn).translate(offset.x, offset.y, offset.z);
    }
    case 'box':
      return new BoxGeometry(...obstacle.size);
    case 'sphere':
      return new SphereGeometry(obstacle.radius, 48, 32);
    case 'capsule':
      return new CapsuleGeometry(obstacle.radius, obstacle.height - 2 * obstacle.radius, 12, 32);
    case 'cylinder':
      return new CylinderGeometry(obstacle.radius, obstacle.radius, obstacle.height, 64);
    case 'glass': {
      const { radius, height, wall } = obstacle;
      const outline = [
        [0, 0],
        [radius, 0],
        [radius, height],
        [radius - wall, height],
        [radius - wall, wall],
        [0, wall],
      ];
      return new LatheGeometry(
        outline.map(([x, y]) => new Vector2(x, y)),
        96,
      );
    }
    case 'mesh':
      return obstacle.surface ? surfaceGeometry(obstacle.surface.positions, obstacle.surface.triangles) : undefined;
    case 'heightfield':
      return heightfieldGeometry(obstacle.heights, obstacle.size);
  }
}

function surfaceGeometry(positions: Float32Array, triangles: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(triangles, 1));
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Rows along x, one for each step along z. */
function heightfieldGeometry(heights: readonly (readonly number[])[], size: readonly number[]): BufferGeometry {
  const [rows, columns] = [heights.length, heights[0].length];
  const positions = heights.flatMap((row, r) =>
    row.flatMap((y, c) => [size[0] * (c / (columns - 1) - 0.5), y, size[1] * (r / (rows - 1) - 0.5)]),
  );
  const triangles: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const a = r * columns + c;
      triangles.push(a, a + columns, a + 1, a + 1, a + columns, a + columns + 1);
    }
  }
  return surfaceGeometry(Float32Array.from(positions), Uint32Array.from(triangles));
}
