// A prepared body that lies in a worker: what the page knows of it.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { Solver } from '../solvers/solver.js';
import type { PreparedInfo } from './messages.js';
import type { WorldLink } from './world-link.js';

/** A prepared body that lies in a worker. */
export class WorkerPrepared {
  readonly mesh: TriangleMesh;
  /** What is to be looked at, where the solver simulates another surface. */
  readonly visible: TriangleMesh | undefined;
  /** V₀ [m³]. */
  readonly restVolume: number;
  /** Diameter of its bounding sphere [m]. */
  readonly size: number;
  /** Mass over density × volume. */
  readonly massFactor: number;

  /** Made by `WorkerWorld.prepare`. */
  constructor(
    readonly link: WorldLink,
    readonly id: number,
    info: PreparedInfo,
    /** Undefined for the default one. */
    readonly solver: Solver | undefined,
  ) {
    this.mesh = info.mesh;
    this.visible = info.visible;
    this.restVolume = info.restVolume;
    this.size = info.size;
    this.massFactor = info.massFactor;
    forgotten.register(this, { link, id }, this);
  }

  /** Frees it in the worker; bodies that were made of it stay. What nobody holds any more is freed without it, some time. */
  dispose(): void {
    forgotten.unregister(this);
    drop({ link: this.link, id: this.id });
  }
}

const drop = ({ link, id }: { readonly link: WorldLink; readonly id: number }): void => {
  if (link.isOpen) link.send({ kind: 'drop', id });
};

const forgotten = new FinalizationRegistry(drop);
