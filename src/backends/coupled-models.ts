// Hosted models that meet each other within their solves, by solver: gathered from the bodies of a world and taken through a
// substep together.

import type { StateTree } from '../math/state-tree.js';
import type { CoupledMember, ModelCoupling } from '../solvers/model-coupling.js';
import type { Prepared } from '../solvers/solver.js';

/** A body that may take part. */
export interface CouplableBody {
  readonly prepared: Prepared;
}

export class CoupledModels<B extends CouplableBody> {
  /** By what makes them, and by the solver's name, which snapshots know them by. */
  private readonly couplings = new Map<
    () => ModelCoupling,
    { readonly type: string; readonly coupling: ModelCoupling }
  >();

  /** Whether a body's model is matched here, not by itself. */
  readonly takes = ({ prepared }: B): boolean => prepared.solver.couple !== undefined;

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
    const { couple, type } = prepared.solver;
    if (!couple) return undefined;
    const known = this.couplings.get(couple) ?? { type, coupling: couple() };
    this.couplings.set(couple, known);
    return known.coupling;
  }

  /** Places of bodies that pressed each other in the last substep, two by two. */
  get pressed(): number[] {
    return [...this.couplings.values()].flatMap(({ coupling }) => coupling.pressed);
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
