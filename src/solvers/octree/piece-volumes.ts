// Whether the closed pieces of the surface have the volumes that they have at rest, those of each part of the matter together.

import type { TriangleMesh } from '../../mesh/triangle-mesh.js';

/** The most that a volume may be off, relative: what single precision rounds at parts of some hundred triangles is a tenth of it. */
const TOLERANCE = 1e-5;

/** One closed piece: vertices `first` … `end` − 1, its triangles as three places each in x, y, z of them, and 6V at rest [m³]. */
export interface Piece {
  readonly first: number;
  readonly end: number;
  readonly corners: Uint32Array;
  readonly sixVolume: number;
}

export class PieceVolumes {
  private readonly pieces: Piece[][];

  /**
   * @param bounds the first vertex of each piece, and how many there are of all.
   * @param partOf the part of the matter that a vertex hangs on.
   */
  constructor({ positions, triangles }: TriangleMesh, bounds: Uint32Array, partOf: (vertex: number) => number) {
    const pieceOf = new Uint32Array(positions.length / 3);
    for (let n = 0; n + 1 < bounds.length; n++) pieceOf.fill(n, bounds[n], bounds[n + 1]);
    const corners: number[][] = Array.from({ length: bounds.length - 1 }, () => []);
    for (let k = 0; k < triangles.length; k++) corners[pieceOf[triangles[k]]].push(3 * triangles[k]);
    this.pieces = [];
    corners.forEach((list, n) => {
      const piece = Uint32Array.from(list);
      const part = partOf(bounds[n]);
      this.pieces[part] ??= [];
      this.pieces[part].push({
        ...{ first: bounds[n], end: bounds[n + 1] },
        ...{ corners: piece, sixVolume: sixVolumeOf(positions, piece) },
      });
    });
  }

  /** Whether all pieces of a part have their volumes, of a body that is so many times as large as at rest. */
  areKept(part: number, positions: Float64Array, scale: number): boolean {
    return (this.pieces[part] ?? []).every((piece) => isKept(piece, positions, scale));
  }

  /** Pieces of some parts. */
  of(isMeant: (part: number) => boolean): Piece[] {
    return this.pieces.flatMap((own, part) => (isMeant(part) ? own : []));
  }
}

/**
 * Makes a piece as much larger or smaller about its centre of mass as gives it its volume, of a body that is so many times as large as at rest;
 * momenta stay.
 */
export function resize(
  { first, end, corners, sixVolume }: Piece,
  x: Float64Array,
  masses: Float64Array,
  scale: number,
): void {
  const now = sixVolumeOf(x, corners);
  if (!(now > 0)) return;
  const ratio = scale * cubeRoot(sixVolume / now);
  let mass = 0;
  for (let i = first; i < end; i++) mass += masses[i];
  for (let c = 0; c < 3; c++) {
    let centre = 0;
    for (let i = first; i < end; i++) centre += (masses[i] * x[3 * i + c]) / mass;
    for (let i = first; i < end; i++) x[3 * i + c] = centre + ratio * (x[3 * i + c] - centre);
  }
}

/** By Newton's iteration, which has the same bits in every engine; exact for what is between 0.1 and 10. */
function cubeRoot(x: number): number {
  let root = 1;
  for (let n = 0; n < 12; n++) root -= (root * root * root - x) / (3 * root * root);
  return root;
}

/** Whether a piece has its volume, of a body that is so many times as large as at rest. */
export function isKept({ corners, sixVolume }: Piece, positions: Float64Array, scale: number): boolean {
  const wanted = scale * scale * scale * sixVolume;
  return Math.abs(sixVolumeOf(positions, corners) - wanted) <= TOLERANCE * wanted;
}

/** 6V of a closed surface, from its first corner, so that one far from the origin keeps its digits. */
function sixVolumeOf(x: Float64Array, corners: Uint32Array): number {
  const o = corners[0];
  const [ox, oy, oz] = [x[o], x[o + 1], x[o + 2]];
  let sum = 0;
  for (let k = 0; k < corners.length; k += 3) {
    const [a, b, c] = [corners[k], corners[k + 1], corners[k + 2]];
    const [ax, ay, az] = [x[a] - ox, x[a + 1] - oy, x[a + 2] - oz];
    const [bx, by, bz] = [x[b] - ox, x[b + 1] - oy, x[b + 2] - oz];
    const [cx, cy, cz] = [x[c] - ox, x[c + 1] - oy, x[c + 2] - oz];
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return sum;
}
