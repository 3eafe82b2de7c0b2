// The benchmarks by name; each is loaded when it is asked for, so that none pays for another's engines.

import type { Progress } from '../src/cli/progress.js';
import type { Row } from './rows.js';

/** Measures everything in this process and gives the rows of its table. */
export type Benchmark = (progress: Progress) => Promise<Row[]>;

export const BENCHMARKS: Readonly<Record<string, () => Promise<Benchmark>>> = {
  peers: async () => (await import('./peers/index.js')).peers,
  table1: async () => (await import('./table1.js')).table1,
  table2: async () => (await import('./table2.js')).table2,
  contended: async () => (await import('./contended.js')).contended,
  tetrahedra: async () => (await import('./tetrahedra.js')).tetrahedraDrop,
  scenes: async () => (await import('./built-in-scenes.js')).builtInScenes,
  startup: async () => (await import('./startup.js')).startup,
  skins: async () => (await import('./skins.js')).skins,
  scaling: async () => (await import('./scaling.js')).scaling,
  octree: async () => (await import('./octree.js')).octreeBench,
  deformer: async () => (await import('./deformer.js')).deformer,
};
