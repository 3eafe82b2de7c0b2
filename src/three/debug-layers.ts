// What a debug view can show of a body: each layer is an object of three.js over the simulation mesh's own vertices.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  LineBasicMaterial,
  type LineBasicMaterialParameters,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Points,
  PointsMaterial,
} from 'three';
import type { BodyInspection } from '../backends/backend.js';
import { buildAdjacency } from '../mesh/adjacency.js';
import { meanEdgeLength } from '../mesh/measure.js';
import type { Prepared } from '../solvers/solver.js';
import { writeSmoothNormals } from './smooth-normals.js';
import type { SoftSource } from './soft-source.js';

/** A body, or a proxy that can tell as much of it as is to be shown. */
export interface DebugSource extends SoftSource {
  /** For paths and regions. */
  readonly prepared?: Prepared;
  /** For volume weights and contacts. */
  inspect?(): BodyInspection;
}

export interface DebugLayer {
  readonly object: Object3D;
  /** Called when positions have changed. */
  update(positions: Float32Array): void;
}

/** Points of the view's plane [px]. */
const POINT_SIZE = 6;
/** Hues of neighbours in a list differ most when each is this share of a turn from the last: the golden section. */
const HUE_STEP = 0.618034;
/** Green: most bodies have few paths, and contacts are red. */
const FIRST_HUE = 1 / 3;
/** Normals are drawn this many edges long. */
const NORMAL_LENGTH = 0.7;

/** Lines along edges are drawn this share of the depth nearer, or the surface's own rounding would hide half of them. */
const LIFT = 2e-4;

/** A material for lines on the surface. */
function lineMaterial(parameters: LineBasicMaterialParameters): LineBasicMaterial {
  const material = new LineBasicMaterial(parameters);
  material.onBeforeCompile = (shader) => {
    const lifted = `#include <project_vertex>\n  gl_Position.z -= ${LIFT} * gl_Position.w;`;
    shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', lifted);
  };
  return material;
}

const NOTHING = (): void => {};

/** A geometry over the view's shared positions. */
function geometryOver(position: BufferAttribute, index: ArrayLike<number>): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', position);
  geometry.setIndex(new BufferAttribute(Uint32Array.from(index), 1));
  return geometry;
}

/** All edges. */
export function wireLayer(source: DebugSource, position: BufferAttribute): DebugLayer {
  const { edgeVertices } = buildAdjacency(source.mesh);
  const material = lineMaterial({ color: 0x1d3557, transparent: true, opacity: 0.35 });
  return { object: new LineSegments(geometryOver(position, edgeVertices), material), update: NOTHING };
}

/** The paths along which sums are taken, each in a colour of its own. */
export function pathsLayer(source: DebugSource, position: BufferAttribute): DebugLayer {
  const lines: number[] = [];
  const colours = new Float32Array(source.mesh.positions.length);
  const colour = new Color();
  source.prepared?.structure?.paths().forEach((path, n) => {
    colour.setHSL((FIRST_HUE + n * HUE_STEP) % 1, 1, 0.5);
    path.forEach((vertex, place) => {
      colour.toArray(colours, 3 * vertex);
      if (place > 0) lines.push(path[place - 1], vertex);
    });
  });
  const geometry = geometryOver(position, lines);
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  const object = new LineSegments(geometry, lineMaterial({ vertexColors: true }));
  // Over the edges, which they run along.
  object.renderOrder = 1;
  return { object, update: NOTHING };
}

/** The particles of one region, that of a vertex of the mesh. */
export function regionLayer(source: DebugSource, position: BufferAttribute, vertex: number): DebugLayer {
  const members = source.prepared?.structure?.regionOf(vertex) ?? [];
  const material = new PointsMaterial({ color: 0xe76f51, size: POINT_SIZE, sizeAttenuation: false });
  return { object: new Points(geometryOver(position, members), material), update: NOTHING };
}

/** How much each particle takes part in keeping the volume: from blue for nothing over green to red for the most. */
export function weightsLayer(source: DebugSource, position: BufferAttribute): DebugLayer {
  const geometry = geometryOver(position, source.mesh.triangles);
  const colours = new BufferAttribute(new Float32Array(source.mesh.positions.length), 3).setUsage(DynamicDrawUsage);
  geometry.setAttribute('color', colours);
  const material = new MeshBasicMaterial({
    vertexColors: true,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
  });
  const colour = new Color();
  const update = (): void => {
    const weights = source.inspect?.().volumeWeights;
    const most = weights?.reduce((a, b) => Math.max(a, b), 0) ?? 0;
    for (let i = 0; i < colours.count; i++) {
      const share = weights && most > 0 ? weights[i] / most : 0;
      colour.setHSL((2 / 3) * (1 - share), 1, 0.5).toArray(colours.array, 3 * i);
    }
    colours.needsUpdate = true;
  };
  return { object: new Mesh(geometry, material), update };
}

/** The particles that touched something in the last step. */
export function contactsLayer(source: DebugSource, position: BufferAttribute): DebugLayer {
  const index = new BufferAttribute(new Uint32Array(position.count), 1).setUsage(DynamicDrawUsage);
  const geometry = geometryOver(position, []);
  geometry.setIndex(index);
  const material = new PointsMaterial({ color: 0xd00000, size: POINT_SIZE, sizeAttenuation: false, depthTest: false });
  const update = (): void => {
    let count = 0;
    source.inspect?.().touching.forEach((mark, vertex) => {
      if (mark) index.setX(count++, vertex);
    });
    geometry.setDrawRange(0, count);
    index.needsUpdate = true;
  };
  return { object: new Points(geometry, material), update };
}

/** The normals of the vertices. */
export function normalsLayer(source: DebugSource): DebugLayer {
  const { positions, triangles } = source.mesh;
  const normals = new Float32Array(positions.length);
  const ends = new BufferAttribute(new Float32Array(2 * positions.length), 3).setUsage(DynamicDrawUsage);
  const geometry = new BufferGeometry().setAttribute('position', ends);
  const length = NORMAL_LENGTH * meanEdgeLength(source.mesh);
  const update = (now: Float32Array): void => {
    writeSmoothNormals(now, triangles, normals);
    for (let k = 0; k < now.length; k++) {
      const at = 6 * Math.trunc(k / 3) + (k % 3);
      ends.array[at] = now[k];
      ends.array[at + 3] = now[k] + length * normals[k];
    }
    ends.needsUpdate = true;
  };
  return { object: new LineSegments(geometry, new LineBasicMaterial({ color: 0x2a9d8f })), update };
}
