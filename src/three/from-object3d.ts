// Makes a loaded three.js object soft: its triangles become bodies of a world, its meshes follow them with their own
// materials and texture coordinates.

import { Group, type Material, type Mesh, type Object3D } from 'three';
import { expectKnownFields } from '../math/known-fields.js';
import { meanEdgeLength } from '../mesh/measure.js';
import { makeSimulatable, type SimulatableOptions } from '../mesh/repair/make-simulatable.js';
import type { RepairStep } from '../mesh/repair/repair-report.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { defaultSolver } from '../solvers/built-in.js';
import { prepare } from '../solvers/prepare.js';
import type { Solver } from '../solvers/solver.js';
import type { Body } from '../world/body.js';
import { BODY_OPTIONS, type BodyOptions } from '../world/body-options.js';
import type { World } from '../world/world.js';
import { findMeshes } from './find-meshes.js';
import { type PlainGeometry, readPlainGeometry, selectTriangles, toBufferGeometry } from './plain-geometry.js';
import { refineGeometry } from './refine-geometry.js';
import { SoftMesh } from './soft-mesh.js';

export interface FromObject3DOptions extends SimulatableOptions, Omit<BodyOptions, 'position' | 'rotation'> {
  readonly solver?: Solver;
  /** Whether visible triangles that are too large to bend with the simulation are split. */
  readonly refine?: boolean;
}

export const FROM_OBJECT3D_DEFAULTS = {
  /** Particles in all. */
  vertices: 1000,
  refine: true,
  /** Regions of a third of the body. */
  regionRadius: 0.3,
};

const OPTIONS = [
  ...['solver', 'refine', 'vertices', 'parts', 'weldTolerance'],
  ...BODY_OPTIONS.filter((name) => name !== 'position' && name !== 'rotation'),
];

/** Visible edges may be this many times as long as those of the simulation. */
const LONGEST_EDGE = 1.5;

/** A group of soft meshes in world coordinates, and the bodies that they follow. Do not move, turn or scale it: the bodies say where it is. */
export class SoftObject extends Group {
  constructor(
    private readonly world: World,
    readonly bodies: readonly Body[],
    readonly meshes: readonly SoftMesh<Material | Material[]>[],
    /** What was done to the triangles to make bodies of them. */
    readonly steps: readonly RepairStep[],
  ) {
    super();
    for (const mesh of meshes) this.add(mesh);
  }

  /** Shows the bodies as they are now, as `SoftMesh.update` does; true always takes `interpolated`, false `positions`. */
  update(interpolated?: boolean): void {
    for (const mesh of this.meshes) {
      const { interpolated: between, positions } = mesh.source as Body;
      mesh.update(interpolated === undefined ? undefined : interpolated ? between : positions);
    }
  }

  /** Takes the bodies out of the world and the meshes out of the scene, and frees them; materials stay. */
  override dispose(): void {
    // Not every version that this works with has one.
    super.dispose?.();
    this.removeFromParent();
    for (const mesh of this.meshes) mesh.dispose();
    for (const body of this.bodies) this.world.remove(body);
  }
}

/**
 * Makes soft bodies of all triangle meshes below an object, where they are in the world and in the pose they have, and meshes
 * that look like them. The object itself is not changed: take it out of the scene. Instanced meshes are left out.
 * @throws RangeError where there are no triangles, RepairError where no body can be made of them.
 */
export async function fromObject3D(
  object: Object3D,
  world: World,
  options: FromObject3DOptions = {},
): Promise<SoftObject> {
  const { solver, refine = FROM_OBJECT3D_DEFAULTS.refine, vertices, parts, weldTolerance, ...bodyOptions } = options;
  expectKnownFields('fromObject3D', options, OPTIONS);
  const sources = findMeshes(object);
  const plains = sources.map(readPlainGeometry);
  const soup = joinTriangles(plains);
  if (soup.triangles.length === 0) throw new RangeError('object: expected a mesh with triangles, got none');
  const simulatable = await makeSimulatable(soup, {
    vertices: vertices ?? FROM_OBJECT3D_DEFAULTS.vertices,
    parts,
    weldTolerance,
  });
  const chosen = solver ?? defaultSolver({ regionRadius: FROM_OBJECT3D_DEFAULTS.regionRadius });
  // All are prepared before any is added: where one is refused, the world stays as it was.
  const prepared = simulatable.bodies.map(({ mesh }) => prepare(mesh, chosen));
  const name = bodyOptions.name ?? object.name;
  const bodies = prepared.map((body, n) =>
    world.add(body, { ...bodyOptions, name: prepared.length > 1 ? `${name} ${n + 1}` : name }),
  );
  const meshes: SoftMesh<Material | Material[]>[] = [];
  let firstVertex = 0;
  sources.forEach((source, n) => {
    const plain = plains[n];
    const owners = simulatable.bodyOfVertex.subarray(firstVertex, firstVertex + plain.positions.length / 3);
    firstVertex += owners.length;
    bodies.forEach((body, b) => {
      const own = selectTriangles(plain, (t) => owners[plain.triangles[3 * t]] === b);
      if (own.triangles.length === 0) return;
      const shown = refine ? refineGeometry(own, LONGEST_EDGE * meanEdgeLength(body.mesh)) : own;
      const mesh = new SoftMesh(body, source.material as Material | Material[], { geometry: toBufferGeometry(shown) });
      meshes.push(copyLook(source, mesh));
    });
  });
  return new SoftObject(world, bodies, meshes, simulatable.steps);
}

function joinTriangles(plains: readonly PlainGeometry[]): TriangleMesh {
  const positions = new Float64Array(plains.reduce((sum, plain) => sum + plain.positions.length, 0));
  const triangles = new Uint32Array(plains.reduce((sum, plain) => sum + plain.triangles.length, 0));
  let [at, corner] = [0, 0];
  for (const plain of plains) {
    positions.set(plain.positions, at);
    for (const vertex of plain.triangles) triangles[corner++] = vertex + at / 3;
    at += plain.positions.length;
  }
  return { positions, triangles };
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
