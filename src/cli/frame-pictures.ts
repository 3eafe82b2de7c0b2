// `isochore bake … --frames DIR`: a picture of every frame, drawn by three.js in a browser without a window.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve as resolvePath } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { type DrawnMesh, drawnNormals, gatherDrawn, plainDrawn } from '../bake/drawn-mesh.js';
import type { BakedScene, ObstacleTrack, Track } from '../bake/index.js';
import { placeObstacle } from '../bake/obstacle-pose.js';
import { boundsOf } from '../mesh/measure.js';
import { type MeshMaterial, plainMaterial } from '../mesh/mesh-material.js';
import { CliError } from './cli-error.js';
import { reasonOf, writeOutput } from './files.js';
import { PICTURE_PAGE, type PictureMaterial, type PictureMesh, type PictureScene } from './picture-page.js';

/** Size of a picture [px]. */
const [WIDTH, HEIGHT] = [1280, 720];
/** Where browsers are on most machines; ISOCHORE_BROWSER names another. */
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];
/** An address that is nobody's: all that is asked of it is answered here. */
const HOME = 'http://isochore.invalid/';
const OBSTACLES: MeshMaterial = { ...plainMaterial('obstacles', [0.58, 0.64, 0.67, 1], 0.55), doubleSided: true };
/** glTF's number for pixels with edges. */
const NEAREST = 9728;
/** Frames that the camera is fitted to. */
const SAMPLES = 24;

/** Throws where there is no browser, so that it shows before a long bake. */
export async function openBrowser(): Promise<Browser> {
  const playwright = await import('playwright-core').catch(() => undefined);
  if (!playwright || !isInstalled('three'))
    throw new CliError(
      '--frames: expected the packages playwright-core and three to be installed (npm install playwright-core three)',
    );
  const executablePath = process.env.ISOCHORE_BROWSER ?? BROWSERS.find((path) => existsSync(path));
  const args = ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader'];
  try {
    // Signals are ours: the bake ends with a checkpoint.
    const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
    return await playwright.chromium.launch({ executablePath, args, ...signals });
  } catch {
    throw new CliError(
      '--frames: expected a Chromium: npx playwright-core install chromium, or ISOCHORE_BROWSER set to the path of one',
    );
  }
}

const { resolve } = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  try {
    return resolve(name) !== '';
  } catch {
    return false;
  }
}

/** Writes DIR/NAME.0001.png and so on. */
export async function writePictures(
  browser: Browser,
  baked: BakedScene,
  folder: string,
  name: string,
  onFrame: (done: number, total: number) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new CliError(`${folder}: ${reasonOf(error)}`);
  });
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  const scene = await describeScene(baked);
  let fault: Error | undefined;
  page.on('pageerror', (error) => {
    fault ??= error;
  });
  await page.route('**/*', (route) => answer(route, baked, scene));
  await page.goto(HOME);
  await page.waitForFunction('globalThis.draw !== undefined').catch((error: Error) => {
    throw new CliError(`--frames: the browser cannot draw: ${(fault ?? error).message}`);
  });
  const digits = Math.max(4, String(baked.frameCount).length);
  for (let n = 0; n < baked.frameCount; n++) {
    const file = join(folder, `${name}.${String(n + 1).padStart(digits, '0')}.png`);
    await writeOutput(file, await drawFrame(page, n));
    onFrame(n + 1, baked.frameCount);
  }
  await page.close();
}

async function drawFrame(page: Page, frame: number): Promise<Uint8Array> {
  await page.evaluate(`draw(${frame})`);
  return page.screenshot({ type: 'png' });
}

async function describeScene({ tracks, obstacles }: BakedScene): Promise<PictureScene> {
  const [low, high] = [[0, 0, 0].fill(Number.POSITIVE_INFINITY), [0, 0, 0].fill(Number.NEGATIVE_INFINITY)];
  for (const { frame, frameCount } of tracks) {
    const stride = Math.max(1, Math.floor(frameCount / SAMPLES));
    for (let n = 0; n < frameCount; n += stride) {
      const [least, most] = boundsOf(await frame(n));
      for (const k of [0, 1, 2]) {
        low[k] = Math.min(low[k], least[k]);
        high[k] = Math.max(high[k], most[k]);
      }
    }
  }
  const meshes = [...tracks.map((track, n) => describeBody(drawnOf(track, n))), ...obstacles.map(describeObstacle)];
  return { width: WIDTH, height: HEIGHT, low, high, meshes };
}

const drawnOf = ({ drawn, mesh, name }: Track, n: number): DrawnMesh => drawn ?? plainDrawn(mesh, name, n);

const describeBody = ({ uvs, parts, materials }: DrawnMesh): PictureMesh => ({
  ...{ isObstacle: false, hasUvs: uvs !== null },
  parts: parts.map(({ firstTriangle, triangleCount }, n) => ({
    ...{ start: 3 * firstTriangle, count: 3 * triangleCount, material: describeMaterial(materials[n]) },
  })),
});

function describeMaterial(material: MeshMaterial): PictureMaterial {
  const { baseColor, roughness, alphaMode, alphaCutoff, doubleSided, textures } = material;
  return {
    ...{ color: baseColor.slice(0, 3), opacity: baseColor[3], roughness, isDoubleSided: doubleSided },
    ...{ isBlended: alphaMode === 'BLEND', alphaTest: alphaMode === 'MASK' ? alphaCutoff : 0 },
    ...(textures.baseColor && {
      ...{ wrap: textures.baseColor.wrap, isCoarse: textures.baseColor.magFilter === NEAREST },
    }),
  };
}

const describeObstacle = ({ mesh }: ObstacleTrack): PictureMesh => ({
  ...{ isObstacle: true, hasUvs: false },
  parts: [{ start: 0, count: mesh.triangles.length, material: describeMaterial(OBSTACLES) }],
});

async function answer(route: Route, baked: BakedScene, scene: PictureScene): Promise<void> {
  const path = new URL(route.request().url()).pathname.slice(1);
  const [kind, number, which] = path.split('/');
  const send = (body: string | Buffer, contentType: string) => route.fulfill({ body, contentType });
  const sendNumbers = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array) =>
    send(Buffer.from(buffer, byteOffset, byteLength), 'application/octet-stream');
  if (path === '') return send(PICTURE_PAGE, 'text/html');
  if (path === 'scene.json') return send(JSON.stringify(scene), 'application/json');
  if (kind === 'three' && /^three\.\w+\.js$/.test(number))
    return send(await readFile(join(dirname(resolve('three')), number)), 'text/javascript');
  const { tracks, obstacles } = baked;
  const track = tracks[Number(number)];
  const obstacle = obstacles[Number(number) - tracks.length];
  const drawn = track ? drawnOf(track, Number(number)) : obstacle && plainDrawn(obstacle.mesh, obstacle.name, 0);
  if (!drawn) return route.abort();
  const texture = drawn.materials[Number(which)]?.textures.baseColor;
  if (kind === 'texture' && texture) return send(Buffer.from(texture.image), texture.mimeType);
  if (kind === 'triangles') return sendNumbers(drawn.triangles);
  if (kind === 'uvs' && drawn.uvs) return sendNumbers(drawn.uvs);
  if (kind !== 'positions' && kind !== 'normals') return route.abort();
  const points = obstacle ? placeObstacle(baked, obstacle, Number(which)) : await positionsAt(track, Number(which));
  // None where it is not there.
  if (!points) return sendNumbers(new Float32Array(0));
  return sendNumbers(kind === 'normals' ? drawnNormals(drawn, points) : gatherDrawn(drawn, points));
}

function positionsAt({ firstFrame, frameCount, frame: read }: Track, frame: number): Promise<Float32Array> | undefined {
  const own = frame - firstFrame;
  return own >= 0 && own < frameCount ? read(own) : undefined;
}

/** Throws where pictures cannot go there, or may replace some without leave. */
export async function checkPictures(folder: string, mayReplace: boolean): Promise<void> {
  const about = await stat(folder).catch(() => undefined);
  if (about && !about.isDirectory()) throw new CliError(`${folder}: expected a directory, got a file`);
  const above = await stat(dirname(resolvePath(folder))).catch(() => undefined);
  if (!about && !above?.isDirectory()) throw new CliError(`${folder}: expected an existing directory above it`);
  const hasPictures = about && (await readdir(folder)).some((name) => name.endsWith('.png'));
  if (hasPictures && !mayReplace)
    throw new CliError(`${folder}: there are pictures in it; --force replaces those of the same names`);
}
