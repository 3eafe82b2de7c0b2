// What can be looked at inside a body of tetrahedra, by node: how far one-rings are from their volumes, how far elements are
// strained, what stress they bear. Never the nodal pressure, which holds null vectors.

import { writeDeformation } from './elements.js';
import type { Material } from './materials.js';
import type { TetraRest } from './rest.js';
import { writeRingSums, writeVolumes } from './ring-sums.js';
import { decompose } from './svd3.js';

export interface NodeViews {
  /** V/V⁰ − 1 of the one-ring. */
  readonly ringError: Float64Array;
  /** Largest |stretch − 1|, mean over the elements around. */
  readonly strain: Float64Array;
  /** Von Mises' stress of the material [Pa], mean over the elements around; tension of muscle fibres is not part of it. */
  readonly stress: Float64Array;
}

/** At positions x [m], of the first `count` nodes. */
export function viewNodes(rest: TetraRest, material: Material, x: Float64Array, count: number): NodeViews {
  const { tetrahedra } = rest.mesh;
  const volumes = new Float64Array(rest.tetraCount);
  const ringError = new Float64Array(rest.count);
  writeVolumes(x, tetrahedra, volumes);
  writeRingSums(tetrahedra, volumes, ringError);
  for (let n = 0; n < rest.count; n++) ringError[n] = ringError[n] / rest.ringVolumes[n] - 1;
  const [strain, stress] = [new Float64Array(rest.count), new Float64Array(rest.count)];
  const f = new Float64Array(9);
  const [u, v] = [new Float64Array(9), new Float64Array(9)];
  const [s, g] = [new Float64Array(3), new Float64Array(3)];
  for (let t = 0; t < rest.tetraCount; t++) {
    writeDeformation(rest, x, t, f);
    decompose(f, 0, u, s, v);
    material.writeGradient(s, g);
    const largest = Math.max(Math.abs(s[0] - 1), Math.abs(s[1] - 1), Math.abs(s[2] - 1));
    const mises = rest.stiffness[t] * vonMises(s, g);
    for (let c = 0; c < 4; c++) {
      const node = tetrahedra[4 * t + c];
      const share = rest.volumes[t] / (4 * rest.ringVolumes[node]);
      strain[node] += share * largest;
      stress[node] += share * mises;
    }
  }
  return { ringError: ringError.slice(0, count), strain: strain.slice(0, count), stress: stress.slice(0, count) };
}

/** Of principal stresses σᵢ = sᵢ gᵢ / J [Pa]; flat elements have none that means anything. */
function vonMises(s: Float64Array, g: Float64Array): number {
  const volume = s[0] * s[1] * s[2];
  if (!(volume > 0)) return 0;
  const [a, b, c] = [(s[0] * g[0]) / volume, (s[1] * g[1]) / volume, (s[2] * g[2]) / volume];
  return Math.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / 2);
}
