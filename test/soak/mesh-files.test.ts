// Ten thousand damaged mesh and glTF files, read and repaired, and a few hundred damaged meshes: no crash, no error but
// ours, none longer than 5 s, and less than 1 GB of memory.

import { afterAll, describe, expect, it } from 'vitest';
import { repairDamaged } from '../mesh/fuzz/damaged-meshes.js';
import { fuzzFiles } from '../mesh/fuzz/fuzz.js';
import { tally } from './tally.js';

const FILES = 10_000;
const MESHES = 300;
/** In batches, to show how far it is. */
const BATCH = 500;
const HOUR = 3_600_000;

describe('soak', () => {
  for (let first = 0; first < FILES; first += BATCH) {
    const test = async () => {
      const outcome = await fuzzFiles(BATCH, 1_000_000 + first);
      tally('fuzzed files', BATCH);
      console.log(JSON.stringify(outcome));
      expect(outcome.slowest, outcome.slowestFile).toBeLessThan(5000);
    };
    it(`survives damaged files ${first} to ${first + BATCH - 1}`, test, HOUR);
  }

  const test = async () => {
    const outcome = await repairDamaged(MESHES, 2_000_000);
    console.log(JSON.stringify(outcome));
    expect(outcome.slowest, `${outcome.slowestSeed}`).toBeLessThan(5000);
  };
  it(`survives ${MESHES} damaged meshes`, test, HOUR);

  afterAll(() => {
    const megabytes = process.resourceUsage().maxRSS / 1024;
    console.log(`${Math.round(megabytes)} MB`);
    expect(megabytes).toBeLessThan(1000);
  });
});
