// The kernels of the octree solver: one instance per body, which finds everything through the record in its memory.

export { place, placeStarts } from './carrying';
export { damp } from './damping';
export { follow, followVelocities, longestStray } from './following';
export { measureCarried, measureShell, moveByField } from './surface-momentum';
export { pull, writeFrames } from './transforms';
