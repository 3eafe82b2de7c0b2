// A small software renderer for pictures in reports and in the documentation: it draws meshes on a bright studio floor, the same on
// every machine and without a graphics card.

import { add, cross, dot, length, normalize, subtract, type Vec3 } from '../math/vec3.js';
import { askFloor, gatherLight, lightFloor, makeLamps, type Receiver, SHADOW_SIZE } from './light.js';
import { type Channel, rasterise } from './rasterise.js';

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
  /** Lamps: more make shadows softer, and take longer. */
  readonly lamps?: number;
  /** Direction towards the key lamp. */
  readonly keyLight?: Vec3;
}

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

/** Renders the scene into RGBA bytes. */
export function render(scene: RenderScene): { width: number; height: number; data: Uint8Array } {
  const {
    eye,
    target,
    fov = 35,
    width = 960,
    height = 640,
    supersampling: ss = 3,
    ground = 0,
    lamps: lampCount = 63,
  } = scene;
  const key = normalize(scene.keyLight ?? [0.55, 1, 0.5]);
  const soup = joinObjects(scene.objects);
  const { points, normals, colours } = soup;
  const low = [0, 1, 2].map((k) => points.reduce((m, x, i) => (i % 3 === k ? Math.min(m, x) : m), Infinity));
  const high = [0, 1, 2].map((k) => points.reduce((m, x, i) => (i % 3 === k ? Math.max(m, x) : m), -Infinity));
  const centre: Vec3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const radius = length(subtract(high as unknown as Vec3, centre));
  const lamps = makeLamps(soup, key, centre, radius, lampCount);
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
  const floor = ground === null ? null : lightFloor(lamps, open, ground, centre, radius, bias, width);
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
