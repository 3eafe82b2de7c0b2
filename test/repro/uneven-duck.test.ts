// A duck simplified to uneven triangles, standing on the floor with default settings, was thrown 8 m high: the velocity
// correction grew without bound when its weights gathered at the contact, and later let it swing higher and higher. A body
// that is let go settles and sways below where it started: nothing adds energy. A thousandth of its height is allowed.

import { describe, expect, it } from 'vitest';
import { prepare, readMesh } from '../../src/index.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';
import { readSharedMesh, sharedMeshesAvailable } from '../shared-meshes.js';

describe.skipIf(!sharedMeshesAvailable).each(BOTH_BACKENDS)('on %s (needs ../shared/meshes)', (backend) => {
  it('stands on the floor', async () => {
    const mesh = await readMesh(readSharedMesh('closed/duck_2500.obj'), 'duck.obj');
    let [low, high] = [Infinity, -Infinity];
    for (let k = 1; k < mesh.positions.length; k += 3) {
      low = Math.min(low, mesh.positions[k]);
      high = Math.max(high, mesh.positions[k]);
    }
    const scale = 1 / (high - low);
    const world = await worldOn(backend);
    world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: 0 });
    const body = world.add(prepare({ ...mesh, positions: mesh.positions.map((x) => x * scale) }), {
      position: [0, -low * scale, 0],
    });
    const start = body.centreOfMass()[1];
    for (let step = 0; step < 300; step++) {
      world.step();
      expect(Math.abs(body.volume() / body.restVolume - 1)).toBeLessThan({ reference: 1e-9, wasm: 1e-6 }[backend]);
      expect(body.centreOfMass()[1]).toBeLessThan(start + 0.001);
    }
  });
});
