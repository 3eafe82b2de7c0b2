// A small software renderer for the pictures in the documentation: it draws meshes on a bright studio floor into a PNG,
// the same on every machine and without a graphics card.
// Light is a soft key lamp, a fill lamp and a sky made of many weak lamps; each has a shadow map, so soft shadows and
// ambient occlusion come out of one mechanism. Based on: L. Williams, "Casting curved shadows on curved surfaces", 1978.

import { writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { add, cross, dot, length, normalize, scale, subtract, type Vec3 } from '../src/math/vec3.js';

export interface RenderObject {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  /** '#rrggbb' */
  readonly colour?: string;
  /** Red, green, blue per vertex in 0…1, instead of `colour`. */
  readonly vertexColours?: ArrayLike<number>;
  /** Neighbouring triangles that meet at a sharper angle than this are shaded as an edge [degrees]. */
  readonly crease?: number;
  readonly wireframe?: boolean;
  /** Below 1 the object is drawn see-through and casts no shadow. */
  readonly opacity?: number;
}

export interface RenderScene {
  readonly objects: readonly RenderObject[];
  readonly eye: Vec3;
  readonly target: Vec3;
  /** Vertical field of view [degrees]. */
  readonly fov?: number;
  readonly width?: number;
  readonly height?: number;
  /** Samples per pixel side. */
  readonly supersampling?: number;
  /** Height of the floor [m]; null for none. */
  readonly ground?: number | null;
  /** Direction towards the key lamp. */
  readonly keyLight?: Vec3;
}

type Channel = Float32Array<ArrayBuffer>;
const SHADOW_SIZE = 512;
const FLOOR_SIZE = 400;
/** Grain that hides the steps of the shadow maps; restarted for every picture. */
let noise = 1;
const BACKGROUND_TOP: Vec3 = [0.8, 0.87, 0.94];
const BACKGROUND_BOTTOM: Vec3 = [0.97, 0.96, 0.94];
const toLinear = (c: number) => c ** 2.2;
const toByte = (c: number) => Math.round(255 * Math.min(1, Math.max(0, c)) ** (1 / 2.2));

/** All objects joined into one triangle soup with normals and colours per corner. */
interface Soup {
  points: Channel;
  normals: Channel;
  colours: Channel;
  wireframe: Uint8Array;
  opacity: Float32Array;
}

function joinObjects(objects: readonly RenderObject[]): Soup {
  const corners = objects.reduce((n, o) => n + o.triangles.length, 0);
  const soup: Soup = {
    points: new Float32Array(3 * corners),
    normals: new Float32Array(3 * corners),
    colours: new Float32Array(3 * corners),
    wireframe: new Uint8Array(corners / 3),
    opacity: new Float32Array(corners / 3).fill(1),
  };
  let at = 0;
  for (const object of objects) {
    const { positions, triangles, colour = '#d9822b', vertexColours, crease = 45 } = object;
    const flat = [1, 3, 5].map((i) => toLinear(Number.parseInt(colour.slice(i, i + 2), 16) / 255));
    const faces = faceNormals(positions, triangles);
    const around: number[][] = Array.from({ length: positions.length / 3 }, () => []);
    for (let c = 0; c < triangles.length; c++) around[triangles[c]].push(Math.floor(c / 3));
    const limit = Math.cos((crease * Math.PI) / 180);
    for (let c = 0; c < triangles.length; c++, at++) {
      const v = triangles[c];
      const own = faces[Math.floor(c / 3)];
      const ownUnit = normalize(own);
      let normal: Vec3 = own;
      for (const f of around[v])
        if (faces[f] !== own && dot(normalize(faces[f]), ownUnit) > limit) normal = add(normal, faces[f]);
      normal = normalize(normal);
      for (let k = 0; k < 3; k++) {
        soup.points[3 * at + k] = positions[3 * v + k];
        soup.normals[3 * at + k] = normal[k];
        soup.colours[3 * at + k] = vertexColours ? toLinear(vertexColours[3 * v + k]) : flat[k];
      }
      soup.wireframe[Math.floor(at / 3)] = object.wireframe ? 1 : 0;
      soup.opacity[Math.floor(at / 3)] = object.opacity ?? 1;
    }
  }
  return soup;
}

/** Area-weighted, so that slivers do not spoil the smooth normals. */
function faceNormals(positions: ArrayLike<number>, triangles: ArrayLike<number>): Vec3[] {
  const point = (v: number): Vec3 => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
  return Array.from({ length: triangles.length / 3 }, (_, f) => {
    const a = point(triangles[3 * f]);
    return cross(subtract(point(triangles[3 * f + 1]), a), subtract(point(triangles[3 * f + 2]), a));
  });
}

/**
 * Visits every pixel whose centre lies in a triangle. `screen` has x, y [pixels] and a depth that is linear on the
 * screen per corner; a triangle with a corner that is not finite (behind the camera) is left out.
 */
function rasterise(
  screen: Channel,
  width: number,
  height: number,
  visit: (pixel: number, triangle: number, a: number, b: number, c: number, depth: number) => void,
): void {
  for (let t = 0; t < screen.length / 9; t++) {
    const ax = screen[9 * t];
    const ay = screen[9 * t + 1];
    const ad = screen[9 * t + 2];
    const bx = screen[9 * t + 3];
    const by = screen[9 * t + 4];
    const bd = screen[9 * t + 5];
    const cx = screen[9 * t + 6];
    const cy = screen[9 * t + 7];
    const cd = screen[9 * t + 8];
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (!Number.isFinite(area) || area === 0) continue;
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const px = x + 0.5;
        const py = y + 0.5;
        const a = ((bx - px) * (cy - py) - (cx - px) * (by - py)) / area;
        const b = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) / area;
        const c = 1 - a - b;
        if (a >= 0 && b >= 0 && c >= 0) visit(y * width + x, t, a, b, c, a * ad + b * bd + c * cd);
      }
    }
  }
}

interface Lamp {
  direction: Vec3;
  colour: Vec3;
  right: Vec3;
  up: Vec3;
  scale: number;
  centre: Vec3;
  map: Channel;
}

function makeLamp(direction: Vec3, colour: Vec3, soup: Soup, centre: Vec3, radius: number): Lamp {
  const right = normalize(cross([0.13, 1, 0.07], direction));
  const up = cross(direction, right);
  const lamp = { direction, colour, right, up, centre, scale: SHADOW_SIZE / 2 / (radius * 1.02) };
  const screen = new Float32Array(soup.points.length);
  for (let i = 0; i < screen.length; i += 3) {
    const p: Vec3 = [soup.points[i] - centre[0], soup.points[i + 1] - centre[1], soup.points[i + 2] - centre[2]];
    screen[i] = SHADOW_SIZE / 2 + dot(p, right) * lamp.scale;
    screen[i + 1] = SHADOW_SIZE / 2 + dot(p, up) * lamp.scale;
    screen[i + 2] = dot(p, direction);
  }
  const map = new Float32Array(SHADOW_SIZE * SHADOW_SIZE).fill(Number.NEGATIVE_INFINITY);
  rasterise(screen, SHADOW_SIZE, SHADOW_SIZE, (pixel, t, _a, _b, _c, depth) => {
    if (soup.opacity[t] >= 1 && depth > map[pixel]) map[pixel] = depth;
  });
  return { ...lamp, map };
}

/** Points spread evenly over a disc (sunflower spiral). */
function discPoint(i: number, count: number): [number, number] {
  const r = Math.sqrt((i + 0.5) / count);
  return [r * Math.cos(i * 2.399963), r * Math.sin(i * 2.399963)];
}

function makeLamps(soup: Soup, key: Vec3, centre: Vec3, radius: number): Lamp[] {
  const lamps: Lamp[] = [];
  const side = normalize(cross([0, 1, 0], key), [1, 0, 0]);
  const keys = 18;
  for (let i = 0; i < keys; i++) {
    const [u, v] = discPoint(i, keys);
    const towards = normalize(add(key, add(scale(side, 0.16 * u), scale(cross(key, side), 0.16 * v))));
    lamps.push(makeLamp(towards, scale([2.05, 1.95, 1.8], 1 / keys), soup, centre, radius));
  }
  lamps.push(makeLamp(normalize([-key[0], 0.5, -key[2] * 0.4]), [0.22, 0.25, 0.3], soup, centre, radius));
  const skies = 45;
  for (let i = 0; i < skies; i++) {
    const [x, z] = discPoint(i, skies);
    const towards: Vec3 = [x * 0.97, Math.sqrt(1 - 0.94 * (x * x + z * z)), z * 0.97];
    // Directions are already denser where a level surface receives more, hence 1/cosine.
    lamps.push(makeLamp(towards, scale([0.55, 0.6, 0.68], 1 / (skies * towards[1])), soup, centre, radius));
  }
  return lamps;
}

/** A point in the lights' eyes: where it is, its normal, and how wide around it the shadow maps are asked [texels]. */
interface Receiver {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
  spread: number;
}

/**
 * Adds up the light that reaches a point into `out`; `bias` keeps it out of its own shadow [m]. The samples of a pixel
 * share the work: sample `share` of `shares` asks every shares-th lamp, and the pixel's average has asked them all.
 */
function gatherLight(lamps: Lamp[], at: Receiver, bias: number, share: number, shares: number, out: Channel): void {
  out.fill(0);
  const { nx, ny, nz } = at;
  for (let l = share; l < lamps.length; l += shares) {
    const { direction: d, colour, right, up, centre, map, scale: s } = lamps[l];
    // Slightly wrapped around, so that the terminator of a coarse mesh does not show its triangles.
    const cosine = (nx * d[0] + ny * d[1] + nz * d[2] + 0.1) / 1.1;
    if (cosine <= 0) continue;
    const x = at.x + nx * bias - centre[0];
    const y = at.y + ny * bias - centre[1];
    const z = at.z + nz * bias - centre[2];
    noise = (Math.imul(noise, 1664525) + 1013904223) >>> 0;
    const u =
      SHADOW_SIZE / 2 + (x * right[0] + y * right[1] + z * right[2]) * s + at.spread * ((noise >>> 24) / 128 - 1);
    const v =
      SHADOW_SIZE / 2 + (x * up[0] + y * up[1] + z * up[2]) * s + at.spread * (((noise >>> 16) & 255) / 128 - 1);
    const inside = u >= 0 && v >= 0 && u < SHADOW_SIZE && v < SHADOW_SIZE;
    if (inside && map[Math.floor(v) * SHADOW_SIZE + Math.floor(u)] > x * d[0] + y * d[1] + z * d[2] + bias) continue;
    for (let k = 0; k < 3; k++) out[k] += shares * cosine * colour[k];
  }
}

/** Share of the open light on a square of floor around the scene, as an image. */
interface Floor {
  height: number;
  left: number;
  back: number;
  cell: number;
  shares: Channel;
}

function lightFloor(lamps: Lamp[], open: Channel, height: number, centre: Vec3, radius: number, bias: number): Floor {
  const cell = (7 * radius) / FLOOR_SIZE;
  const left = centre[0] - 3.5 * radius;
  const back = centre[2] - 3.5 * radius;
  const shares = new Float32Array(3 * FLOOR_SIZE * FLOOR_SIZE);
  const light = new Float32Array(3);
  const at: Receiver = { x: 0, y: height, z: 0, nx: 0, ny: 1, nz: 0, spread: 8 };
  for (let i = 0; i < FLOOR_SIZE * FLOOR_SIZE; i++) {
    at.x = left + (i % FLOOR_SIZE) * cell;
    at.z = back + Math.floor(i / FLOOR_SIZE) * cell;
    gatherLight(lamps, at, 0.5 * bias, 0, 1, light);
    for (let k = 0; k < 3; k++) shares[3 * i + k] = light[k] / open[k];
  }
  // Two passes of a 1-2-1 filter along both axes smooth out the grain.
  for (const stride of [3, 3 * FLOOR_SIZE, 3, 3 * FLOOR_SIZE]) {
    const from = shares.slice();
    for (let i = stride; i < shares.length - stride; i++) {
      shares[i] = 0.25 * from[i - stride] + 0.5 * from[i] + 0.25 * from[i + stride];
    }
  }
  return { height, left, back, cell, shares };
}

function askFloor({ left, back, cell, shares }: Floor, x: number, z: number, out: Channel): void {
  const u = (x - left) / cell;
  const v = (z - back) / cell;
  const column = Math.floor(u);
  const row = Math.floor(v);
  out.fill(1);
  const border = Math.min(column, row, FLOOR_SIZE - 2 - column, FLOOR_SIZE - 2 - row);
  if (border < 2) return;
  const fade = Math.min(1, (border - 2) / 40);
  for (let k = 0; k < 3; k++) {
    const i = 3 * (row * FLOOR_SIZE + column) + k;
    const near = shares[i] + (u - column) * (shares[i + 3] - shares[i]);
    const j = i + 3 * FLOOR_SIZE;
    const far = shares[j] + (u - column) * (shares[j + 3] - shares[j]);
    out[k] = 1 - fade + fade * (near + (v - row) * (far - near));
  }
}

/** Renders the scene into RGBA bytes. */
export function render(scene: RenderScene): { width: number; height: number; data: Uint8Array } {
  const { eye, target, fov = 35, width = 960, height = 640, supersampling: ss = 3, ground = 0 } = scene;
  noise = 1;
  const key = normalize(scene.keyLight ?? [0.55, 1, 0.5]);
  const soup = joinObjects(scene.objects);
  const { points, normals, colours } = soup;
  const low = [0, 1, 2].map((k) => points.reduce((m, x, i) => (i % 3 === k ? Math.min(m, x) : m), Infinity));
  const high = [0, 1, 2].map((k) => points.reduce((m, x, i) => (i % 3 === k ? Math.max(m, x) : m), -Infinity));
  const centre: Vec3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const radius = length(subtract(high as unknown as Vec3, centre));
  const lamps = makeLamps(soup, key, centre, radius);
  const bias = (2.2 * radius) / SHADOW_SIZE;

  const w = width * ss;
  const h = height * ss;
  const forward = normalize(subtract(target, eye));
  const right = normalize(cross(forward, [0, 1, 0]), [1, 0, 0]);
  const up = cross(right, forward);
  const focal = h / 2 / Math.tan((fov * Math.PI) / 360);
  const screen = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const p = subtract([points[i], points[i + 1], points[i + 2]], eye);
    const z = dot(p, forward);
    screen[i] = z > 1e-3 * radius ? w / 2 + (focal * dot(p, right)) / z : Number.NaN;
    screen[i + 1] = h / 2 - (focal * dot(p, up)) / z;
    screen[i + 2] = 1 / z;
  }
  const shares = ss * ss;
  const nearest = new Float32Array(w * h);
  const hit = new Int32Array(w * h).fill(-1);
  const weights = new Float32Array(2 * w * h);
  rasterise(screen, w, h, (pixel, t, a, b, _c, depth) => {
    if (depth <= nearest[pixel]) return;
    if (soup.opacity[t] < 1) {
      // See-through: the front and the back layer each keep their share of the samples of a pixel.
      const sample = (Math.floor(pixel / w) % ss) * ss + ((pixel % w) % ss);
      const i = 9 * t;
      const turn =
        (screen[i + 3] - screen[i]) * (screen[i + 7] - screen[i + 1]) -
        (screen[i + 6] - screen[i]) * (screen[i + 4] - screen[i + 1]);
      if ((4 * sample + (turn > 0 ? 5 : 0)) % shares >= soup.opacity[t] * shares) return;
    }
    nearest[pixel] = depth;
    hit[pixel] = t;
    weights[2 * pixel] = a;
    weights[2 * pixel + 1] = b;
  });

  const open = new Float32Array(3);
  const light = new Float32Array(3);
  const at: Receiver = { x: 0, y: centre[1] + 9 * radius, z: 0, nx: 0, ny: 1, nz: 0, spread: 0 };
  // Far above everything: what an unshadowed floor receives.
  gatherLight(lamps, at, 0, 0, 1, open);
  const floor = ground === null ? null : lightFloor(lamps, open, ground, centre, radius, bias);
  const sum = new Float32Array(3 * width * height);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const pixel = y * w + x;
      const share = (y % ss) * ss + (x % ss);
      const sx = (x + 0.5 - w / 2) / focal;
      const sy = (h / 2 - y - 0.5) / focal;
      const rx = forward[0] + sx * right[0] + sy * up[0];
      const ry = forward[1] + sx * right[1] + sy * up[1];
      const rz = forward[2] + sx * right[2] + sy * up[2];
      const slot = 3 * (Math.floor(y / ss) * width + Math.floor(x / ss));
      const t = hit[pixel];
      if (t < 0) {
        const blend = Math.min(1, Math.max(0, 0.5 + (y / h - 0.45) * 1.4));
        const distance = floor === null ? -1 : (floor.height - eye[1]) / ry;
        if (floor !== null && distance > 0) askFloor(floor, eye[0] + rx * distance, eye[2] + rz * distance, light);
        else light.fill(1);
        for (let k = 0; k < 3; k++) {
          const paper = BACKGROUND_TOP[k] * (1 - blend) + BACKGROUND_BOTTOM[k] * blend;
          sum[slot + k] += toLinear(paper) * light[k];
        }
        continue;
      }
      // Perspective-correct weights of the three corners.
      const i = 9 * t;
      const sa = weights[2 * pixel];
      const sb = weights[2 * pixel + 1];
      const z = 1 / nearest[pixel];
      const a = sa * screen[i + 2] * z;
      const b = sb * screen[i + 5] * z;
      const c = 1 - a - b;
      at.x = blendCorners(points, i, a, b, c);
      at.y = blendCorners(points, i + 1, a, b, c);
      at.z = blendCorners(points, i + 2, a, b, c);
      at.nx = blendCorners(normals, i, a, b, c);
      at.ny = blendCorners(normals, i + 1, a, b, c);
      at.nz = blendCorners(normals, i + 2, a, b, c);
      at.spread = 1.5;
      const towards = -1 / Math.sqrt(rx * rx + ry * ry + rz * rz);
      let unit = 1 / Math.sqrt(at.nx * at.nx + at.ny * at.ny + at.nz * at.nz);
      let facing = (at.nx * rx + at.ny * ry + at.nz * rz) * towards * unit;
      if (facing < -0.3) {
        unit = -unit;
        facing = -facing;
      }
      at.nx *= unit;
      at.ny *= unit;
      at.nz *= unit;
      gatherLight(lamps, at, bias, share, shares, light);
      const bounce = ground === null ? 0.1 : 0.16 * (0.5 - 0.5 * at.ny);
      const hx = key[0] + rx * towards;
      const hy = key[1] + ry * towards;
      const hz = key[2] + rz * towards;
      const shine = Math.max(0, at.nx * hx + at.ny * hy + at.nz * hz) / Math.sqrt(hx * hx + hy * hy + hz * hz);
      const gloss = 0.22 * shine ** 40 * Math.min(1, light[0] / open[0]);
      const rim = 0.16 * (1 - Math.min(1, Math.max(0, facing))) ** 3;
      const ink = soup.wireframe[t] ? wireInk(screen, i, sa, sb, ss) : 1;
      for (let k = 0; k < 3; k++) {
        const base = blendCorners(colours, i + k, a, b, c);
        sum[slot + k] += ink * (base * (0.36 * light[k] + bounce) + (rim + gloss) * (0.5 + 0.5 * base));
      }
    }
  }
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    for (let k = 0; k < 3; k++) data[4 * i + k] = toByte(sum[3 * i + k] / (ss * ss));
    data[4 * i + 3] = 255;
  }
  return { width, height, data };
}

function blendCorners(values: Channel, i: number, a: number, b: number, c: number): number {
  return a * values[i] + b * values[i + 3] + c * values[i + 6];
}

/** Darkness of the edge lines at a sample: 1 away from edges, towards 0.35 within about half a pixel. */
function wireInk(screen: Channel, i: number, a: number, b: number, ss: number): number {
  const weights = [a, b, 1 - a - b];
  const corner = (k: number): [number, number] => [screen[i + 3 * (k % 3)], screen[i + 3 * (k % 3) + 1]];
  const [p, q, r] = [corner(0), corner(1), corner(2)];
  const area = Math.abs((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]));
  let nearest = Infinity;
  for (let k = 0; k < 3; k++) {
    const [from, to] = [corner(k + 1), corner(k + 2)];
    const edge = Math.sqrt((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2);
    nearest = Math.min(nearest, (weights[k] * area) / edge);
  }
  return nearest < 0.5 * ss ? 0.4 : 1;
}

/** Renders the scene and writes it as a PNG file. */
export function renderPng(scene: RenderScene, file: string): void {
  const { width, height, data } = render(scene);
  const png = new PNG({ width, height });
  png.data.set(data);
  writeFileSync(file, PNG.sync.write(png));
}
