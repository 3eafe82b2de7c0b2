/**
 * A world in a worker: the page never waits for a step, nor for the preparation of a mesh.
 * @module isochore/worker
 */

export { createWorkerWorld, type GivenWorker, type WorkerWorldOptions } from './create-worker-world.js';
export type { WorkerContactEvent, WorkerSplitEvent } from './frame-reader.js';
export { hostWorld } from './host-world.js';
export { WorkerAttachment } from './worker-attachment.js';
export { WorkerBody } from './worker-body.js';
export { WorkerCollider } from './worker-collider.js';
export { WorkerGrip, WorkerPin, WorkerStroke } from './worker-handles.js';
export { WorkerPrepared } from './worker-prepared.js';
export { WorkerSkin } from './worker-skin.js';
export { type WorkerColliderHit, WorkerWorld } from './worker-world.js';
export type { HostedWorld, WorldProgram } from './world-program.js';
