// One body of tetrahedra in a world. The particles that the world sees are the nodes of its boundary, which come first; the
// nodes inside are the model's own. Obstacles and pins are part of its solves; what other bodies do is followed afterwards.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, Volume conserving finite element simulations of deformable models, 2007.

import { addLinearField, createLinearField, fitLinearField } from '../linear-fields.js';
import type { InnerParticles, Model, Shell } from '../model.js';
import { ModelContacts, type Surroundings } from '../model-contacts.js';
import { TetraDynamics } from './dynamics.js';
import { LinkMemory, SelfMemory } from './link-memory.js';
import { stepsFor } from './longest-step.js';
import { FibreForce, FORCE_LENGTH } from './muscle.js';
import { ObstacleRows } from './obstacle-rows.js';
import { materialOf, type TetrahedraSettings } from './settings.js';
import { stepInParts } from './step-in-parts.js';
import type { StepReport } from './step-report.js';
import type { TetrahedraBody } from './tetrahedra-body.js';
import { viewNodes } from './views.js';
import { countInverted } from './volume-error.js';

/** In body sizes: particles that were moved less far from outside go on as they were. Single precision rounds by a tenth of it. */
const SAME_PLACE = 1e-6;

export class TetrahedraModel implements Model<TetrahedraSettings> {
  readonly dynamics: TetraDynamics;
  readonly contacts = new ModelContacts();
  readonly inner: InnerParticles;
  /** Of the last step. */
  report: StepReport | undefined;
  private current: TetrahedraSettings;
  private readonly shellCount: number;
  private readonly shellMasses: Float64Array;
  private readonly difference: Float64Array;
  private readonly field = createLinearField();
  readonly rows: ObstacleRows;
  /** What it did to others of its kind, and they to it. */
  readonly links: LinkMemory;
  readonly selfContact: SelfMemory;
  /** Where the step has left the particles [m], before others moved them. */
  private readonly matched: Float64Array;
  private readonly muscle: FibreForce | undefined;

  constructor(
    private readonly body: TetrahedraBody,
    settings: TetrahedraSettings,
    mass: number,
    /** Whether WebAssembly may do the work. */
    kernels = false,
    /** Threads that may share it. */
    threads = 1,
  ) {
    const { solid, particles, pattern, fibres } = body;
    const { count } = particles;
    this.current = settings;
    this.shellCount = count;
    this.muscle = fibres && new FibreForce({ fibres, strength: settings.strength, forceLength: FORCE_LENGTH });
    this.muscle?.activate(settings.activation);
    this.dynamics = new TetraDynamics(solid, {
      ...this.options(settings),
      mass,
      muscle: this.muscle,
      pattern,
      kernels,
      threads,
    });
    this.rows = new ObstacleRows(solid);
    this.links = new LinkMemory(count);
    this.selfContact = new SelfMemory(count);
    this.matched = new Float64Array(3 * count);
    this.shellMasses = this.dynamics.masses.slice(0, count);
    this.difference = new Float64Array(3 * count);
    this.inner = {
      positions: this.dynamics.positions.subarray(3 * count),
      velocities: this.dynamics.velocities.subarray(3 * count),
      massShares: solid.massShares.slice(count),
      restPositions: solid.mesh.positions.slice(3 * count),
    };
  }

  get settings(): TetrahedraSettings {
    return this.current;
  }

  set settings(settings: TetrahedraSettings) {
    this.current = settings;
    const { dynamics, muscle } = this;
    dynamics.options = { ...dynamics.options, ...this.options(settings) };
    dynamics.material = dynamics.options.material;
    if (!muscle) return;
    muscle.strength = settings.strength;
    muscle.activate(settings.activation);
  }

  private options({ poissonRatio, damping, tolerance, recoveryTime, ...settings }: TetrahedraSettings) {
    const { mass, stiffness } = damping || { mass: 0, stiffness: 0 };
    const { dampingScale } = this.body;
    return {
      material: materialOf({ poissonRatio, damping, tolerance, recoveryTime, ...settings }),
      incompressible: poissonRatio === 'incompressible',
      massDamping: dampingScale * mass,
      stiffnessDamping: dampingScale * stiffness,
      tolerance,
      recoveryTime,
    };
  }

  reset(): void {
    this.restart();
  }

  private restart(): void {
    this.dynamics.restart();
    this.links.clear();
  }

  state() {
    return { ...this.dynamics.state(), ...this.links.state(), ...this.selfContact.state() };
  }

  /** A change from outside reaches the inside as far as it is linear in space. */
  replace(shell: Shell, positions: Float64Array, velocities: Float64Array): void {
    const { field, difference, shellMasses, inner, body } = this;
    for (let k = 0; k < difference.length; k++) difference[k] = velocities[k] - shell.velocities[k];
    fitLinearField(shell.positions, difference, shellMasses, body.solid.size, field);
    addLinearField(field, inner.positions, inner.velocities);
    let farthest = 0;
    for (let k = 0; k < difference.length; k++) {
      difference[k] = positions[k] - shell.positions[k];
      farthest = Math.max(farthest, Math.abs(difference[k]));
    }
    if (farthest > SAME_PLACE * body.solid.size) {
      fitLinearField(shell.positions, difference, shellMasses, body.solid.size, field);
      addLinearField(field, inner.positions, inner.positions);
      this.restart();
    }
    this.take(positions, velocities);
  }

  /** A whole step, from where the last one ended: elasticity, obstacles, volume. Damping is part of it. */
  match(shell: Shell, timeStep: number, around: Surroundings): void {
    const { dynamics, rows } = this;
    this.begin(shell, timeStep, around);
    const parts = stepsFor(dynamics, rows, timeStep);
    this.end(
      shell,
      timeStep,
      stepInParts(dynamics, timeStep, parts, around.gravity, rows, () => this.addContacts()),
    );
  }

  /** Before its step, alone or with others. */
  begin(shell: Shell, timeStep: number, around: Surroundings): void {
    const { dynamics, rows, contacts } = this;
    this.take(shell.starts, shell.velocities);
    for (let i = 0; i < this.shellCount; i++) dynamics.pinned[i] = around.pinned[i];
    this.takeWeight(around.gravity, timeStep);
    contacts.clear();
    rows.begin(around, timeStep);
  }

  /** After it. */
  end(shell: Shell, timeStep: number, report: StepReport): void {
    const { dynamics } = this;
    this.report = report;
    const { positions, velocities } = dynamics;
    for (let i = 0, k = 0; i < this.shellCount; i++) {
      let square = 0;
      for (let c = 0; c < 3; c++, k++) {
        const predicted = shell.starts[k] + timeStep * shell.velocities[k];
        square += (positions[k] - predicted) ** 2;
        shell.positions[k] = positions[k];
        shell.velocities[k] = velocities[k];
      }
      shell.changes[i] = Math.sqrt(square);
    }
    this.matched.set(shell.positions);
  }

  /**
   * The weight is a force of the solve: nodes that lie on an obstacle would otherwise all seem to fall into it, and those that the
   * body lifts off would be held down in every step.
   */
  private takeWeight(gravity: ArrayLike<number>, timeStep: number): void {
    const { velocities, pinned } = this.dynamics;
    for (let n = 0; n < pinned.length; n++) {
      if (pinned[n] === 0) for (let c = 0; c < 3; c++) velocities[3 * n + c] -= timeStep * gravity[c];
    }
  }

  damp(): void {}

  dispose(): void {
    this.dynamics.team?.dispose();
  }

  takeOver(shell: Shell): void {
    this.take(shell.positions, shell.velocities);
  }

  /**
   * Where contact with other bodies has cost a one-ring its volume, the nodes around make up for it. Those in contact stay where
   * they are along the normal: that of an obstacle, or the way in which the other body has moved them.
   */
  pullBack(shell: Shell, held: Uint8Array): boolean {
    const { dynamics, contacts, matched } = this;
    const { options, positions, pinned, restoring } = dynamics;
    if (!options.incompressible || !dynamics.isUntangled || options.recoveryTime > 0) return false;
    if (!restoring.begin(positions, pinned, options.tolerance)) return false;
    const { projection } = restoring;
    const { normals } = contacts;
    for (let i = 0; i < contacts.count; i++) {
      projection.hold(contacts.particles[i], normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]);
    }
    for (let n = 0, k = 0; n < held.length; n++, k += 3) {
      if (held[n] === 0) continue;
      const x = positions[k] - matched[k];
      const y = positions[k + 1] - matched[k + 1];
      const z = positions[k + 2] - matched[k + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length > SAME_PLACE * this.body.solid.size) projection.hold(n, x / length, y / length, z / length);
    }
    if (!restoring.run(positions, options.tolerance)) return false;
    shell.positions.set(positions.subarray(0, shell.positions.length));
    return true;
  }

  /** The largest error of a one-ring's volume [%]. */
  figures() {
    const { positions } = this.dynamics;
    const { tetrahedra } = this.body.solid.mesh;
    return {
      nodes: positions.length / 3,
      tetrahedra: tetrahedra.length / 4,
      maxOneRingErrorPercent: 100 * this.dynamics.measureRings(positions),
      invertedTetrahedra: countInverted(tetrahedra, positions),
    };
  }

  views() {
    const { dynamics, body, shellCount, muscle, settings } = this;
    const views = viewNodes(body.solid, dynamics.options.material, dynamics.positions, shellCount);
    return { ...views, active: new Float64Array(shellCount).fill(muscle ? settings.activation : 0) };
  }

  /** What the step touched, for whoever asks what touches what. */
  addContacts(): void {
    const { contacts, rows } = this;
    const { contacts: active, positions, masses } = this.dynamics;
    for (let j = 0; j < active.count; j++) {
      if (active.impulses[j] === 0) continue;
      const node = active.nodes[j];
      const place = contacts.add(node, rows.colliderOf(active.obstacles[j]));
      contacts.masses[place] = masses[node];
      for (let c = 0, at = 3 * place; c < 3; c++) {
        contacts.points[at + c] = positions[3 * node + c];
        contacts.normals[at + c] = active.normals[3 * j + c];
        contacts.velocities[at + c] = active.speeds[j] * active.normals[3 * j + c] + active.slides[3 * j + c];
        contacts.impulses[at + c] = active.impulses[j] * active.normals[3 * j + c] + active.drags[3 * j + c];
      }
    }
  }

  /** A particle that another body touches along a unit normal. */
  addTouched(particle: number, normals: Float64Array, at: number, sign: number): void {
    const { contacts } = this;
    const place = 3 * contacts.add(particle);
    for (let c = 0; c < 3; c++) {
      contacts.normals[place + c] = sign * normals[at + c];
      contacts.velocities[place + c] = 0;
    }
  }

  /** The boundary's nodes become the particles. */
  private take(positions: Float64Array, velocities: Float64Array): void {
    this.dynamics.positions.set(positions);
    this.dynamics.velocities.set(velocities);
  }
}
