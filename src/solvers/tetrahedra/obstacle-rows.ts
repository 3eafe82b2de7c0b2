// The world's obstacles as contact rows of a body's nodes: distances from where obstacles will be at the end of a step. Of all
// nodes: those inside a body that is crushed would otherwise come through its boundary.

import type { Obstacle } from '../../contact/obstacles/obstacle.js';
import type { Surroundings } from '../model-contacts.js';
import type { ContactRows, ContactSource } from './contact-rows.js';
import type { TetraRest } from './rest.js';

/** In spacings: nodes this near to an obstacle are listed however slow they are, as solves may push them there. */
const NEAR = 0.5;
/** In spacings: how far what lies deep in an obstacle comes out in a step. At once it would burst. */
const OUT = 0.35;

const hit = { distance: 0, nx: 0, ny: 0, nz: 0 };
const drag = new Float64Array(3);

export class ObstacleRows implements ContactSource {
  private colliders: readonly Obstacle[] = [];
  private frictions: Float64Array | undefined;
  /** Δt of the substep that the obstacles move through, and what is left of it at the end of this step [s]. */
  private wholeStep = 1;
  private timeLeft = 0;

  constructor(private readonly rest: TetraRest) {}

  begin({ colliders, frictions }: Surroundings, wholeStep: number): void {
    this.colliders = colliders;
    this.frictions = frictions;
    this.wholeStep = wholeStep;
  }

  /** Before a step that ends so long before the end of the substep. */
  leave(timeLeft: number): void {
    this.timeLeft = timeLeft;
  }

  colliderOf(obstacle: number): Obstacle {
    return this.colliders[obstacle];
  }

  /** Greatest speed of a node towards an obstacle that something of the body meets within the time [m/s]. */
  meetingSpeed(x: Float64Array, v: Float64Array, timeStep: number): number {
    let fastest = 0;
    for (const collider of this.colliders) {
      if (this.mayMeet(collider, x, v, timeStep))
        fastest = Math.max(fastest, this.speedTowards(collider, x, v, timeStep));
    }
    return fastest;
  }

  /** Along the obstacle's normals only: what a crushed body squirts aside meets nothing, however fast. */
  private speedTowards(collider: Obstacle, x: Float64Array, v: Float64Array, timeStep: number): number {
    let isMet = false;
    let fastest = 0;
    drag.fill(0);
    for (let k = 0; k < x.length; k += 3) {
      if (collider.isMoving) collider.displacementAt(x[k], x[k + 1], x[k + 2], drag);
      const vx = v[k] - drag[0] / this.wholeStep;
      const vy = v[k + 1] - drag[1] / this.wholeStep;
      const vz = v[k + 2] - drag[2] / this.wholeStep;
      if (isMet && !(vx * vx + vy * vy + vz * vz > fastest * fastest)) continue;
      collider.measure(x[k] + timeStep * v[k], x[k + 1] + timeStep * v[k + 1], x[k + 2] + timeStep * v[k + 2], hit);
      fastest = Math.max(fastest, -(vx * hit.nx + vy * hit.ny + vz * hit.nz));
      isMet = isMet || hit.distance < 0;
    }
    return isMet ? fastest : 0;
  }

  list(x: Float64Array, v: Float64Array, timeStep: number, rows: ContactRows, isPlaced: boolean): void {
    this.colliders.forEach((collider, obstacle) => {
      if (!this.mayMeet(collider, x, v, timeStep)) return;
      for (let n = 0, k = 0; n < this.rest.count; n++, k += 3) {
        const speed = Math.sqrt(v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]);
        this.addRow(collider, obstacle, n, x, v, isPlaced ? 0 : timeStep, timeStep * speed, rows);
      }
    });
  }

  /**
   * Meshes say where they are nearest to where a node goes, as their distance from afar is that of their box; other shapes
   * to where it is: the plane there has all of a convex shape on its other side.
   */
  private addRow(
    collider: Obstacle,
    obstacle: number,
    n: number,
    x: Float64Array,
    v: Float64Array,
    ahead: number,
    reach: number,
    rows: ContactRows,
  ): void {
    const k = 3 * n;
    const share = collider.solid ? ahead : 0;
    collider.measure(x[k] + share * v[k], x[k + 1] + share * v[k + 1], x[k + 2] + share * v[k + 2], hit);
    let gap = hit.distance - share * (hit.nx * v[k] + hit.ny * v[k + 1] + hit.nz * v[k + 2]);
    let speed = 0;
    let fastest = reach;
    drag.fill(0);
    if (collider.isMoving) {
      collider.displacementAt(x[k], x[k + 1], x[k + 2], drag);
      speed = (hit.nx * drag[0] + hit.ny * drag[1] + hit.nz * drag[2]) / this.wholeStep;
      fastest += Math.sqrt(drag[0] * drag[0] + drag[1] * drag[1] + drag[2] * drag[2]);
      gap += speed * this.timeLeft;
    }
    const { spacing } = this.rest;
    if (!(gap < fastest + NEAR * spacing)) return;
    const row = rows.add(n, obstacle, hit.nx, hit.ny, hit.nz, Math.max(gap, -OUT * spacing), speed);
    const friction = collider.friction * (this.frictions?.[n] ?? 1);
    const { wholeStep } = this;
    rows.setFriction(row, friction, drag[0] / wholeStep, drag[1] / wholeStep, drag[2] / wholeStep);
  }

  /** Whether any node may be near the obstacle: distances change no faster than one goes from the body's first node. */
  private mayMeet(collider: Obstacle, x: Float64Array, v: Float64Array, timeStep: number): boolean {
    collider.measure(x[0], x[1], x[2], hit);
    const [ox, oy, oz] = [x[0], x[1], x[2]];
    let [square, fastest] = [0, 0];
    for (let k = 0; k < x.length; k += 3) {
      const [dx, dy, dz] = [x[k] - ox, x[k + 1] - oy, x[k + 2] - oz];
      square = Math.max(square, dx * dx + dy * dy + dz * dz);
      fastest = Math.max(fastest, v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]);
    }
    let farthest = Math.sqrt(square) + timeStep * Math.sqrt(fastest);
    if (collider.isMoving) {
      collider.displacementAt(x[0], x[1], x[2], drag);
      farthest += 2 * Math.sqrt(drag[0] * drag[0] + drag[1] * drag[1] + drag[2] * drag[2]);
    }
    return hit.distance < farthest + this.rest.spacing;
  }
}
