// The kernels of the octree solver: one instance per body, which finds everything through the record in its memory.

export { place, writeChanges } from './carrying';
export { damp } from './damping';
export { follow, followVelocities } from './following';
export { measureCarried, measureShell, moveByField } from './surface-momentum';
export { pull, writeFrames } from './transforms';
