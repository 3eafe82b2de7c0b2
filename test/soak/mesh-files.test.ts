// Ten thousand damaged mesh and glTF files, read and repaired, and a thousand damaged meshes: no crash, no error but ours,
// none longer than 5 s, and less than 1 GB of memory.

import { afterAll, expect, it } from 'vitest';
import { repairDamaged } from '../mesh/fuzz/damaged-meshes.js';
import { fuzzFiles } from '../mesh/fuzz/fuzz.js';

const FILES = 10_000;
const MESHES = 1000;
const HOURS = 3_600_000;

it(
  `survives ${FILES} damaged files`,
  async () => {
    const outcome = await fuzzFiles(FILES, 1_000_000);
    console.log(outcome);
    expect(outcome.slowest, outcome.slowestFile).toBeLessThan(5000);
  },
  3 * HOURS,
);

it(
  `survives ${MESHES} damaged meshes`,
  async () => {
    const outcome = await repairDamaged(MESHES, 2_000_000);
    console.log(outcome);
    expect(outcome.slowest, `${outcome.slowestSeed}`).toBeLessThan(5000);
  },
  3 * HOURS,
);

afterAll(() => {
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log({ megabytes });
  expect(megabytes).toBeLessThan(1000);
});
