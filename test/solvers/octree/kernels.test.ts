// The kernels against the loops in TypeScript: the same bits, through contact, pins, plastic flow, painted maps, a cut and changes of
// level. The loops are what the other tests hold to the laws.

import { describe, expect, it } from 'vitest';
import { prepare } from '../../../src/index.js';
import { StateHash } from '../../../src/math/hash.js';
import { normalize } from '../../../src/math/vec3.js';
import { box, creature, duck, icosphere } from '../../../src/mesh/index.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import type { Shell } from '../../../src/solvers/model.js';
import { CuttableOctree } from '../../../src/solvers/octree/cuttable-octree.js';
import { isInKernels } from '../../../src/solvers/octree/kernel-octree.js';
import { refineLeaves } from '../../../src/solvers/octree/level-of-detail.js';
import type { OctreeBody } from '../../../src/solvers/octree/octree-solver.js';
import { octree } from '../../../src/solvers/octree/octree-solver.js';
import type { OctreeOptions } from '../../../src/solvers/octree/settings.js';
import type { TopologyChange } from '../../../src/solvers/topology-change.js';

const STEP = 0.005;

function createShell(count: number, masses: Float64Array): Shell {
  const vectors = () => new Float64Array(3 * count);
  const arrays = { positions: vectors(), starts: vectors(), velocities: vectors(), changes: new Float64Array(count) };
  return { count, masses, ...arrays, anchored: false };
}

/** A body that a test moves by hand, in the stages of a step. */
class Puppet {
  model: CuttableOctree;
  shell: Shell;

  constructor(
    mesh: TriangleMesh,
    options: OctreeOptions,
    private readonly kernels: boolean,
    maps: Record<string, number[]> = {},
  ) {
    const { octree: rest, solver } = prepare(mesh, octree(options), { maps });
    this.model = new CuttableOctree(rest, solver.settings, undefined, kernels);
    this.shell = createShell(rest.count, rest.massShares);
    const positions = rest.mesh.positions.slice();
    const velocities = positions.map(
      (_, k) => (k % 3 === 1 ? -3 : 0) + (k % 3 === 0 ? 4 : -2) * positions[k - (k % 3) + 2],
    );
    this.shell.positions.set(positions);
    this.model.replace(this.shell, positions, velocities);
    this.shell.velocities.set(velocities);
  }

  /** A step that ends on a floor, above which some vertices are pinned. */
  step(floor: number, pinned: number): void {
    const { model, shell } = this;
    shell.starts.set(shell.positions);
    for (let k = 1; k < shell.velocities.length; k += 3) shell.velocities[k] -= STEP * 9.81;
    for (let k = 1; k < model.inner.velocities.length; k += 3) model.inner.velocities[k] -= STEP * 9.81;
    model.match(shell, STEP);
    const held = new Uint8Array(shell.count);
    const press = () => {
      for (let i = 0, k = 1; i < shell.count; i++, k += 3) {
        const isPinned = i < pinned;
        if (!isPinned && shell.positions[k] >= floor) continue;
        held[i] = 1;
        shell.positions[k] = isPinned ? shell.starts[k] : floor;
        shell.velocities[k] = (shell.positions[k] - shell.starts[k]) / STEP;
      }
    };
    press();
    model.takeOver(shell);
    if (!model.pullBack(shell, held)) return;
    press();
    model.takeOver(shell);
  }

  /** What `adapt` and `succeed` do in a world. */
  cut(): void {
    this.model.cut({ kind: 'plane', point: [0.05, 0.1, 0], normal: normalize([1, 0.2, 0.1]), within: Infinity });
    const change = this.model.adapt(this.shell);
    expect(change).toBeDefined();
    const { octree: rest } = (change as TopologyChange).rest as unknown as OctreeBody;
    const after = new CuttableOctree(rest, this.model.settings, undefined, this.kernels);
    const shell = createShell(rest.count, rest.massShares);
    after.succeed(this.model, shell);
    this.model = after;
    this.shell = shell;
  }

  hash(): string {
    const { model, shell } = this;
    const hash = new StateHash();
    for (const list of Object.values(model.state())) hash.update(list as Float64Array);
    for (const list of [shell.positions, shell.velocities, shell.changes]) hash.update(list);
    return hash.digest();
  }
}

const ball = icosphere({ detail: 2, radius: 0.5 });
const painted = (factor: (x: number) => number) =>
  Array.from({ length: ball.positions.length / 3 }, (_, i) => factor(ball.positions[3 * i]));
const maps = {
  stiffness: painted((x) => (x > 0 ? 0.3 : 1)),
  damping: painted((x) => (x > 0.1 ? 1 : 0.4)),
  density: painted((x) => 1 + x),
};

describe.each<[string, TriangleMesh, OctreeOptions, boolean, Record<string, number[]>?]>([
  ['duck', duck({ vertices: 300 }), {}, false],
  ['creature', creature({ vertices: 400 }), { damping: 0.05 }, false],
  [
    'plastic box',
    box({ size: [1, 0.6, 0.4], divisions: 4 }),
    { levels: 2, plasticity: { yield: 0.01, creep: 30 } },
    true,
  ],
  ['painted ball', ball, { stiffness: 0.6 }, false, maps],
  ['soft ball', ball, { stiffness: 0.01, damping: 0, cells: 3, levels: 2 }, false],
])('the kernels of the %s', (_, mesh, options, isCut, painting) => {
  it('do the same bits as the loops', () => {
    const [plain, inside] = [false, true].map((kernels) => new Puppet(mesh, options, kernels, painting));
    const both = (act: (puppet: Puppet) => void) => {
      act(plain);
      act(inside);
    };
    const compare = () => expect(inside.hash()).toBe(plain.hash());
    const floor = Math.min(...mesh.positions.filter((_, k) => k % 3 === 1)) - 0.02;
    const steps = (count: number, pinned: number) => {
      for (let n = 0; n < count; n++) both((puppet) => puppet.step(floor, pinned));
      compare();
    };
    steps(20, 0);
    expect(isInKernels(inside.model.surface)).toBe(true);
    expect(isInKernels(plain.model.surface)).toBe(false);
    steps(5, 9);
    both(({ model }) => model.change((forest) => refineLeaves(forest, forest.leaves().slice(0, 3))));
    steps(5, 0);
    if (isCut) both((puppet) => puppet.cut());
    both(({ model }) => {
      model.restScale = 1.1;
    });
    steps(8, 0);
    // Half a turn away Newton's method fails, and eigenvectors decide.
    both(({ model }) => model.reset([1, 0, 0, 0]));
    steps(3, 0);
  });
});
