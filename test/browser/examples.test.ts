// The examples, built and run in a real browser: what they show is looked at, and bodies are dragged by mouse and finger.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import * as vite from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../../src/index.js';
import type { Grab, SoftMesh, SoftObject } from '../../src/three/index.js';
import { launchChromium } from './chromium.js';
import { type PageServer, servePages } from './page-server.js';
import { type Screenshot, takeScreenshot } from './screenshot.js';
import { openPage, type WatchedPage } from './watched-page.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { isBuilt } = await import(new URL('../../scripts/build.mjs', import.meta.url).href);

interface ExampleScope {
  example: {
    world: World;
    meshes: SoftMesh[];
    grab: Grab;
    soft?: SoftObject;
    camera: { position: { x: number } };
    renderer: { setAnimationLoop(loop: null): void };
    frame(elapsed: number): void;
  };
}

/** Size of the view [px]: pictures are drawn without a graphics card here. */
const [WIDTH, HEIGHT] = [480, 360];

let folder: string;
let browser: Browser;
let server: PageServer;
const warnings: string[] = [];
beforeAll(async () => {
  if (!isBuilt()) throw new Error('dist is older than src: run npm run build');
  folder = mkdtempSync(join(tmpdir(), 'isochore-examples-'));
  const keep = (message: string) => warnings.push(message);
  await vite.build({
    configFile: join(root, 'examples', 'vite.config.js'),
    logLevel: 'silent',
    customLogger: { ...vite.createLogger('silent'), warn: keep, warnOnce: keep, error: keep },
    // How long a busy machine took is no fault of the examples.
    build: { outDir: folder, emptyOutDir: true, rollupOptions: { checks: { bundlerTimings: false } } },
  });
  browser = await launchChromium();
  server = await servePages(folder, { isolated: true });
}, 120_000);
afterAll(async () => {
  await server?.close();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an example, stops its clock and lets its world run for a while [s]: as fast as it goes, and always alike. */
async function openExample(name: string, time: number, { url } = server) {
  const opened = await openPage(browser, `${url}${name}/`, { width: WIDTH, height: HEIGHT });
  const { page } = opened;
  await page.waitForFunction(() => (globalThis as unknown as ExampleScope).example?.frame, null, { polling: 100 });
  await page.evaluate(() => (globalThis as unknown as ExampleScope).example.renderer.setAnimationLoop(null));
  await runFor(page, time);
  return opened;
}

/** Lets the world run and makes one picture. */
const runFor = (page: Page, time: number): Promise<void> =>
  page.evaluate((duration) => {
    const { world, frame } = (globalThis as unknown as ExampleScope).example;
    for (const end = world.time + duration; world.time < end; ) world.step();
    frame(0);
  }, time);

const look = (page: Page, name: string): Promise<Screenshot> =>
  takeScreenshot(page, { file: join(root, 'out', 'examples', `${name}.png`) });

/** Share of the pixels near a hue [°], with colour to speak of. */
const shareOfHue = (picture: Screenshot, hue: number, width = 18): number =>
  picture.share((r, g, b) => {
    const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
    if (most - least < 50) return false;
    const d = most - least;
    const angle = most === r ? (60 * (g - b)) / d : most === g ? 120 + (60 * (b - r)) / d : 240 + (60 * (r - g)) / d;
    const apart = Math.abs(((angle - hue + 540) % 360) - 180);
    return apart < width;
  });

it('build without a warning', () => {
  expect(warnings).toEqual([]);
});

describe('drop', () => {
  /** Looked at first, then looked into, then dragged about. */
  let opened: WatchedPage;
  beforeAll(async () => {
    opened = await openExample('drop', 1.5);
  });
  afterAll(() => opened?.close());

  it('shows three soft bodies on the floor, without a fault', async () => {
    const { page, faults } = opened;
    const picture = await look(page, 'drop');
    // Each of the three covers a few percent of the picture in its own colour: yellow, red, blue.
    for (const hue of [44, 352, 198]) {
      expect(shareOfHue(picture, hue), `hue ${hue}`).toBeGreaterThan(0.015);
      expect(shareOfHue(picture, hue), `hue ${hue}`).toBeLessThan(0.15);
    }
    expect(shareOfHue(picture, 120, 30)).toBeLessThan(0.001);
    // Floor and sky above it, grey both.
    expect(picture.share((r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) < 40)).toBeGreaterThan(0.6);
    const lowest = await page.evaluate(() =>
      (globalThis as unknown as ExampleScope).example.meshes.map((mesh) => mesh.geometry.boundingBox?.min.y),
    );
    // On the floor, or on the way from one bounce to the next.
    for (const y of lowest) {
      expect(y).toBeGreaterThan(-0.01);
      expect(y).toBeLessThan(0.8);
    }
    expect(faults).toEqual([]);
  });

  it('runs on a page that is not isolated, where memory that grows moves', async () => {
    const plain = await servePages(folder);
    const { page, faults, close } = await openExample('drop', 0.5, plain);
    const threads = await page.evaluate(
      () => (globalThis as unknown as ExampleScope).example.world.capabilities.threads,
    );
    expect(threads).toBe(1);
    expect(shareOfHue(await look(page, 'drop-plain'), 198)).toBeGreaterThan(0.015);
    expect(faults).toEqual([]);
    await close();
    await plain.close();
  });

  it('looks inside when asked', async () => {
    const { page, faults } = opened;
    await page.locator('#inside').check();
    await runFor(page, 0.1);
    // Paths come in all hues: green ones among them, which nothing else has.
    expect(shareOfHue(await look(page, 'drop-inside'), 120, 30)).toBeGreaterThan(0.001);
    await page.locator('#inside').uncheck();
    expect(faults).toEqual([]);
  });

  it('lets the mouse drag a body, and turns the view elsewhere', async () => {
    const { page, faults } = opened;
    const at = await placeOf(page, 2);
    const before = await stateOf(page, 2);
    await page.mouse.move(at[0], at[1]);
    await page.mouse.down();
    expect((await stateOf(page, 2)).holds).toBe(1);
    await page.mouse.move(at[0] + 15, at[1] - 70, { steps: 8 });
    await runFor(page, 0.8);
    const during = await stateOf(page, 2);
    await page.mouse.up();
    // 360 px are 4.4 m at the bodies' distance: 70 px up are some 0.85 m, and a body hangs below where it is held.
    expect(during.centre[1] - before.centre[1]).toBeGreaterThan(0.1);
    expect((await stateOf(page, 2)).holds).toBe(0);
    expect(during.camera).toBe(before.camera);
    await page.mouse.move(240, 30);
    await page.mouse.down();
    await page.mouse.move(300, 30, { steps: 4 });
    await page.mouse.up();
    const turned = await stateOf(page, 2);
    expect(Math.abs(turned.camera - before.camera)).toBeGreaterThan(0.5);
    expect(faults).toEqual([]);
  });

  it('lets a finger drag a body', async () => {
    const { page, faults, close } = await openExample('drop', 1.5);
    const [x, y] = await placeOf(page, 2);
    const before = await stateOf(page, 2);
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', up: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x, y: y - up, id: 1 }],
      });
    await touch('touchStart', 0);
    for (let up = 10; up <= 70; up += 10) await touch('touchMove', up);
    await runFor(page, 0.8);
    const during = await stateOf(page, 2);
    expect(during.holds).toBe(1);
    expect(during.centre[1] - before.centre[1]).toBeGreaterThan(0.1);
    await touch('touchEnd', 70);
    await expect.poll(async () => (await stateOf(page, 2)).holds).toBe(0);
    const after = await stateOf(page, 2);
    expect(after.camera).toBe(before.camera);
    expect(faults).toEqual([]);
    await close();
  });
});

describe('soft-glb', () => {
  let opened: WatchedPage;
  beforeAll(async () => {
    opened = await openExample('soft-glb', 1);
  });
  afterAll(() => opened?.close());

  it('makes a GLB soft, with its textures', async () => {
    const { page, faults } = opened;
    const picture = await look(page, 'soft-glb');
    // The chequered figure: dark red and pale blue squares.
    expect(shareOfHue(picture, 356)).toBeGreaterThan(0.01);
    expect(shareOfHue(picture, 203)).toBeGreaterThan(0.005);
    expect(await page.locator('#status').textContent()).toMatch(/^sample: \d+ vertices on \d+ particles$/);
    const state = await page.evaluate(() => {
      const { soft, world } = (globalThis as unknown as ExampleScope).example;
      const body = world.bodies[0];
      return {
        bodies: world.bodies.length,
        meshes: soft?.meshes.length,
        volume: body.volume() / body.restVolume,
        lowest: soft?.meshes.map((mesh) => mesh.geometry.boundingBox?.min.y as number),
      };
    });
    expect(state.bodies).toBe(1);
    expect(state.meshes).toBe(4);
    // Single precision, see both-backends.ts.
    expect(Math.abs(state.volume - 1)).toBeLessThan(1e-5);
    // Visible vertices stand out of the cage by up to a few percent of the size.
    for (const y of state.lowest ?? []) expect(y).toBeGreaterThan(-0.1);
    expect(faults).toEqual([]);
  });

  it('says why where a file is none', async () => {
    const { page, faults } = opened;
    await page
      .locator('#file')
      .setInputFiles({ name: 'bad.glb', mimeType: 'model/gltf-binary', buffer: Buffer.from('no') });
    await expect.poll(() => page.locator('#status').textContent()).toMatch(/^bad\.glb: ./);
    const bodies = await page.evaluate(() => (globalThis as unknown as ExampleScope).example.world.bodies.length);
    expect(bodies).toBe(1);
    expect(faults).toEqual([]);
  });
});

/** Where the middle of a body is on the page [px]. */
const placeOf = (page: Page, n: number): Promise<number[]> =>
  page.evaluate((index) => {
    const { meshes, camera } = (globalThis as unknown as ExampleScope).example;
    const place = meshes[index].geometry.boundingSphere?.center.clone().project(camera as never);
    return [((1 + (place?.x ?? 0)) / 2) * innerWidth, ((1 - (place?.y ?? 0)) / 2) * innerHeight];
  }, n);

const stateOf = (page: Page, n: number) =>
  page.evaluate((index) => {
    const { meshes, grab, camera } = (globalThis as unknown as ExampleScope).example;
    const centre = meshes[index].geometry.boundingSphere?.center.toArray() as number[];
    return { holds: grab.holdCount, centre, camera: camera.position.x };
  }, n);

it('vertex-animation: plays many copies from textures', async () => {
  interface Played {
    example?: { animation: { time: number; duration: number }; copies: { count: number } } & Pick<
      ExampleScope['example'],
      'renderer' | 'frame'
    >;
  }
  const { page, faults, close } = await openPage(browser, `${server.url}vertex-animation/`, {
    width: WIDTH,
    height: HEIGHT,
  });
  await page.waitForFunction(() => (globalThis as unknown as Played).example?.frame, null, { polling: 100 });
  const show = (share: number) =>
    page.evaluate((at) => {
      const { animation, copies, renderer, frame } = (globalThis as unknown as Required<Played>).example;
      renderer.setAnimationLoop(null);
      animation.time = at * animation.duration;
      frame(0);
      return copies.count;
    }, share);
  expect(await show(0.9)).toBe(64);
  const landed = await look(page, 'vertex-animation');
  const isColoured = (r: number, g: number, b: number) => Math.max(r, g, b) - Math.min(r, g, b) > 60;
  expect(landed.share(isColoured)).toBeGreaterThan(0.05);
  await show(0);
  expect((await takeScreenshot(page)).difference(landed)).toBeGreaterThan(0.05);
  expect(faults).toEqual([]);
  await close();
});

/** Share of the pixels that show the floor, in shadow before and lit now. */
function shareNoLongerInShadow({ pixels }: Screenshot, now: Screenshot): number {
  const isGrey = (r: number, g: number, b: number) => Math.max(r, g, b) - Math.min(r, g, b) < 16;
  let index = 0;
  return now.share((r, g, b) => {
    const [red, green, blue] = pixels.subarray(4 * index, 4 * ++index);
    return isGrey(red, green, blue) && red > 120 && red < 165 && isGrey(r, g, b) && r > 190;
  });
}

describe('webgpu', () => {
  interface Counted {
    mapped: number;
    /** Who asked to be called for the next picture. */
    waiting: FrameRequestCallback[];
    example?: Pick<ExampleScope['example'], 'world' | 'renderer' | 'frame'> & typeof import('../../src/index.js');
  }
  let opened: WatchedPage;
  beforeAll(async () => {
    const before = () => {
      const counted = globalThis as unknown as Counted;
      counted.mapped = 0;
      const { mapAsync } = GPUBuffer.prototype;
      GPUBuffer.prototype.mapAsync = function (...given) {
        counted.mapped++;
        return mapAsync.apply(this, given);
      };
      // Steps are taken as fast as they go, not by the clock.
      counted.waiting = [];
      globalThis.requestAnimationFrame = (draw) => counted.waiting.push(draw);
    };
    opened = await openPage(browser, `${server.url}webgpu/`, { width: WIDTH, height: HEIGHT, before });
    const isThere = () => (globalThis as unknown as Counted).example?.frame;
    await opened.page.waitForFunction(isThere, null, { polling: 100 });
    await opened.page.evaluate(() => {
      const counted = globalThis as unknown as Counted;
      // Whether the device's subgroups add up was asked before there was anything to draw.
      if (counted.mapped > 1) throw new Error(`${counted.mapped} buffers were mapped before the first step`);
      counted.mapped = 0;
    });
  });
  afterAll(() => opened?.close());

  /** Steps up to so many, and one picture. */
  const run = (steps: number) =>
    opened.page.evaluate(async (count) => {
      const { example, waiting } = globalThis as unknown as Required<Counted>;
      const { world, renderer } = example;
      while (world.stepCount < count) world.step();
      // The renderer's own loop, in which shadows are drawn once a picture. At time 0 none has passed.
      for (const draw of waiting.splice(0)) draw(0);
      // What was enqueued is done, so that the picture is of now.
      const { device } = (renderer as unknown as { backend: { device: GPUDevice } }).backend;
      await device.queue.onSubmittedWorkDone();
      return { mapped: (globalThis as unknown as Counted).mapped, onHost: world.capabilities.onHost };
    }, steps);

  it('is simulated and drawn without anything read back', async () => {
    const { page, faults } = opened;
    expect(await run(15)).toEqual({ mapped: 0, onHost: undefined });
    const falling = await look(page, 'webgpu-falling');
    expect(await run(90)).toEqual({ mapped: 0, onHost: undefined });
    const landed = await look(page, 'webgpu');
    // A red ring, a yellow ball with knobs and a blue one, each of a few percent of the picture, and they have moved.
    for (const hue of [352, 44, 198]) {
      for (const picture of [falling, landed]) {
        expect(shareOfHue(picture, hue), `hue ${hue}`).toBeGreaterThan(0.01);
        expect(shareOfHue(picture, hue), `hue ${hue}`).toBeLessThan(0.15);
      }
    }
    expect(falling.difference(landed)).toBeGreaterThan(0.03);
    expect(shareNoLongerInShadow(falling, landed)).toBeGreaterThan(0.005);
    // Only now is it asked where they are: above the floor, with their volumes.
    const state = await page.evaluate(async () => {
      const { world } = (globalThis as unknown as Required<Counted>).example;
      await world.sync();
      const lowest = world.bodies.map(({ positions }) => Math.min(...positions.filter((_, k) => k % 3 === 1)));
      return { lowest, volumes: world.bodies.map((body) => body.volume() / body.restVolume) };
    });
    for (const y of state.lowest) expect(y).toBeGreaterThan(-0.01);
    expect(state.lowest[0]).toBeLessThan(0.2);
    for (const share of state.volumes) expect(Math.abs(share - 1)).toBeLessThan(5e-5);
    expect(faults).toEqual([]);
  }, 120_000);

  it('steps as the reference does, keeps momentum and volume, and goes on without its device', async () => {
    const { page, faults } = opened;
    const found = await page.evaluate(async () => {
      const { createWorld, prepare, surface, icosphere, renderer } = (globalThis as unknown as Required<Counted>)
        .example;
      const { device } = (renderer as unknown as { backend: { device: GPUDevice } }).backend;
      const rest = prepare(icosphere({ detail: 2, radius: 0.5 }), surface({ regionSize: 2 }));
      const worlds = [
        await createWorld({ backend: 'webgpu', gpu: device }),
        await createWorld({ backend: 'reference' }),
      ];
      const [gpu, reference] = worlds.map((world) => {
        world.addCollider({ shape: 'plane', normal: [0, 1, 0], offset: -0.55 });
        return world.add(rest, { velocity: [1, -3, 0], spin: [0, 0, 5] });
      });
      const free = await createWorld({ backend: 'webgpu', gpu: device, gravity: [0, 0, 0] });
      const body = free.add(rest, { velocity: [1, 2, -0.5] });
      body.applyImpulse([0, -0.5 * body.mass, 0], [0, 0.5, 0]);
      let volume = 0;
      for (let n = 0; n < 25; n++) {
        for (const world of [...worlds, free]) {
          world.step();
          await world.sync();
        }
        for (const one of [gpu, body]) volume = Math.max(volume, Math.abs(one.volume() / one.restVolume - 1));
      }
      const apart = Float64Array.from(gpu.positions).reduce(
        (most, x, k) => Math.max(most, Math.abs(x - reference.positions[k])),
        0,
      );
      const momentum = [0, 0, 0];
      body.velocities.forEach((v, k) => {
        momentum[k % 3] += (body.masses[Math.trunc(k / 3)] * v) / body.mass;
      });
      const touched = gpu.contactCount;
      const lost = worlds[0].time;
      device.destroy();
      worlds[0].step();
      await worlds[0].sync();
      worlds[0].step();
      const { onHost } = worlds[0].capabilities;
      return { apart, momentum, volume, touched, onHost, went: worlds[0].time - lost };
    });
    expect(found.touched).toBeGreaterThan(0);
    expect(found.apart).toBeLessThan(2e-3);
    expect(found.volume).toBeLessThan(5e-5);
    for (const [c, wanted] of [1, 1.5, -0.5].entries()) {
      expect(Math.abs(found.momentum[c] - wanted)).toBeLessThan(2e-5);
    }
    expect(found.onHost).toContain('the device was lost');
    expect(faults.filter((fault) => !/device/i.test(fault))).toEqual([]);
  }, 120_000);
});
