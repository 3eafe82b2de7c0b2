// What the figures were measured on.

import { availableParallelism, cpus } from 'node:os';

export interface Machine {
  readonly cpu: string;
  /** Hardware threads that the process may use. */
  readonly cores: number;
  readonly node: string;
}

export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() || process.arch,
  cores: availableParallelism(),
  node: process.version,
});
