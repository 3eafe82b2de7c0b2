// The surface as the helper mesh carries it, rest surface + W (x − X), what forces on it are on the helper mesh, and its volume: the arrays
// lie in the solver's room, where kernels see them.

import type { HelperMesh } from './helper-mesh.js';
import type { SolverRoom } from './solver-room.js';

export class CarriedSurface {
  /** Vertices of the surface, and forces on them, three numbers each: the energy's own. */
  readonly carried: Float64Array;
  readonly forces: Float64Array;
  /** The helper mesh and the surface before contact. */
  readonly rest: Float64Array;
  private readonly surface: Float64Array;
  /** The four helper vertices that carry each vertex, and their weights. */
  readonly corners: Uint32Array;
  readonly weights: Float64Array;
  private readonly triangles: Uint32Array;

  constructor(
    { tetrahedra, carriers, weights, positions }: HelperMesh,
    triangles: Uint32Array,
    private readonly room: SolverRoom,
  ) {
    const count = carriers.length;
    const corners = new Uint32Array(4 * count);
    for (let v = 0; v < count; v++) {
      for (let k = 0; k < 4; k++) corners[4 * v + k] = tetrahedra[4 * carriers[v] + k];
    }
    this.corners = room.indices(corners);
    this.weights = room.numbers(4 * count);
    this.weights.set(weights);
    this.triangles = room.indices(triangles);
    this.rest = room.numbers(positions.length);
    this.surface = room.numbers(3 * count);
    this.carried = room.numbers(3 * count);
    this.forces = room.numbers(3 * count);
  }

  /** Bytes that it takes of a room. */
  static roomFor({ carriers, positions }: HelperMesh, triangles: Uint32Array): number {
    return carriers.length * (4 * 4 + 8 * (4 + 3 * 3)) + 4 * triangles.length + 8 * positions.length + 128;
  }

  /** Takes the helper mesh and the surface of a frame before contact. */
  begin(rest: Float64Array, surface: Float64Array): void {
    this.rest.set(rest);
    this.surface.set(surface);
  }

  /** The surface for positions of the helper mesh. */
  carry(x: Float64Array, out: Float64Array): void {
    const { corners, weights, rest, surface } = this;
    const kernels = this.room.kernelsFor(x, out, weights);
    if (kernels) {
      const [c, w] = [corners.byteOffset, weights.byteOffset];
      kernels.carry(out.length / 3, c, w, x.byteOffset, rest.byteOffset, surface.byteOffset, out.byteOffset);
      return;
    }
    for (let v = 0; 3 * v < out.length; v++) {
      let dx = 0;
      let dy = 0;
      let dz = 0;
      for (let k = 4 * v; k < 4 * v + 4; k++) {
        const corner = 3 * corners[k];
        dx += weights[k] * (x[corner] - rest[corner]);
        dy += weights[k] * (x[corner + 1] - rest[corner + 1]);
        dz += weights[k] * (x[corner + 2] - rest[corner + 2]);
      }
      out[3 * v] = surface[3 * v] + dx;
      out[3 * v + 1] = surface[3 * v + 1] + dy;
      out[3 * v + 2] = surface[3 * v + 2] + dz;
    }
  }

  /** Wᵀ × forces, added to the gradient. */
  giveBack(gradient: Float64Array): void {
    const { corners, weights, forces } = this;
    const kernels = this.room.kernelsFor(gradient, forces, weights);
    if (kernels) {
      const [c, w] = [corners.byteOffset, weights.byteOffset];
      kernels.giveBack(forces.length / 3, c, w, forces.byteOffset, gradient.byteOffset);
      return;
    }
    for (let v = 0; 3 * v < forces.length; v++) {
      for (let k = 4 * v; k < 4 * v + 4; k++) {
        const corner = 3 * corners[k];
        gradient[corner] += weights[k] * forces[3 * v];
        gradient[corner + 1] += weights[k] * forces[3 * v + 1];
        gradient[corner + 2] += weights[k] * forces[3 * v + 2];
      }
    }
  }

  /** Writes six times the gradient of the volume at `carried` to `forces`; returns the volume. */
  writeVolumeGradient(): number {
    const { triangles, carried: p, forces: out } = this;
    const kernels = this.room.kernelsFor(p, out, triangles);
    if (kernels) {
      const count = triangles.length / 3;
      return kernels.writeVolumeGradient(count, triangles.byteOffset, p.length / 3, p.byteOffset, out.byteOffset) / 6;
    }
    out.fill(0);
    let sixVolume = 0;
    for (let i = 0; i < triangles.length; i += 3) {
      const a = 3 * triangles[i];
      const b = 3 * triangles[i + 1];
      const c = 3 * triangles[i + 2];
      const [ax, ay, az] = [p[a], p[a + 1], p[a + 2]];
      const [bx, by, bz] = [p[b], p[b + 1], p[b + 2]];
      const [cx, cy, cz] = [p[c], p[c + 1], p[c + 2]];
      const nx = by * cz - bz * cy;
      const ny = bz * cx - bx * cz;
      const nz = bx * cy - by * cx;
      sixVolume += ax * nx + ay * ny + az * nz;
      out[a] += nx;
      out[a + 1] += ny;
      out[a + 2] += nz;
      out[b] += cy * az - cz * ay;
      out[b + 1] += cz * ax - cx * az;
      out[b + 2] += cx * ay - cy * ax;
      out[c] += ay * bz - az * by;
      out[c + 1] += az * bx - ax * bz;
      out[c + 2] += ax * by - ay * bx;
    }
    return sixVolume / 6;
  }
}
