// Landscapes of three.js: a plane whose vertices were raised is a heightfield.

import type { BufferGeometry, Mesh } from 'three';
import { Quaternion, Vector3 } from 'three';
import type { HeightfieldShape } from '../contact/obstacles/heightfield.js';

/** A heightfield, and how it is turned against its mesh. */
export interface GridHeights {
  readonly shape: HeightfieldShape;
  readonly turn: Quaternion;
}

/** Points off their place in the grid by more than this share of its size are no grid. */
const OFF_GRID = 1e-4;
/** Cosine of the steepest angle between its up and the world's: what leans more is a wall, and has no inside. */
const UPRIGHT = 0.9;

/** From heights along Y, with z down the rows, to a plane of three.js as it is made, with heights along Z. */
const AS_MADE = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2);

/** The heights of a plane that was raised, undefined of others and of flat ones, which have two sides. */
export function gridHeightsOf({ geometry, matrixWorld }: Mesh, scale: Vector3): GridHeights | undefined {
  const { type, parameters } = geometry as BufferGeometry & { readonly parameters?: Readonly<Record<string, number>> };
  if (type !== 'PlaneGeometry' || !parameters || !(scale.x > 0 && scale.y > 0 && scale.z > 0)) return undefined;
  const { width, height, widthSegments: columns, heightSegments: rows } = parameters;
  const position = geometry.getAttribute('position');
  if (position?.count !== (columns + 1) * (rows + 1)) return undefined;
  const tolerance = OFF_GRID * Math.max(width, height);
  const xOf = (i: number): number => (i / columns - 0.5) * width;
  const zOf = (j: number): number => (j / rows - 0.5) * height;
  const isGrid = (across: (v: number) => number): boolean => {
    for (let v = 0; v < position.count; v++) {
      const [i, j] = [v % (columns + 1), Math.floor(v / (columns + 1))];
      if (Math.abs(position.getX(v) - xOf(i)) > tolerance || Math.abs(across(v) - zOf(j)) > tolerance) return false;
    }
    return true;
  };
  const asMade = isGrid((v) => -position.getY(v));
  if (!asMade && !isGrid((v) => position.getZ(v))) return undefined;
  const up = asMade
    ? ([scale.z, (v: number) => position.getZ(v)] as const)
    : ([scale.y, (v: number) => position.getY(v)] as const);
  const heights = Array.from({ length: rows + 1 }, (_, j) =>
    Array.from({ length: columns + 1 }, (__, i) => up[0] * up[1](j * (columns + 1) + i)),
  );
  const all = heights.flat();
  const isFlat = Math.max(...all) - Math.min(...all) <= tolerance * up[0];
  const axis = new Vector3().setFromMatrixColumn(matrixWorld, asMade ? 2 : 1).normalize();
  if (isFlat || axis.y < UPRIGHT) return undefined;
  const size = [scale.x * width, (asMade ? scale.y : scale.z) * height] as const;
  return { shape: { shape: 'heightfield', heights, size }, turn: asMade ? AS_MADE : new Quaternion() };
}
