// Incompressible elasticity against its closed forms: stretch, twist and inflation of a neo-Hookean body. Linear elements come near in the second order of their size, so two sizes give a limit (Richardson), which is
// what is compared; stretch is the same everywhere, which elements have exactly.

import { describe, expect, it } from 'vitest';
import { stuff } from '../../../src/mesh/tetrahedralise/stuff.js';
import type { TetraMesh } from '../../../src/mesh/tetrahedralise/tetra-mesh.js';
import type { TetraDynamics } from '../../../src/solvers/tetrahedra/dynamics.js';
import { Elements } from '../../../src/solvers/tetrahedra/elements.js';
import { found } from '../../findings.js';
import { makeDynamics, neo, type Plane, planes, WEIGHTLESS } from './test-dynamics.js';
import { cylinder, kuhnBox } from './tetra-bodies.js';

const MU = 1e4;
const [TIME_STEP, STEPS] = [1 / 60, 90];
/** Smoothly from 0 to 1 within the first quarter. */
const ramp = (step: number): number => {
  const x = Math.min(1, (4 * step) / STEPS);
  return x * x * (3 - 2 * x);
};
const make = (mesh: TetraMesh): TetraDynamics =>
  makeDynamics(mesh, { material: neo(3 * MU), massDamping: 8, kernels: true });

/** Leads pinned nodes along places by step, then lets the body come to rest. Returns what holds all nodes [N]. */
function lead(body: TetraDynamics, placeOf: (node: number, share: number, out: Float64Array) => void): Float64Array {
  const { positions, velocities, pinned } = body;
  const place = new Float64Array(3);
  for (let n = 1; n <= STEPS; n++) {
    for (let node = 0; node < pinned.length; node++) {
      if (!pinned[node]) continue;
      placeOf(node, ramp(n), place);
      for (let c = 0; c < 3; c++) velocities[3 * node + c] = (place[c] - positions[3 * node + c]) / TIME_STEP;
    }
    body.step(TIME_STEP, WEIGHTLESS);
  }
  const [elastic, pressing] = [new Float64Array(positions.length), body.force];
  new Elements(body.rest, neo(3 * MU)).assemble(positions, elastic);
  body.pressureSolve.place(positions);
  body.pressureSolve.writeForce(body.pressure, pressing);
  return elastic.map((f, k) => -f - pressing[k]);
}

/** The limit of a quantity that errs by the square of the element's size. */
const limitOf = (coarse: number, fine: number, ratio: number): number => fine + (fine - coarse) / (ratio * ratio - 1);

describe('closed forms of an incompressible neo-Hookean body', () => {
  it('stretch: a cube pressed from four sides, σ₁ = μ (λ₁² − λ₃²), λ₃ = 1/λ₁²', () => {
    const [size, stretch] = [0.3, 0.8];
    const mesh = kuhnBox(3, 3, 3, size / 3);
    for (let k = 0; k < mesh.positions.length; k++) mesh.positions[k] -= size / 2;
    const body = make(mesh);
    const sides = ([[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]] as const).map((normal): Plane => ({ normal, offset: -size / 2, speed: 0 })); // biome-ignore format: four normals
    for (let n = 1; n <= STEPS; n++) {
      const gone = (size / 2) * (1 - stretch) * ramp(n) - size / 2;
      for (const side of sides) side.speed = (gone - side.offset) / TIME_STEP;
      body.step(TIME_STEP, WEIGHTLESS, planes(sides));
      for (const side of sides) side.offset = gone;
    }
    const { contacts, positions } = body;
    const along = 1 / stretch ** 2;
    const wanted = MU * (along ** 2 - stretch ** 2) * stretch * along * size * size;
    const forces = [0, 0, 0, 0];
    for (let i = 0; i < contacts.count; i++) forces[contacts.obstacles[i]] += contacts.impulses[i] / TIME_STEP;
    found('closed forms', 'stretch', { 'of the force': Math.max(...forces) / wanted });
    // The conjugate gradients end at a thousandth, one-rings at a thousandth of their volume.
    for (const force of forces) expect(Math.abs(force / wanted - 1)).toBeLessThan(1e-3);
    const heights = positions.filter((_, k) => k % 3 === 1);
    expect(Math.abs((Math.max(...heights) - Math.min(...heights)) / size / along - 1)).toBeLessThan(1e-3);
  });

  it('twist: a cylinder whose ends turn, M = μ ψ J', () => {
    const [length, radius, angle] = [0.3, 0.2, 0.3];
    const twist = (rings: number): number => {
      const mesh = cylinder(rings, 2 * rings, radius, length);
      const { positions: x, tetrahedra } = mesh;
      const body = make(mesh);
      for (let n = 0; n < body.rest.count; n++) {
        if (x[3 * n + 2] < 1e-9 || x[3 * n + 2] > length - 1e-9) body.pinned[n] = 1;
      }
      const forces = lead(body, (n, share, out) => {
        const turned = x[3 * n + 2] > length / 2 ? angle * share : 0;
        const [c, s] = [Math.cos(turned), Math.sin(turned)];
        out.set([c * x[3 * n] - s * x[3 * n + 1], s * x[3 * n] + c * x[3 * n + 1], x[3 * n + 2]]);
      });
      const { positions: y } = body;
      let [torque, polar] = [0, 0];
      for (let n = 0; n < body.rest.count; n++) {
        if (!body.pinned[n] || x[3 * n + 2] < length / 2) continue;
        torque += y[3 * n] * forces[3 * n + 1] - y[3 * n + 1] * forces[3 * n];
      }
      // J of the mesh's own section: ∫ r² over each tetrahedron.
      for (let t = 0; t < body.rest.tetraCount; t++) {
        let [squares, sx, sy] = [0, 0, 0];
        for (let c = 0; c < 4; c++) {
          const k = 3 * tetrahedra[4 * t + c];
          squares += x[k] ** 2 + x[k + 1] ** 2;
          sx += x[k];
          sy += x[k + 1];
        }
        polar += ((body.rest.volumes[t] / 20) * (squares + sx * sx + sy * sy)) / length;
      }
      return torque / (((MU * angle) / length) * polar);
    };
    const [coarse, fine] = [twist(3), twist(4)];
    found('closed forms', 'twist', { coarse, fine, limit: limitOf(coarse, fine, 4 / 3) });
    // Three rings of elements are not quite in the second order yet: the limit is some 5 % low.
    expect(Math.abs(limitOf(coarse, fine, 4 / 3) - 1)).toBeLessThan(0.06);
    expect(fine).toBeLessThan(1.15);
  });

  it('inflation: a thick sphere, p = 2μ (1/λb + 1/4λb⁴ − 1/λa − 1/4λa⁴)', () => {
    const [inner, outer, stretch] = [0.25, 0.5, 1.3];
    const inflate = (cell: number): number => {
      const field = (x: number, y: number, z: number): number => {
        const r = Math.sqrt(x * x + y * y + z * z);
        return Math.max(inner - r, r - outer);
      };
      const low = [-outer, -outer, -outer] as const;
      const mesh = stuff(field, [low, [outer, outer, outer]], { cell, grading: 0 });
      const x = mesh.positions.slice();
      const body = make(mesh);
      const { boundary } = body.rest;
      for (const n of boundary.nodes) {
        const square = x[3 * n] ** 2 + x[3 * n + 1] ** 2 + x[3 * n + 2] ** 2;
        if (square < ((inner + outer) / 2) ** 2) body.pinned[n] = 1;
      }
      const forces = lead(body, (n, share, out) => {
        for (let c = 0; c < 3; c++) out[c] = (1 + (stretch - 1) * share) * x[3 * n + c];
      });
      // By the work of an inflation: all nodes of the hollow go as far as they are from the middle.
      let work = 0;
      for (let k = 0; k < forces.length; k++) if (body.pinned[Math.trunc(k / 3)]) work += forces[k] * body.positions[k];
      const enclosed = (y: Float64Array, isHollow: boolean): number => {
        let six = 0;
        const { triangles } = boundary.mesh;
        for (let t = 0; t < triangles.length; t += 3) {
          const [a, b, c] = [0, 1, 2].map((corner) => boundary.nodes[triangles[t + corner]]);
          if ((body.pinned[a] === 1) !== isHollow) continue;
          const [p, q, r] = [a, b, c].map((n) => y.subarray(3 * n, 3 * n + 3));
          six +=
            p[0] * (q[1] * r[2] - q[2] * r[1]) +
            p[1] * (q[2] * r[0] - q[0] * r[2]) +
            p[2] * (q[0] * r[1] - q[1] * r[0]);
        }
        return Math.abs(six) / 6;
      };
      const far = Math.cbrt(enclosed(body.positions, false) / enclosed(x, false));
      const wanted = 2 * MU * (1 / far + 1 / (4 * far ** 4) - 1 / stretch - 1 / (4 * stretch ** 4));
      return work / (3 * enclosed(body.positions, true)) / wanted;
    };
    const [coarse, fine] = [inflate(0.16), inflate(0.12)];
    found('closed forms', 'inflation', { coarse, fine, limit: limitOf(coarse, fine, 4 / 3) });
    expect(Math.abs(limitOf(coarse, fine, 4 / 3) - 1)).toBeLessThan(0.03);
    expect(fine).toBeLessThan(1.12);
  });
});
