// A bake of 2000 frames of 100 000 vertices: 2.4 GB of positions, in less than 600 MB of memory.

import { readFileSync, rmSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isochore, Workplace } from '../cli/built-cli.js';

const place = new Workplace();
const [FRAMES, VERTICES, MOST_MEMORY] = [2000, 99_848, 600e6];

/** The most memory that a process has had [bytes]; undefined once it has ended. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : 1024 * Number(kilobytes);
  } catch {
    return undefined;
  }
}

it.skipIf(process.platform !== 'linux')(
  'needs no more memory for more frames',
  async () => {
    const scene = place.write('large.json', {
      isochore: 1,
      // A frame a step, from the start on.
      steps: FRAMES - 1,
      gravity: [0, 0, 0],
      // Steps that are cheap: it is the frames that count.
      bodies: [
        {
          ...{ name: 'box', mesh: { shape: 'box', divisions: 129 }, position: [0, 1, 0] },
          ...{ spin: [1, 0, 0.5], solver: { regionSize: 1, volume: false, damping: 0 } },
        },
      ],
      colliders: [{ shape: 'plane' }],
    });
    const output = place.path('large.pc2');
    let peak = 0;
    const outcome = await isochore(['bake', scene, '-o', output, '--fps', '200', '--threads', '1', '--quiet'], {
      during: (child) => {
        const look = setInterval(() => {
          peak = Math.max(peak, peakOf(child.pid as number) ?? 0);
        }, 50);
        child.on('exit', () => clearInterval(look));
      },
    });
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(statSync(output).size).toBe(32 + 12 * FRAMES * VERTICES);
    rmSync(output);
    console.log(`most memory: ${Math.round(peak / 1e6)} MB`);
    expect(peak).toBeLessThan(MOST_MEMORY);
  },
  3_600_000,
);
