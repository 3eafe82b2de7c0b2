// What a user can set about the tetrahedra solver, and every default in one place.

import type { ChoiceField, GroupField, NumberField } from '../fields.js';
import type { SolverSettings } from '../solver-settings.js';
import { corotated, extend, type Material, neoHookean, stVenantKirchhoff } from './materials.js';
import { MUSCLE_STRENGTH } from './muscle.js';

/** Name of a material that comes with the package. */
export type MaterialName = 'neo-hookean' | 'corotated' | 'st-venant-kirchhoff';
/** Along an axis of the mesh at rest; in a direction for each place in it; or three numbers per tetrahedron. False for none. */
export type Fibres =
  | false
  | { readonly axis: readonly [number, number, number] }
  | ((x: number, y: number, z: number) => ArrayLike<number>)
  | Float64Array;

/** All settings of finite elements. */
export interface TetrahedraSettings extends SolverSettings {
  /** Young's modulus [Pa], 1 to 1e10: 1e4 is jelly, 1e6 rubber. */
  readonly youngsModulus: number;
  /** Keeps the volume of every one-ring of nodes; or Poisson's ratio, 0 to 0.499, of a material that alone resists. */
  readonly poissonRatio: 'incompressible' | number;
  /** A known material, or an energy of one's own in the principal stretches. */
  readonly material: MaterialName | Material;
  readonly damping: TetrahedraDamping | false;
  /** Largest |V/V⁰ − 1| of a one-ring that a step may leave, 1e-6 to 0.1. */
  readonly tolerance: number;
  /** Shortest time in which lost volume comes back [s]; 0 for within a step. */
  readonly recoveryTime: number;
  /** Cells along the longest side of the box round a surface, each filled with up to 12 tetrahedra, 1…64; a solid mesh has its own. */
  readonly cells: number;
  /** Directions of muscle fibres. */
  readonly fibres: Fibres;
  /** Tension of a fully active fibre at its best length, per area at rest [Pa]. */
  readonly strength: number;
  /** How active the fibres are, 0…1. */
  readonly activation: number;
}

/** What takes energy from a body of tetrahedra. */
export interface TetrahedraDamping {
  /** Of the velocity [1/s]. */
  readonly mass: number;
  /** Of the rate of strain [s]. */
  readonly stiffness: number;
}

/** What `tetrahedra()` takes. */
export type TetrahedraOptions = Partial<Omit<TetrahedraSettings, 'damping' | 'volume'>> & {
  readonly damping?: Partial<TetrahedraDamping> | boolean;
};

/** Enough viscosity for a jelly ball of a metre to come to rest within some two seconds; ten times as much is dough. */
const DAMPING: TetrahedraDamping = /* @__PURE__ */ Object.freeze({ mass: 0, stiffness: 0.01 });

declare module '../live-settings.js' {
  interface LiveSettings
    extends Partial<
      Pick<
        TetrahedraSettings,
        'youngsModulus' | 'poissonRatio' | 'tolerance' | 'recoveryTime' | 'strength' | 'activation'
      >
    > {}
}

/** Settings of `tetrahedra()` where none are given. */
export const TETRAHEDRA_DEFAULTS: TetrahedraSettings = /* @__PURE__ */ Object.freeze({
  youngsModulus: 5e4,
  poissonRatio: 'incompressible',
  material: 'neo-hookean',
  damping: DAMPING,
  tolerance: 1e-3,
  recoveryTime: 0,
  cells: 8,
  fibres: false,
  strength: MUSCLE_STRENGTH,
  activation: 0,
});

/** Beyond it linear elements lock: a bar at 0.4999 bends by a sixth of what it does at 0.45. */
const LARGEST_POISSON = 0.499;
/** A cube of so many has some 10⁶ tetrahedra, whose step takes seconds. */
const MOST_CELLS = 64;

const isMaterial = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['energy', 'writeGradient', 'writeHessian'].every((name) => typeof value[name as never] === 'function');

const live = { kind: 'number', change: 'live' } as const;

const allFields = () => ({
  youngsModulus: {
    ...live,
    label: 'Young’s modulus [Pa]',
    words: 'How stiff the material is [Pa]: 1e4 is jelly, 1e6 rubber.',
    low: 1,
    high: 1e10,
    default: TETRAHEDRA_DEFAULTS.youngsModulus,
    step: 1000,
  } as const satisfies NumberField,
  poissonRatio: {
    ...live,
    label: 'Poisson’s ratio',
    words: "'incompressible' keeps the volume of every one-ring; a number is that of a material that alone resists.",
    named: ['incompressible'],
    low: 0,
    high: LARGEST_POISSON,
    step: 0.01,
  } as const satisfies NumberField,
  material: {
    kind: 'choice',
    change: 'prepared',
    label: 'Material',
    words: 'How stress grows with stretch; in programs also an energy of one’s own.',
    options: ['neo-hookean', 'corotated', 'st-venant-kirchhoff'],
    default: 'neo-hookean',
    own: { words: '{ energy, writeGradient, writeHessian }', check: isMaterial },
  } as const satisfies ChoiceField,
  damping: {
    kind: 'group',
    change: 'live',
    label: 'Damped',
    words: 'What takes energy; false for what the time step takes alone.',
    default: true,
    fields: {
      mass: {
        ...live,
        label: 'Drag [1/s]',
        words: 'Share of the velocity that is lost in a second [1/s].',
        low: 0,
        high: 1000,
        default: DAMPING.mass,
        step: 0.1,
      },
      stiffness: {
        ...live,
        label: 'Viscosity [s]',
        words: 'Stress by the rate of strain, in stiffnesses [s].',
        low: 0,
        high: 1,
        default: DAMPING.stiffness,
        step: 0.001,
      },
    },
  } as const satisfies GroupField,
  tolerance: {
    ...live,
    label: 'Volume tolerance',
    words: 'Largest relative error of a one-ring’s volume that a step may leave.',
    low: 1e-6,
    high: 0.1,
    default: TETRAHEDRA_DEFAULTS.tolerance,
    step: 0.0001,
  } as const satisfies NumberField,
  recoveryTime: {
    ...live,
    label: 'Recovery [s]',
    words: 'Shortest time in which lost volume comes back [s]; 0 for within a step.',
    low: 0,
    high: 1000,
    default: 0,
    step: 0.01,
  } as const satisfies NumberField,
  cells: {
    kind: 'integer',
    change: 'prepared',
    label: 'Cells',
    words:
      "Cells along the longest side of the body's bounding box that are filled with elements; a solid mesh has its own.",
    low: 1,
    high: MOST_CELLS,
    default: TETRAHEDRA_DEFAULTS.cells,
  } as const satisfies NumberField,
  fibres: {
    kind: 'group',
    change: 'prepared',
    label: 'Muscle fibres',
    words: 'Directions of muscle fibres: along an axis; in programs also for each place or element.',
    default: false,
    fields: {
      axis: {
        kind: 'direction',
        change: 'prepared',
        label: 'Along',
        words: 'Axis of the mesh at rest that muscle fibres run along.',
        ...{ low: -1, high: 1, default: [0, 1, 0], step: 0.01 },
        labels: ['x', 'y', 'z'],
        names: ['fibreX', 'fibreY', 'fibreZ'],
      },
    },
    own: {
      words: 'a function of x, y, z, a Float64Array of three numbers per tetrahedron',
      check: (value) => typeof value === 'function' || value instanceof Float64Array,
    },
  } as const satisfies GroupField,
  strength: {
    ...live,
    label: 'Strength [Pa]',
    words: 'Tension of a fully active fibre at its best length, per area at rest [Pa].',
    low: 0,
    high: 1e8,
    default: MUSCLE_STRENGTH,
    step: 1000,
  } as const satisfies NumberField,
  activation: {
    ...live,
    label: 'Activation',
    words: 'How active the fibres are.',
    low: 0,
    high: 1,
    default: 0,
    step: 0.01,
    keyed: true,
  } as const satisfies NumberField,
});

export const TETRAHEDRA_FIELDS = /* @__PURE__ */ allFields();

const MATERIALS: Readonly<Record<MaterialName, (mu: number, lambda: number) => Material>> = {
  'neo-hookean': neoHookean,
  corotated,
  'st-venant-kirchhoff': stVenantKirchhoff,
};

/** The material of settings, extended to all stretches. Where one-rings keep the volume it has no λ, which would lock. */
export function materialOf({ youngsModulus, poissonRatio, material }: TetrahedraSettings): Material {
  if (typeof material === 'object') return extend(material);
  if (poissonRatio === 'incompressible') return extend(MATERIALS[material](youngsModulus / 3, 0));
  const mu = youngsModulus / (2 * (1 + poissonRatio));
  const lambda = (youngsModulus * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
  return extend(MATERIALS[material](mu, lambda));
}
