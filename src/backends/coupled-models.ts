// Hosted models that meet each other within their solves, by solver: gathered from the bodies of a world and taken through a
// substep together.

import type { StateTree } from '../math/state-tree.js';
import type { CoupledMember, ModelCoupling } from '../solvers/model-coupling.js';
import type { Prepared } from '../solvers/solver.js';

/** A body that may take part. */
export interface CouplableBody {
  readonly prepared: Prepared;
}

const NONE: readonly number[] = [];

export class CoupledModels<B extends CouplableBody> {
  /** By what makes them. */
  private readonly couplings = new Map<() => ModelCoupling, ModelCoupling>();
  private readonly makers: (() => ModelCoupling)[] = [];

  /** Whether a body's model is matched here, not by itself. */
  takes({ prepared }: B): boolean {
    return prepared.solver.couple !== undefined;
  }

  /** The same number above 0 for bodies that are matched together; 0 for others. */
  numberOf({ prepared }: B): number {
    const { couple } = prepared.solver;
    if (!couple) return 0;
    if (!this.makers.includes(couple)) this.makers.push(couple);
    return 1 + this.makers.indexOf(couple);
  }

  /** `match` for all bodies whose models are coupled; `memberOf` tells what each takes part with. */
  match(bodies: readonly B[], timeStep: number, memberOf: (body: B, place: number) => CoupledMember): void {
    const groups = new Map<ModelCoupling, CoupledMember[]>();
    bodies.forEach((body, place) => {
      const coupling = this.couplingOf(body);
      if (!coupling) return;
      const members = groups.get(coupling) ?? [];
      groups.set(coupling, members);
      members.push(memberOf(body, place));
    });
    for (const [coupling, members] of groups) coupling.match(members, timeStep);
  }

  private couplingOf({ prepared }: B): ModelCoupling | undefined {
    const { couple } = prepared.solver;
    if (!couple) return undefined;
    const coupling = this.couplings.get(couple) ?? couple();
    this.couplings.set(couple, coupling);
    return coupling;
  }

  /** Places of bodies that pressed each other in the last substep, two by two. */
  get pressed(): readonly number[] {
    if (this.couplings.size === 0) return NONE;
    return [...this.couplings.values()].flatMap(({ pressed }) => pressed);
  }

  /** Of the solvers of these bodies, by name. */
  capture(bodies: readonly B[]): StateTree {
    const saved: { [type: string]: StateTree } = {};
    for (const body of bodies) {
      const coupling = this.couplingOf(body);
      if (coupling) saved[body.prepared.solver.type] ??= coupling.capture();
    }
    return saved;
  }

  restore(state: StateTree, bodies: readonly B[]): void {
    for (const body of bodies) {
      const saved = (state as { [type: string]: StateTree })[body.prepared.solver.type];
      if (saved !== undefined) this.couplingOf(body)?.restore(saved);
    }
  }
}
