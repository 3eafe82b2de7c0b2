// Nodes and tetrahedra of a file that numbers its nodes as it likes, and may name them before it has them.

import type { TetraMesh } from '../../tetrahedralise/tetra-mesh.js';
import { MeshReadError } from '../mesh-read-error.js';
import type { MixedReader } from './mixed-reader.js';

export class NodeNumbers {
  private readonly positions: number[] = [];
  private readonly corners: number[] = [];
  private readonly placeOf = new Map<number, number>();

  constructor(private readonly reader: MixedReader) {}

  addNode(number: number, x: number, y: number, z: number): void {
    if (this.placeOf.has(number)) this.reader.fail('every node once', `node ${number} again`);
    this.placeOf.set(number, this.positions.length / 3);
    this.positions.push(x, y, z);
  }

  addTetrahedron(a: number, b: number, c: number, d: number): void {
    this.corners.push(a, b, c, d);
  }

  finish(): TetraMesh {
    const tetrahedra = new Uint32Array(this.corners.length);
    this.corners.forEach((number, k) => {
      const place = this.placeOf.get(number);
      if (place === undefined) {
        throw new MeshReadError(`tetrahedron ${k >> 2}: expected nodes of the file, found node ${number}`);
      }
      tetrahedra[k] = place;
    });
    return { positions: Float64Array.from(this.positions), tetrahedra };
  }
}
