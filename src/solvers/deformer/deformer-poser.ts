// The collision-driven deformer as a body of scenes: its settings, and what they are to the library of src/deformer.

import { DEFORMER_DEFAULTS, DEFORMER_MODES, type DeformerMode } from '../../deformer/settings.js';
import type { NumberField } from '../fields.js';
import type { Poser } from '../poser.js';

interface DeformerValues {
  readonly reach: number;
  readonly cells?: number;
  readonly volumeTarget: number;
  readonly envelope: number;
  readonly holdCentroid: number;
  readonly tolerance: number;
  readonly mode: DeformerMode;
  readonly iterations: number;
}

const share = (given: Pick<NumberField, 'label' | 'words' | 'default'>): NumberField => ({
  ...{ kind: 'number', change: 'prepared', low: 0, high: 1, step: 0.01 },
  ...given,
});

/** Cells along the longest side of the cube around the body are a power of two: as many as are asked for, or the next. */
function depthFor(cells: number): number {
  let depth = 1;
  while (1 << depth < cells) depth++;
  return depth;
}

/** Factor below which places are no softer: flesh without any stiffness has no minimum. */
const LEAST_STIFFNESS = 1e-3;

const makePoser = (): Poser => ({
  type: 'deformer',
  words: 'Posed, not simulated: gives way to colliders at each moment by itself, and keeps its volume.',
  fields: {
    reach: share({
      label: 'Reach',
      words: 'How far a dent is felt: 0 soft and local, 1 stiff and global.',
      default: DEFORMER_DEFAULTS.reach,
    }),
    cells: {
      ...{ kind: 'integer', change: 'prepared', low: 2, high: 256, label: 'Cells' },
      words: 'Cells along its longest side, rounded up to a power of two; by its edges where left out.',
    },
    volumeTarget: {
      ...{ kind: 'number', change: 'prepared', low: 0.5, high: 2, step: 0.01, label: 'Volume' },
      words: "Volume after the deformation, in volumes of the input's.",
      default: DEFORMER_DEFAULTS.volume,
    },
    envelope: share({
      label: 'Envelope',
      words: 'Share of the deformation that is shown.',
      default: DEFORMER_DEFAULTS.envelope,
    }),
    holdCentroid: share({
      label: 'Hold centroid',
      words: 'How firmly the body as a whole is kept where it is.',
      default: Number(DEFORMER_DEFAULTS.holdCentroid),
    }),
    tolerance: {
      ...{ kind: 'number', change: 'prepared', low: 1e-6, high: 1e-2, label: 'Tolerance' },
      words: 'Largest step at which the minimum counts as reached, in half sizes; 1e-3 for previews.',
      default: DEFORMER_DEFAULTS.tolerance,
    },
    mode: {
      ...{ kind: 'choice', change: 'prepared', label: 'Mode', options: DEFORMER_MODES },
      words: "minimise for the result; iterate for the paper's own iteration, which keeps no volume.",
      default: DEFORMER_DEFAULTS.mode,
    },
    iterations: {
      ...{ kind: 'integer', change: 'prepared', low: 1, high: 100_000, label: 'Iterations' },
      words: 'Iterations of the mode iterate.',
      default: DEFORMER_DEFAULTS.iterations,
    },
  },
  maps: {
    hold: 'Factor on how firmly a place is held where the animator put it.',
    collision: 'Whether vertices collide: those from 0.5.',
  },
  keyed: ['reach', 'volumeTarget', 'envelope', 'holdCentroid'],
  frameSettings(values) {
    const { reach, volumeTarget, envelope, holdCentroid } = values as Partial<DeformerValues>;
    return {
      ...(reach !== undefined && { reach }),
      ...(volumeTarget !== undefined && { volume: volumeTarget }),
      ...(envelope !== undefined && { envelope }),
      ...(holdCentroid !== undefined && { holdCentroid }),
    };
  },
  settings(values, { hold, stiffness, collision }) {
    const { reach, cells, volumeTarget, envelope, holdCentroid, ...others } = values as DeformerValues;
    const { tolerance, mode, iterations } = others;
    return {
      ...{ reach, envelope, holdCentroid, tolerance, mode, iterations },
      volume: volumeTarget,
      depth: cells === undefined ? 'auto' : depthFor(cells),
      maps: {
        ...(hold && { hold }),
        ...(stiffness && { stiffness: Float64Array.from(stiffness, (factor) => Math.max(LEAST_STIFFNESS, factor)) }),
        ...(collision && { collision }),
      },
    };
  },
});

export const deformerPoser = /* @__PURE__ */ makePoser();
