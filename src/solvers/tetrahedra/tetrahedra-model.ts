// The elasticity of one body of tetrahedra. The particles that the world sees are the nodes of its boundary; the nodes
// inside are the model's own.
// Based on: G. Irving, C. Schroeder, R. Fedkiw, Volume conserving finite element simulations of deformable models, 2007.

import { addLinearField, createLinearField, fitLinearField } from '../linear-fields.js';
import type { Model, Shell } from '../model.js';
import type { ContactSource } from './contact-rows.js';
import { type StepReport, TetraDynamics } from './dynamics.js';
import type { FibreForce } from './muscle.js';
import type { PressurePattern } from './pressure-matrix.js';
import type { TetraRest } from './rest.js';
import { materialOf, type TetrahedraSettings } from './settings.js';

const WEIGHTLESS = [0, 0, 0];

export interface TetrahedraModelOptions {
  /** Of the whole body [kg]. */
  readonly mass: number;
  readonly muscle?: FibreForce;
  readonly pattern?: PressurePattern;
}

export class TetrahedraModel implements Pick<Model, 'match' | 'damp' | 'reset' | 'replace' | 'takeOver'> {
  readonly dynamics: TetraDynamics;
  /** Contacts that are part of the solves; those that the world adds afterwards are followed. */
  contacts: ContactSource | undefined;
  /** Of the last step. */
  report: StepReport | undefined;
  private current: TetrahedraSettings;
  private readonly nodes: Uint32Array;
  private readonly shellMasses: Float64Array;
  private readonly difference: Float64Array;
  private readonly field = createLinearField();

  constructor(
    readonly rest: TetraRest,
    settings: TetrahedraSettings,
    options: TetrahedraModelOptions,
  ) {
    this.current = settings;
    this.nodes = rest.boundary.nodes;
    this.dynamics = new TetraDynamics(rest, { ...dynamicsOf(settings), ...options });
    this.shellMasses = Float64Array.from(this.nodes, (n) => this.dynamics.masses[n]);
    this.difference = new Float64Array(3 * this.nodes.length);
  }

  get settings(): TetrahedraSettings {
    return this.current;
  }

  set settings(settings: TetrahedraSettings) {
    this.current = settings;
    const { mass, muscle, pattern } = this.dynamics.options;
    this.dynamics.options = { ...dynamicsOf(settings), mass, muscle, pattern };
    this.dynamics.material = this.dynamics.options.material;
  }

  /** Which particles have a velocity that the step may not change. */
  pin(particle: number, isPinned: boolean): void {
    this.dynamics.pinned[this.nodes[particle]] = isPinned ? 1 : 0;
  }

  reset(): void {
    this.dynamics.restart();
  }

  /** The nodes inside; those of the boundary are the particles, which have it already. */
  accelerate(change: ArrayLike<number>): void {
    const { velocities } = this.dynamics;
    for (let k = 0; k < velocities.length; k++) velocities[k] += change[k % 3];
  }

  /** A change from outside reaches the inside as far as it is linear in space. */
  replace(shell: Shell, positions: Float64Array, velocities: Float64Array): void {
    const { dynamics, field, difference, shellMasses } = this;
    for (let k = 0; k < difference.length; k++) difference[k] = velocities[k] - shell.velocities[k];
    fitLinearField(shell.positions, difference, shellMasses, field);
    addLinearField(field, dynamics.positions, dynamics.velocities);
    for (let k = 0; k < difference.length; k++) difference[k] = positions[k] - shell.positions[k];
    fitLinearField(shell.positions, difference, shellMasses, field);
    addLinearField(field, dynamics.positions, dynamics.positions);
    this.take(positions, velocities);
    dynamics.restart();
  }

  /** A whole step, from where the last one ended: elasticity, contacts that it knows, volume. Damping is part of it. */
  match(shell: Shell, timeStep: number): void {
    const { dynamics, nodes } = this;
    this.take(shell.starts, shell.velocities);
    this.report = dynamics.step(timeStep, WEIGHTLESS, this.contacts);
    const { positions, velocities } = dynamics;
    for (let i = 0, k = 0; i < nodes.length; i++, k += 3) {
      let square = 0;
      for (let c = 0; c < 3; c++) {
        const predicted = shell.starts[k + c] + timeStep * shell.velocities[k + c];
        square += (positions[3 * nodes[i] + c] - predicted) ** 2;
        shell.positions[k + c] = positions[3 * nodes[i] + c];
        shell.velocities[k + c] = velocities[3 * nodes[i] + c];
      }
      shell.changes[i] = Math.sqrt(square);
    }
  }

  damp(): void {}

  takeOver(shell: Shell): void {
    this.take(shell.positions, shell.velocities);
  }

  /** The boundary's nodes become the particles. */
  private take(positions: Float64Array, velocities: Float64Array): void {
    const { dynamics, nodes } = this;
    for (let i = 0; i < nodes.length; i++) {
      for (let c = 0; c < 3; c++) {
        dynamics.positions[3 * nodes[i] + c] = positions[3 * i + c];
        dynamics.velocities[3 * nodes[i] + c] = velocities[3 * i + c];
      }
    }
  }
}

function dynamicsOf(settings: TetrahedraSettings) {
  return {
    material: materialOf(settings),
    incompressible: settings.poissonRatio === 'incompressible',
    massDamping: settings.damping.mass,
    stiffnessDamping: settings.damping.stiffness,
    tolerance: settings.tolerance,
    recoveryTime: settings.recoveryTime,
  };
}
