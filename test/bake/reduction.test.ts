// How much smaller `squeeze` becomes as GLB when its vertices may be off by a thousandth of their body's size; both files without faults.

import { validateBytes } from 'gltf-validator';
import { expect, it } from 'vitest';
import { bakeScene, writeGlb } from '../../src/bake/index.js';
import { checkScene, findScene } from '../../src/scenes/index.js';

it('squeeze takes a quarter of what all frames take, at most', async () => {
  const baked = await bakeScene(checkScene(findScene('squeeze')?.make()), { fps: 30 });
  const [all, reduced] = [await writeGlb(baked, { tolerance: 0 }), await writeGlb(baked, { tolerance: 0.001 })];
  for (const bytes of [all, reduced])
    expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  expect(reduced.length / all.length).toBeLessThan(0.25);
}, 180_000);
