// Where things are in memory, for the host: one description for it and for the kernels (assembly/layout.ts). All offsets are in bytes.

export * from './layout/body-pairs.js';
export * from './layout/body-record.js';
export * from './layout/contact-tree.js';
export * from './layout/obstacles.js';
export * from './layout/skin.js';
export * from './layout/world-record.js';
