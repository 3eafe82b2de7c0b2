// What a file does not say about itself: its unit, which way is up, and where the files are that it refers to.

import { showInput } from '../../math/expect.js';
import { expectKnownFields } from '../../math/known-fields.js';
import type { VisibleMesh } from '../visible-mesh.js';

/** Metres per unit. */
export const MESH_UNITS = { m: 1, dm: 0.1, cm: 0.01, mm: 0.001, km: 1000, in: 0.0254, ft: 0.3048 } as const;
/** Name of a unit of length. */
export type MeshUnit = keyof typeof MESH_UNITS;

/** Axes that may point up in a file. */
export const UP_AXES = ['x', 'y', 'z'] as const;
/** The axis that points up in a file. */
export type UpAxis = (typeof UP_AXES)[number];

/** How the numbers of a mesh file are to be understood. */
export interface ReadMeshOptions {
  /** Unit of the file's coordinates. */
  readonly unit?: MeshUnit;
  /** Factor on all coordinates, besides the unit. */
  readonly scale?: number;
  /** The file's axis that points up; the mesh is turned so that it becomes Y. */
  readonly upAxis?: UpAxis;
  /**
   * Gives the bytes of a file that the mesh file refers to, by its path relative to the mesh file: a glTF's buffers.
   * The path never leads out of the mesh file's folder. Without it such files are refused.
   */
  readonly resolve?: (path: string) => Promise<Uint8Array>;
  /**
   * Numbers to keep of each vertex, where the file has them: `COLOR_0.r` (also g, b, a) and scalars such as `_STIFFNESS` of
   * glTF, scalar properties of PLY by their names. At most sixteen.
   */
  readonly attributes?: readonly string[];
  /** Gives a Draco decoder, as `createDecoderModule()` of the package draco3dgltf does; needed only by files that use it. */
  readonly draco?: () => Promise<unknown>;
}

/** glTF is in metres with Y up by definition, the other formats say nothing. */
export const READ_MESH_DEFAULTS = { unit: 'm', scale: 1, upAxis: 'y' } as const;

/** Turns (x, y, z) so that an axis becomes Y; exact, as it only swaps and negates. */
const TURNS: Readonly<Record<UpAxis, (x: number, y: number, z: number) => [number, number, number]>> = {
  x: (x, y, z) => [-y, x, z],
  y: (x, y, z) => [x, y, z],
  z: (x, y, z) => [x, z, -y],
};

function turnAll(values: Float32Array | null, stride: number, axis: UpAxis): Float32Array | null {
  if (values === null) return null;
  const turned = values.slice();
  for (let i = 0; i + 2 < values.length; i += stride) {
    turned.set(TURNS[axis](values[i], values[i + 1], values[i + 2]), i);
  }
  return turned;
}

/** Throws a RangeError for options that make no sense. */
export function checkReadOptions(options: ReadMeshOptions): void {
  expectKnownFields('readMesh', options, ['unit', 'scale', 'upAxis', 'resolve', 'attributes', 'draco']);
  const { unit, scale, upAxis } = { ...READ_MESH_DEFAULTS, ...withoutUndefined(options) };
  if (!Object.hasOwn(MESH_UNITS, unit)) {
    throw new RangeError(`unit must be one of ${Object.keys(MESH_UNITS).join(', ')}, got ${unit}`);
  }
  if (!Object.hasOwn(TURNS, upAxis)) throw new RangeError(`upAxis must be x, y or z, got ${upAxis}`);
  const names: unknown = options.attributes ?? [];
  if (!Array.isArray(names) || names.length > MOST_ATTRIBUTES || names.some((name) => typeof name !== 'string')) {
    throw new RangeError(`attributes must be a list of at most ${MOST_ATTRIBUTES} names, got ${showInput(names)}`);
  }
  const factor = MESH_UNITS[unit] * scale;
  if (!(factor > 0 && Number.isFinite(factor))) throw new RangeError(`scale must be a number above 0, got ${scale}`);
}

/** The mesh in metres with Y up. */
export function applyReadOptions(mesh: VisibleMesh, options: ReadMeshOptions): VisibleMesh {
  const { unit, scale, upAxis } = { ...READ_MESH_DEFAULTS, ...withoutUndefined(options) };
  const factor = MESH_UNITS[unit] * scale;
  if (factor === 1 && upAxis === 'y') return mesh;
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const [x, y, z] = TURNS[upAxis](mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]);
    positions[i] = factor * x;
    positions[i + 1] = factor * y;
    positions[i + 2] = factor * z;
  }
  return { ...mesh, positions, normals: turnAll(mesh.normals, 3, upAxis), tangents: turnAll(mesh.tangents, 4, upAxis) };
}

/** More would be a mistake, and each takes eight bytes per vertex. */
const MOST_ATTRIBUTES = 16;

const withoutUndefined = (options: ReadMeshOptions): ReadMeshOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
