// What a user can set about the tetrahedra solver, and every default in one place.

import { expectNumber, showInput } from '../../math/expect.js';
import { expectKnownFields } from '../../math/known-fields.js';
import { corotated, extend, type Material, neoHookean, stVenantKirchhoff } from './materials.js';

export type MaterialName = 'neo-hookean' | 'corotated' | 'st-venant-kirchhoff';

export interface TetrahedraSettings {
  /** Young's modulus [Pa], 1 to 1e10: 1e4 is jelly, 1e6 rubber. */
  readonly youngsModulus: number;
  /** Keeps the volume of every one-ring of nodes; or Poisson's ratio, 0 to 0.499, of a material that alone resists. */
  readonly poissonRatio: 'incompressible' | number;
  /** A known material, or an energy of one's own in the principal stretches. */
  readonly material: MaterialName | Material;
  readonly damping: TetrahedraDamping;
  /** Largest |V/V⁰ − 1| of a one-ring that a step may leave, 1e-6 to 0.1. */
  readonly tolerance: number;
  /** Shortest time in which lost volume comes back [s]; 0 for within a step. */
  readonly recoveryTime: number;
}

export interface TetrahedraDamping {
  /** Of the velocity [1/s]. */
  readonly mass: number;
  /** Of the rate of strain [s]. */
  readonly stiffness: number;
}

export type TetrahedraOptions = Partial<Omit<TetrahedraSettings, 'damping'>> & {
  readonly damping?: Partial<TetrahedraDamping>;
};

/** The solver as a value that the user passes around: `tetrahedra({ youngsModulus: 2e4 })`. */
export interface TetrahedraSolver {
  readonly type: 'tetrahedra';
  readonly settings: TetrahedraSettings;
}

export const TETRAHEDRA_DEFAULTS: TetrahedraSettings = Object.freeze({
  youngsModulus: 5e4,
  poissonRatio: 'incompressible',
  material: 'neo-hookean',
  damping: Object.freeze({ mass: 0, stiffness: 0 }),
  tolerance: 1e-3,
  recoveryTime: 0,
});

const MATERIALS: Readonly<Record<MaterialName, (mu: number, lambda: number) => Material>> = {
  'neo-hookean': neoHookean,
  corotated,
  'st-venant-kirchhoff': stVenantKirchhoff,
};
const MATERIAL_NAMES = Object.keys(MATERIALS);
/** Beyond it linear elements lock: a bar at 0.4999 bends by a sixth of what it does at 0.45. */
const LARGEST_POISSON = 0.499;

/** Finite elements that keep the volume of every one-ring of nodes. [ISF07] */
export function tetrahedra(options: TetrahedraOptions = {}): TetrahedraSolver {
  expectKnownFields('tetrahedra', options, Object.keys(TETRAHEDRA_DEFAULTS));
  const damping = options.damping ?? {};
  expectKnownFields('damping', damping, Object.keys(TETRAHEDRA_DEFAULTS.damping));
  const settings: TetrahedraSettings = {
    youngsModulus: options.youngsModulus ?? TETRAHEDRA_DEFAULTS.youngsModulus,
    poissonRatio: options.poissonRatio ?? TETRAHEDRA_DEFAULTS.poissonRatio,
    material: options.material ?? TETRAHEDRA_DEFAULTS.material,
    damping: Object.freeze({
      mass: damping.mass ?? TETRAHEDRA_DEFAULTS.damping.mass,
      stiffness: damping.stiffness ?? TETRAHEDRA_DEFAULTS.damping.stiffness,
    }),
    tolerance: options.tolerance ?? TETRAHEDRA_DEFAULTS.tolerance,
    recoveryTime: options.recoveryTime ?? TETRAHEDRA_DEFAULTS.recoveryTime,
  };
  expectNumber('youngsModulus', settings.youngsModulus, 1, 1e10);
  expectPoissonRatio(settings.poissonRatio);
  expectMaterial(settings.material);
  expectNumber('damping.mass', settings.damping.mass, 0, 1e3);
  expectNumber('damping.stiffness', settings.damping.stiffness, 0, 1);
  expectNumber('tolerance', settings.tolerance, 1e-6, 0.1);
  expectNumber('recoveryTime', settings.recoveryTime, 0, 1e3);
  return Object.freeze({ type: 'tetrahedra', settings: Object.freeze(settings) });
}

/** The material of settings, extended to all stretches. Where one-rings keep the volume it has no λ, which would lock. */
export function materialOf({ youngsModulus, poissonRatio, material }: TetrahedraSettings): Material {
  if (typeof material === 'object') return extend(material);
  if (poissonRatio === 'incompressible') return extend(MATERIALS[material](youngsModulus / 3, 0));
  const mu = youngsModulus / (2 * (1 + poissonRatio));
  const lambda = (youngsModulus * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
  return extend(MATERIALS[material](mu, lambda));
}

function expectPoissonRatio(value: unknown): void {
  if (value === 'incompressible') return;
  if (typeof value === 'number' && value >= 0 && value <= LARGEST_POISSON) return;
  throw new RangeError(
    `poissonRatio: expected 'incompressible' or a number from 0 to ${LARGEST_POISSON}, got ${showInput(value)}`,
  );
}

function expectMaterial(value: unknown): void {
  if (typeof value === 'string' && MATERIAL_NAMES.includes(value)) return;
  const isOwn =
    typeof value === 'object' &&
    value !== null &&
    ['energy', 'writeGradient', 'writeHessian'].every((name) => typeof value[name as never] === 'function');
  if (isOwn) return;
  throw new RangeError(
    `material: expected one of ${MATERIAL_NAMES.join(', ')} or { energy, writeGradient, writeHessian }, got ${showInput(value)}`,
  );
}
