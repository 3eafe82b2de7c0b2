// A body and the mesh that is seen of it fall on a floor, and have to stay whole; see any-mesh.test.ts.

import { expect } from 'vitest';
import {
  asVisibleMesh,
  type Body,
  boundsOf,
  groupCoincidentVertices,
  prepare,
  type Skin,
  surface,
  type TriangleMesh,
  type VisibleMesh,
  type World,
} from '../../src/index.js';
import { worstDistance } from '../embedding/visible-meshes.js';

/** Of the size, which is 1 m. */
const TOGETHER = 1e-6;
/**
 * What stands out of the body's box, of the size. Offsets turn and stretch with the surface: at rest a cage is within 3 % of
 * what it is around, pressed on its side it may be stretched to three times that.
 */
const OUTSTANDING = 0.1;

/** Maps positions so that the lowest corner of a body is in the origin and its diagonal 1 m. */
function normaliserOf({ positions }: TriangleMesh): <M extends TriangleMesh>(mesh: M) => M {
  const [low, high] = boundsOf(positions);
  const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return (mesh) => ({ ...mesh, positions: mesh.positions.map((value, i) => (value - low[i % 3]) / size) });
}

/** Throws where a skin has come apart or stands out of its body. */
function expectWhole(skin: Skin, body: Body, heads: Uint32Array): void {
  skin.update();
  const [low, high] = boundsOf(body.positions);
  let [apart, outside] = [0, 0];
  skin.positions.forEach((value, k) => {
    const head = skin.positions[3 * heads[Math.trunc(k / 3)] + (k % 3)];
    // Not Math.max: what is no number must show.
    if (!(Math.abs(value - head) <= apart)) apart = Math.abs(value - head);
    outside = Math.max(outside, value - high[k % 3], low[k % 3] - value);
  });
  expect(apart).toBeLessThan(TOGETHER);
  expect(outside).toBeLessThan(OUTSTANDING);
  expect(skin.normals.every(Number.isFinite)).toBe(true);
}

/** Drops a body, and the mesh that is seen of it, in an empty world, which it disposes of. */
export async function dropMesh(
  world: World,
  steps: number,
  mesh: TriangleMesh,
  seen: VisibleMesh = asVisibleMesh(mesh),
): Promise<void> {
  const normalise = normaliserOf(mesh);
  const visible = normalise(seen);
  try {
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
    // Few rings: a region of a given radius has many on a fine mesh, and takes longer.
    const body = world.add(prepare(normalise(mesh), surface({ regionSize: 3 })));
    const skin = body.embed(visible);
    expect(worstDistance(skin.positions, visible.positions)).toBeLessThan(TOGETHER);
    for (let k = 1; k < body.positions.length; k += 3) body.positions[k] += 0.3;
    body.changed();
    const heads = groupCoincidentVertices(visible.positions, 1e-7);
    let worst = 0;
    for (let step = 0; step < steps; step++) {
      world.step();
      await world.sync();
      worst = Math.max(worst, Math.abs(body.volume() / body.restVolume - 1));
      if (step % 50 === 49) expectWhole(skin, body, heads);
    }
    expect(body.positions.every(Number.isFinite)).toBe(true);
    expect(worst).toBeLessThan(1e-4);
  } finally {
    world.dispose();
  }
}
