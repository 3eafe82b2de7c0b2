// Bodies of one frame as an OBJ file: vertices in their order, texture coordinates and normals numbered apart from them, as the format
// has it, and the names of materials.

import { type DrawnMesh, drawnNormals } from './drawn-mesh.js';

export interface ObjBody {
  readonly name: string;
  readonly drawn: DrawnMesh;
  /** Of the mesh that `drawn` is drawn of [m]. */
  readonly positions: ArrayLike<number>;
}

/** Digits of normals and texture coordinates: those of single precision that are sure. */
const DIGITS = 7;

/** Positions have as many digits as tell them apart. */
export function writeObjFrame(bodies: readonly ObjBody[]): Uint8Array {
  const lines: string[] = [];
  const counts = { v: 1, vt: 1, vn: 1 };
  for (const { name, drawn, positions: p } of bodies) {
    const { triangles, sources, smooth, uvs, parts } = drawn;
    lines.push(`o ${name.replace(/\s+/g, ' ')}`);
    for (let k = 0; k < p.length; k += 3) lines.push(`v ${p[k]} ${p[k + 1]} ${p[k + 2]}`);
    // In OBJ files v goes upwards.
    if (uvs) for (let k = 0; k < uvs.length; k += 2) lines.push(`vt ${short(uvs[k])} ${short(1 - uvs[k + 1])}`);
    const normals = drawnNormals(drawn, p);
    const numbers = new Uint32Array(smooth.length);
    let normalCount = 0;
    for (let v = 0; v < smooth.length; v++) {
      if (smooth[v] !== v) continue;
      numbers[v] = normalCount++;
      lines.push(`vn ${short(normals[3 * v])} ${short(normals[3 * v + 1])} ${short(normals[3 * v + 2])}`);
    }
    const corner = (v: number) =>
      `${counts.v + sources[v]}/${uvs ? counts.vt + v : ''}/${counts.vn + numbers[smooth[v]]}`;
    for (const { material, firstTriangle, triangleCount } of parts) {
      if (material !== '') lines.push(`usemtl ${material.replace(/\s+/g, '_')}`);
      for (let t = 3 * firstTriangle; t < 3 * (firstTriangle + triangleCount); t += 3)
        lines.push(`f ${corner(triangles[t])} ${corner(triangles[t + 1])} ${corner(triangles[t + 2])}`);
    }
    counts.v += p.length / 3;
    counts.vt += uvs ? uvs.length / 2 : 0;
    counts.vn += normalCount;
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

const short = (value: number): number => Number(value.toPrecision(DIGITS));
