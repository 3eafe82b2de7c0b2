// Errors on their way from the worker to the page: they arrive as what they were, in the same words.

import { RepairError, type RepairReason } from '../mesh/repair/repair-report.js';
import type { MeshProblem } from '../mesh/validate.js';
import { MeshError } from '../solvers/prepare.js';
import { UnsupportedBackendError } from '../world/world-options.js';
import type { Fault } from './messages.js';

export function packFault(error: unknown): Fault {
  if (error instanceof MeshError) return { name: 'MeshError', message: error.message, detail: error.problems };
  if (error instanceof RepairError) return { name: 'RepairError', message: error.message, detail: error.reason };
  if (error instanceof UnsupportedBackendError) return { name: 'UnsupportedBackendError', message: error.message };
  if (error instanceof RangeError) return { name: 'RangeError', message: error.message };
  return { name: 'Error', message: error instanceof Error ? error.message : String(error) };
}

export function unpackFault({ name, message, detail }: Fault): Error {
  if (name === 'MeshError') return new MeshError(detail as readonly MeshProblem[]);
  if (name === 'RepairError') return new RepairError(detail as RepairReason, message);
  if (name === 'UnsupportedBackendError') return new UnsupportedBackendError(message);
  return name === 'RangeError' ? new RangeError(message) : new Error(message);
}
