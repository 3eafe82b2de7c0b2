// Threads on one large body: the bits are those of one thread, and of the TypeScript, whoever does what.

import { describe, expect, it } from 'vitest';
import type { ContactSource } from '../../../src/solvers/tetrahedra/contact-rows.js';
import { orderElimination } from '../../../src/solvers/tetrahedra/elimination-order.js';
import { buildPressurePattern } from '../../../src/solvers/tetrahedra/pressure-matrix.js';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';
import { LARGE } from '../../../src/solvers/tetrahedra/runs.js';
import { floorAt, GRAVITY, makeDynamics, planes } from './test-dynamics.js';
import { ball } from './tetra-bodies.js';

const mesh = ball(0.09);
const rest = buildTetraRest(mesh);

describe('a large body', () => {
  it('is one', () => {
    expect(rest.tetraCount).toBeGreaterThan(LARGE);
  });

  it.each([
    { name: 'dropped', speed: 3, source: floorAt(-0.5) },
    {
      // Elements nearly flat, which kernels leave to the TypeScript.
      name: 'crushed',
      speed: 0,
      source: planes([
        { normal: [0, 1, 0], offset: -0.2, speed: 4 },
        { normal: [0, -1, 0], offset: -0.2, speed: 4 },
      ]),
    },
  ])('has the same bits in TypeScript, on one thread and on two: $name', async ({ speed, source }) => {
    const make = (kernels: boolean, threads: number) => {
      const body = makeDynamics(mesh, { kernels, threads });
      for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -speed;
      return body;
    };
    const [plain, one, two] = [make(false, 1), make(true, 1), make(true, 2)];
    if (two.team) two.team.choice.usesAll = true;
    const step = (body: typeof plain, from: ContactSource) => body.step(1 / 240, GRAVITY, from);
    for (let n = 0; n < 2; n++) {
      const expected = step(plain, source);
      for (const body of [one, two]) {
        expect(step(body, source)).toEqual(expected);
        const { positions, velocities, pressure } = body;
        expect(positions.every((x, k) => Object.is(x, plain.positions[k]))).toBe(true);
        expect(velocities.every((v, k) => Object.is(v, plain.velocities[k]))).toBe(true);
        expect(pressure.every((p, k) => Object.is(p, plain.pressure[k]))).toBe(true);
      }
      // Workers join after the first step.
      for (let looks = 0; looks < 500 && !two.team?.isComplete; looks++) await new Promise((r) => setTimeout(r, 10));
      expect(two.team?.isComplete).toBe(true);
    }
    two.team?.dispose();
    expect(step(two, source)).toEqual(step(one, source));
  });

  it('is summed up in runs, of which those of one colour share no node', () => {
    const { tetraRuns, nodeRuns, tetraCount, count, neighbours } = rest;
    const { starts, columns } = neighbours;
    const kinds = [
      { runs: tetraRuns, total: tetraCount, writes: (t: number) => mesh.tetrahedra.subarray(4 * t, 4 * t + 4) },
      { runs: nodeRuns, total: count, writes: (n: number) => columns.subarray(starts[n], starts[n + 1]) },
    ];
    for (const { runs, total, writes } of kinds) {
      const { ranges, colours } = runs;
      const seen = new Uint8Array(total);
      for (let c = 0; c + 1 < colours.length; c++) {
        const owners = new Map<number, number>();
        for (let r = colours[c]; r < colours[c + 1]; r++) {
          for (let i = ranges[2 * r]; i < ranges[2 * r + 1]; i++) {
            seen[i]++;
            for (const node of writes(i)) {
              if (!owners.has(node)) owners.set(node, r);
              else if (owners.get(node) !== r) throw new Error(`runs of colour ${c} share node ${node}`);
            }
          }
        }
      }
      expect(seen.every((times) => times === 1)).toBe(true);
      expect(colours.length).toBeGreaterThan(4);
    }
  });

  it('is eliminated in two chains that need nothing of each other, and what is between them', () => {
    const { starts, columns } = buildPressurePattern(rest);
    const { order, chains } = orderElimination(mesh.positions, starts, columns, true);
    expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
    const chainOf = new Uint8Array(rest.count);
    order.forEach((node, k) => {
      chainOf[node] = k < chains[1] ? 1 : k < chains[2] ? 2 : 0;
    });
    for (let row = 0; row < rest.count; row++) {
      for (let s = starts[row]; s < starts[row + 1]; s++) {
        const [a, b] = [chainOf[row], chainOf[columns[s]]];
        if (a > 0 && b > 0 && a !== b) throw new Error(`the chains share ${row} and ${columns[s]}`);
      }
    }
    // Most of it in the chains, halves alike.
    expect(chains[2]).toBeGreaterThan(0.7 * rest.count);
    expect(Math.abs(chains[2] / chains[1] - 2)).toBeLessThan(0.1);
  });
});
