// The step of several bodies that touch each other, or of one that touches itself: that of `dynamics`, taken together, with the
// contacts between nodes as rows of P in all pressure solves. What these pressed with in the last step is a force of the elastic
// solves, as pressure is, so that solves find only what has changed.

import type { ContactSource } from './contact-rows.js';
import { CoupledPressure, type PressedBody } from './coupled-pressure.js';
import type { TetraDynamics } from './dynamics.js';
import type { LinkedNodes, LinkRows } from './link-rows.js';
import { BROKEN, CONTACT_PASSES, FAR, NEWTON_LIMIT, SPARE } from './newton-limits.js';
import { PRESSURE_TOLERANCE } from './pressure-solve.js';
import type { StepReport } from './step-report.js';

/** Sweeps over contacts for where they land, and for velocities; contacts share few nodes. */
const LANDING_SWEEPS = 8;
const STOPPING_SWEEPS = 8;

/** One body that takes part. */
export interface CoupledBody extends LinkedNodes {
  /** Undefined for one that sleeps. */
  readonly dynamics: TetraDynamics | undefined;
  readonly source: ContactSource | undefined;
  /** Of its boundary [m]; where it sleeps, for good. */
  readonly positions: Float64Array;
  /** How far contact moves it as a whole in this step [m], and how much its velocity changes [m/s]: out of what it lies deep in. */
  readonly shift: Float64Array;
  readonly stop: Float64Array;
}

/** Finds the contacts of a step of this length [s]. */
export interface LinkSource {
  list(timeStep: number, gravity: ArrayLike<number>): void;
  /** Takes over what rows press with. */
  remember(timeStep: number): void;
}

const NOTHING = new Float64Array(0);

export class CoupledStep {
  private readonly pressure = new CoupledPressure();
  private pressureIterations = 0;
  /** Bodies whose pressure rests in this step, as they cannot keep their volumes. */
  private readonly resting = new Set<TetraDynamics>();
  private moving: readonly TetraDynamics[] = [];

  constructor(
    /** In the order that rows number them by. */
    private readonly bodies: readonly CoupledBody[],
    private readonly links: LinkRows,
    private readonly source: LinkSource,
  ) {
    this.moving = bodies.flatMap(({ dynamics }) => dynamics ?? []);
  }

  /** One step, whatever it takes: bodies that cannot keep their volumes do without pressure. */
  step(timeStep: number, gravity: ArrayLike<number>): StepReport {
    this.resting.clear();
    for (;;) {
      const report = this.tryStep(timeStep, gravity);
      if (report) return report;
    }
  }

  /** The same, if all volumes can be kept: otherwise nothing, bodies are as they were, and the next try leaves out those that failed. */
  tryStep(timeStep: number, gravity: ArrayLike<number>): StepReport | undefined {
    const { moving, links } = this;
    this.pressureIterations = 0;
    for (const dynamics of moving) {
      dynamics.start.set(dynamics.velocities);
      if (this.resting.has(dynamics)) dynamics.pressure.fill(0);
    }
    this.source.list(timeStep, gravity);
    const elasticIterations = this.solveElastic(timeStep, gravity);
    const pressed = new Set(
      moving.filter((d) => d.options.incompressible && !this.resting.has(d) && d.isFreeOfTangles()),
    );
    const newtonSteps = this.correctPositions(timeStep, pressed);
    if (newtonSteps === 0) {
      for (const { velocities, start } of moving) velocities.set(start);
      return undefined;
    }
    this.correctVelocities(timeStep, pressed);
    let [ringError, contacts] = [0, links.count];
    for (const d of moving) {
      d.positions.set(d.next);
      d.contactSet.remember(d.velocities, d.masses, timeStep);
      d.restoreMotion();
      ringError = Math.max(ringError, d.measureRings(d.positions));
      contacts += d.contacts.count;
    }
    this.source.remember(timeStep);
    this.resting.clear();
    const { pressureIterations } = this;
    return { newtonSteps, elasticIterations, pressureIterations, ringError, contacts };
  }

  /** Vectors of each body; of those that sleep nobody writes them. */
  private vectors(of: (dynamics: TetraDynamics) => Float64Array): Float64Array[] {
    return this.bodies.map(({ dynamics, positions }) => (dynamics ? of(dynamics) : positions));
  }

  private velocitiesOf(of: (dynamics: TetraDynamics) => Float64Array): Float64Array[] {
    return this.bodies.map(({ dynamics, positions }) => (dynamics ? of(dynamics) : stillness(positions.length)));
  }

  private solveElastic(timeStep: number, gravity: ArrayLike<number>): number {
    const { bodies, links } = this;
    const forces = this.velocitiesOf(({ moved }) => moved);
    for (const force of forces) force.fill(0);
    links.addImpulses(forces, 1 / timeStep);
    let iterations = 0;
    bodies.forEach(({ dynamics, source, stop }, b) => {
      if (!dynamics) return;
      const { velocities, pinned } = dynamics;
      for (let k = 0; k < velocities.length; k++) if (pinned[Math.trunc(k / 3)] === 0) velocities[k] += stop[k % 3];
      iterations += dynamics.solveElastic(timeStep, gravity, source, (force) => {
        for (let k = 0; k < force.length; k++) force[k] += forces[b][k];
      });
    });
    return iterations;
  }

  /** Landing velocities: where obstacles, what lies deep in others and contacts want nodes at the end of the step. */
  private land(timeStep: number): void {
    for (const { dynamics, shift } of this.bodies) {
      if (!dynamics) continue;
      const { landing, velocities, pinned, contactSet } = dynamics;
      landing.set(velocities);
      for (let k = 0; k < landing.length; k++) {
        if (pinned[Math.trunc(k / 3)] === 0) landing[k] += shift[k % 3] / timeStep;
      }
      contactSet.land(landing, timeStep);
    }
    this.links.prepare();
    const positions = this.vectors((dynamics) => dynamics.positions);
    this.links.land(
      positions,
      this.velocitiesOf(({ landing }) => landing),
      timeStep,
      LANDING_SWEEPS,
    );
  }

  /** As in `dynamics`. Returns Newton steps; 0 where a body cannot have its volumes, which then rests. */
  private correctPositions(timeStep: number, pressed: ReadonlySet<TetraDynamics>): number {
    const { bodies, moving, links } = this;
    this.land(timeStep);
    for (const dynamics of pressed) dynamics.beginPositions(timeStep);
    const next = this.vectors((dynamics) => dynamics.next);
    for (let pass = 0; pass < CONTACT_PASSES; pass++) {
      for (const d of pressed) {
        d.pressureSolve.prepare(d.contactSet.projection, pass === 0);
        d.writeLandingRate(timeStep);
      }
      this.solvePressure(pressed, ({ phat }) => phat, pass > 0, false);
      let isNew = false;
      for (const d of moving) {
        for (let k = 0; k < d.next.length; k++) {
          d.moved[k] = timeStep * (d.landing[k] + d.gamma[k]);
          d.next[k] = d.positions[k] + d.moved[k];
        }
        isNew = d.contactSet.addPenetrating(d.moved, d.contactSet.touch) || isNew;
      }
      isNew = links.addViolated(next, 0) || isNew;
      if (!isNew) break;
      this.landAgain(timeStep);
    }
    const tolerance = Math.min(...Array.from(pressed, ({ options }) => options.tolerance));
    let steps = 1;
    for (; steps <= NEWTON_LIMIT && this.isOff(pressed); steps++) {
      if (this.restThose(pressed, FAR)) return 0;
      for (const { dynamics, source } of bodies) {
        dynamics?.contactSet.relist(dynamics.next, dynamics.velocities, timeStep, source);
      }
      links.prepare();
      for (const dynamics of pressed) dynamics.placeNewton(timeStep);
      this.solvePressure(pressed, ({ correction }) => correction, false, false, (SPARE * tolerance) / timeStep);
      for (const { next: x, gamma } of moving) for (let k = 0; k < x.length; k++) x[k] += timeStep * gamma[k];
    }
    return this.isOff(pressed) && this.restThose(pressed, BROKEN) ? 0 : steps;
  }

  /** With the contacts that hold now. */
  private landAgain(timeStep: number): void {
    for (const { landing, contactSet } of this.moving) contactSet.land(landing, timeStep);
    this.links.prepare();
    const positions = this.vectors((dynamics) => dynamics.positions);
    const landing = this.velocitiesOf((dynamics) => dynamics.landing);
    this.links.landHeld(positions, landing, timeStep, LANDING_SWEEPS);
  }

  private isOff(pressed: ReadonlySet<TetraDynamics>): boolean {
    for (const d of pressed) if (d.measureRings(d.next, d.wantedRings) > d.options.tolerance) return true;
    return false;
  }

  /** Lets bodies rest in the next try whose rings are this far from what they are to have; whether there are any. */
  private restThose(pressed: ReadonlySet<TetraDynamics>, limit: number): boolean {
    let isAny = false;
    for (const d of pressed) {
      if (d.measureRings(d.next, d.wantedRings) < Math.max(limit, d.options.tolerance)) continue;
      this.resting.add(d);
      isAny = true;
    }
    return isAny;
  }

  private correctVelocities(timeStep: number, pressed: ReadonlySet<TetraDynamics>): void {
    const { moving, links } = this;
    for (const d of moving) {
      d.before.set(d.velocities);
      d.contactSet.follow(d.velocities);
      d.contactSet.addImpulses(d.masses, d.velocities, d.before);
      d.before.set(d.velocities);
    }
    links.prepare();
    const pushed = this.velocitiesOf(({ force }) => force);
    for (const force of pushed) force.fill(0);
    links.addImpulses(pushed, -1);
    links.stop(
      this.velocitiesOf(({ velocities }) => velocities),
      STOPPING_SWEEPS,
    );
    links.addImpulses(pushed, 1);
    for (const d of moving) {
      for (let k = 0; k < d.before.length; k++) {
        d.before[k] = d.masses[Math.trunc(k / 3)] * (d.velocities[k] - d.before[k]);
      }
      d.contactSet.addMomenta(d.before, d.force);
      d.addToMotion(d.force);
    }
    for (const dynamics of pressed) dynamics.placeVelocities();
    const before = this.velocitiesOf(({ moved }) => moved);
    for (const momentum of before) momentum.fill(0);
    links.addImpulses(before, -1);
    this.solvePressure(pressed, ({ phat }) => phat, true, true);
    links.addImpulses(before, 1);
    for (const d of moving) {
      d.addToMotion(d.moved);
      const { gamma, velocities, force, moved, masses, pressure, phat } = d;
      if (pressed.has(d)) {
        for (let k = 0; k < pressure.length; k++) pressure[k] += phat[k] / timeStep;
        d.pressureSolve.writeForce(phat, force);
      } else force.fill(0);
      // What the projection took of the impulses of pressure and contacts, for the obstacles.
      for (let k = 0; k < velocities.length; k++) {
        velocities[k] += gamma[k];
        force[k] += moved[k];
        moved[k] = masses[Math.trunc(k / 3)] * gamma[k];
      }
      d.contactSet.addMomenta(moved, force);
    }
  }

  /** γ and p̂ for the rates; `isKept`: contacts gain the impulses that it takes. */
  private solvePressure(
    pressed: ReadonlySet<TetraDynamics>,
    of: (dynamics: TetraDynamics) => Float64Array,
    isWarm: boolean,
    isKept: boolean,
    spare = 0,
  ): void {
    const { bodies, moving } = this;
    const parts = bodies.map(({ dynamics, positions }): PressedBody => {
      if (!dynamics) return { pressureSolve: undefined, change: stillness(positions.length), rate: NOTHING };
      const { rate, gamma, pressureSolve } = dynamics;
      if (pressed.has(dynamics)) return { pressureSolve, change: pressureSolve.change, rate };
      return { pressureSolve: undefined, change: gamma, rate };
    });
    const pressures = bodies.map(({ dynamics }) => (dynamics ? of(dynamics) : NOTHING));
    this.pressureIterations += this.pressure.solve(
      parts,
      this.links,
      pressures,
      isWarm,
      isKept,
      PRESSURE_TOLERANCE,
      spare,
    );
    for (const d of moving) if (pressed.has(d)) d.gamma.set(d.pressureSolve.change);
  }
}

let still = new Float64Array(0);

/** Zeros: of what sleeps. */
function stillness(length: number): Float64Array {
  if (still.length < length) still = new Float64Array(2 * length);
  return still;
}
