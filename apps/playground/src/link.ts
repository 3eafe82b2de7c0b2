// The part of the address after #: scene, settings, view and speed, readable and made of numbers that are checked.

import { MAX_THREADS } from 'isochore';
import type { SceneFile } from 'isochore/scenes';
import { type Paint, readPaint, writePaint } from './paint.js';
import { VIEWS, type View } from './protocol.js';
import { ALL_BODIES, type Settings, type WorldSettings } from './settings.js';
import { linesBy, type SettingLine, type SettingValue } from './solver-lines.js';

export interface LinkState {
  /** Name of a built-in scene. */
  readonly scene?: string;
  /** A scene file of the user's that names no mesh files. */
  readonly file?: { readonly name: string; readonly scene: SceneFile };
  readonly settings: Settings;
  /** What is painted on the bodies. */
  readonly paint?: Paint;
  readonly view: View;
  readonly speed: number;
  /** Step at which the simulation pauses. */
  readonly stop?: number;
}

type Range = readonly [low: number, high: number, whole?: 'whole'];

export const WORLD_RANGES: Readonly<Record<Exclude<keyof WorldSettings, 'backend'>, Range>> = {
  gravity: [-30, 30],
  friction: [0, 2],
  timeStep: [0.001, 0.02],
  threads: [1, MAX_THREADS, 'whole'],
  cellPixels: [0, 200],
};
const BACKENDS = ['auto', 'wasm', 'webgpu', 'reference'] as const;
/** Longest scene that a link carries [characters]; addresses beyond are cut by some programs. */
const LONGEST_DATA = 12_000;
/** Longest text of such a scene [bytes]: a few letters of an address could unpack to a thousand times as many. */
const LONGEST_SCENE = 1_000_000;

/** A number within a range, or undefined for anything else. */
function readNumber(text: string, [low, high, whole]: Range): number | undefined {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return undefined;
  const limited = Math.min(high, Math.max(low, value));
  return whole ? Math.round(limited) : limited;
}

/** What a text says of a setting that one or several solvers have: each body's own range is kept where it is applied. */
function readValue(text: string, lines: readonly SettingLine[]): SettingValue | undefined {
  if (lines.some(({ kind }) => kind === 'switch') && (text === 'on' || text === 'off')) return text === 'on';
  if (lines.some(({ options }) => options.includes(text))) return text;
  const numbers = lines.filter(({ kind }) => kind === 'number' || kind === 'integer');
  if (numbers.length === 0) return undefined;
  const low = Math.min(...numbers.map((line) => line.low));
  const high = Math.max(...numbers.map((line) => line.high));
  return readNumber(text, [low, high, numbers.every(({ kind }) => kind === 'integer') ? 'whole' : undefined]);
}

/** What is unknown or makes no sense is left out: an old or mangled link still opens something. */
export async function readLink(hash: string): Promise<LinkState> {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const world: Record<string, number | string> = {};
  const bodies: Record<string, Record<string, SettingValue>> = {};
  for (const [key, text] of fields) {
    const dot = key.lastIndexOf('.');
    const [body, name] = dot < 0 ? [ALL_BODIES, key] : [key.slice(0, dot), key.slice(dot + 1)];
    const lines = linesBy(name);
    if (lines.length > 0) {
      const value = readValue(text, lines);
      if (value !== undefined) bodies[body] = { ...bodies[body], [name]: value };
    } else if (dot < 0 && Object.hasOwn(WORLD_RANGES, key)) {
      const value = readNumber(text, WORLD_RANGES[key as keyof typeof WORLD_RANGES]);
      if (value !== undefined) world[key] = value;
    }
  }
  const backend = BACKENDS.find((name) => name === fields.get('backend'));
  if (backend) world.backend = backend;
  const stop = readNumber(fields.get('stop') ?? '', [0, 1e7, 'whole']);
  return {
    scene: fields.get('scene') ?? undefined,
    file: await readPacked(fields.get('data'), (text) => ({
      // What it holds is checked where it is opened.
      ...{ name: fields.get('file') ?? 'scene.json', scene: JSON.parse(text) },
    })),
    settings: { world, bodies },
    paint: await readPacked(fields.get('paint'), readPaint),
    view: VIEWS.find((name) => name === fields.get('view')) ?? 'shaded',
    speed: readNumber(fields.get('speed') ?? '1', [0.01, 1]) ?? 1,
    stop,
  };
}

/** The text of a link; scenes with mesh files cannot be in it and are left out, and so is what is too long. */
export async function writeLink(state: LinkState): Promise<string> {
  const fields = new URLSearchParams();
  if (state.scene) fields.set('scene', state.scene);
  if (state.file) {
    const data = await packShort(JSON.stringify(state.file.scene));
    if (data) {
      fields.set('file', state.file.name);
      fields.set('data', data);
    }
  }
  for (const [key, value] of Object.entries(state.settings.world)) fields.set(key, String(value));
  for (const [body, settings] of Object.entries(state.settings.bodies)) {
    for (const [key, value] of Object.entries(settings)) {
      const name = body === ALL_BODIES ? key : `${body}.${key}`;
      fields.set(name, typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
    }
  }
  const paint = state.paint && (await packShort(writePaint(state.paint)));
  if (paint) fields.set('paint', paint);
  if (state.view !== 'shaded') fields.set('view', state.view);
  if (state.speed !== 1) fields.set('speed', String(state.speed));
  if (state.stop !== undefined) fields.set('stop', String(state.stop));
  return `#${fields}`;
}

/** What a packed field says; undefined where it is not there or makes no sense. */
async function readPacked<T>(data: string | null, read: (text: string) => T): Promise<T | undefined> {
  if (!data || data.length > LONGEST_DATA) return undefined;
  try {
    return read(await unpack(data));
  } catch {
    return undefined;
  }
}

/** A text for the address; undefined where it is empty or does not fit. */
async function packShort(text: string): Promise<string | undefined> {
  const data = text.length > 0 && text.length <= LONGEST_SCENE ? await pack(text) : undefined;
  return data && data.length <= LONGEST_DATA ? data : undefined;
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function unpack(data: string): Promise<string> {
  const letters = atob(data.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > LONGEST_SCENE) {
      await reader.cancel();
      throw new RangeError(`scene: expected at most ${LONGEST_SCENE} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
