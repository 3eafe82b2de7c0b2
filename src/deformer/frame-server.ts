// What a worker does: keeps the deformers that it was told of and answers frame by frame.

import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { DeformerCollider } from './collider-settings.js';
import type { DeformerFrame } from './deform-frame.js';
import { createDeformer, type Deformer } from './deformer.js';
import type { DeformerTask, FromWorker, SentFrame, ToWorker } from './frame-messages.js';

export class FrameServer {
  private readonly tasks = new Map<number, DeformerTask>();
  private readonly deformers = new Map<number, Deformer>();
  private readonly meshes = new Map<number, TriangleMesh>();

  /** The answer to a message, where it asks for one. */
  take(message: ToWorker): FromWorker | undefined {
    if (message.kind === 'bind') this.tasks.set(message.body, message.task);
    else if (message.kind === 'mesh') this.meshes.set(message.number, message.mesh);
    else if (message.kind === 'forget') this.meshes.delete(message.number);
    else return this.deform(message.job, message.body, message.frame);
    return undefined;
  }

  private deform(job: number, body: number, frame: SentFrame): FromWorker {
    try {
      return { job, result: this.deformerOf(body).at(this.receive(frame)) };
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      return { job, fault, isRange: error instanceof RangeError };
    }
  }

  /** Made when first needed: a worker that gets no frame of a body need not bind it. */
  private deformerOf(body: number): Deformer {
    let deformer = this.deformers.get(body);
    if (!deformer) {
      const task = this.tasks.get(body);
      if (!task) throw new RangeError(`body: expected the number of a body of the pool, got ${body}`);
      deformer = createDeformer(task.mesh, task.settings);
      this.deformers.set(body, deformer);
    }
    return deformer;
  }

  private receive(frame: SentFrame): DeformerFrame {
    const colliders = frame.colliders.map((collider) =>
      typeof collider === 'object' && collider?.shape === 'mesh'
        ? { ...collider, mesh: this.meshes.get(collider.mesh) as TriangleMesh }
        : (collider as DeformerCollider),
    );
    return { ...frame, colliders };
  }
}
