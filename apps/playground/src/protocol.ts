// What the page and the worker that holds the world say to each other.

import type { Deformation, Profile } from 'isochore';
import type { MeshMaterial } from 'isochore/mesh';
import type { Scene, SceneFile } from 'isochore/scenes';
import type { Paint } from './paint.js';
import type { Settings } from './settings.js';

export interface DroppedFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}

/** Where a scene comes from. */
export type SceneSource =
  | { readonly kind: 'built-in'; readonly name: string }
  | { readonly kind: 'scene'; readonly name: string; readonly scene: SceneFile }
  | { readonly kind: 'files'; readonly files: readonly DroppedFile[] };

export const VIEWS = [
  'shaded',
  'wire',
  'paths',
  'region',
  'weights',
  'pairs',
  'contacts',
  'strain',
  'painted',
  'cells',
  'rings',
  'stress',
  'active',
] as const;
export type View = (typeof VIEWS)[number];

export type Point = readonly [number, number, number];

/** What paints on bodies. */
export interface Brush {
  /** Name of a map of bodies, or of posed ones. */
  readonly map: string;
  /** Factor that it paints, towards it by `strength` with each dab. */
  readonly factor: number;
  readonly strength: number;
  /** In sizes of the body. */
  readonly radius: number;
  /** Whether it takes away instead: back to 1. */
  readonly erase: boolean;
}

export const FIRST_BRUSH: Brush = { map: 'stiffness', factor: 0.1, strength: 0.5, radius: 0.15, erase: false };

export const EXPORTS = ['pose.glb', 'pose.obj', 'scene.json', 'animation.glb'] as const;
export type ExportKind = (typeof EXPORTS)[number];

export type Command =
  | {
      readonly type: 'open';
      readonly source: SceneSource;
      readonly settings: Settings;
      readonly paint?: Paint;
      readonly stopAt?: number;
    }
  /** The page is ready to draw; the buffer is one it has done with. */
  | { readonly type: 'frame'; readonly buffer?: ArrayBuffer }
  | { readonly type: 'run'; readonly paused: boolean; readonly speed: number }
  | { readonly type: 'step'; readonly count: number }
  | { readonly type: 'reset' }
  /** Shows another moment of a scene that is posed [s]; of several that wait the last counts. */
  | { readonly type: 'seek'; readonly time: number }
  | { readonly type: 'change'; readonly settings: Settings }
  /** Takes hold of the surface; `point` [m] is where the pointer is. */
  | { readonly type: 'grab'; readonly body: number; readonly point: Point }
  /** Takes hold of a pin that is already there. */
  | { readonly type: 'hold'; readonly pin: number; readonly point: Point; readonly twist: boolean }
  | { readonly type: 'drag'; readonly point: Point; readonly angle: number }
  | { readonly type: 'release' }
  | { readonly type: 'poke'; readonly body: number; readonly point: Point; readonly direction: Point }
  | { readonly type: 'pin'; readonly body: number; readonly vertex: number }
  | { readonly type: 'unpin'; readonly pin: number }
  | { readonly type: 'twist'; readonly body: number; readonly vertex: number; readonly point: Point }
  /** Moves the knife on: it passes through a point [m] along a direction, and is seen to touch a body or none. */
  | { readonly type: 'cut'; readonly point: Point; readonly direction: Point; readonly body?: number }
  | { readonly type: 'lift' }
  /** Where the camera is [m], and how large a pixel is seen from there [rad]. */
  | { readonly type: 'look'; readonly position: Point; readonly pixelAngle: number }
  | { readonly type: 'brush'; readonly brush: Brush }
  | { readonly type: 'paint'; readonly body: number; readonly point: Point }
  /** The end of a stroke: the bodies are prepared with what was painted. */
  | { readonly type: 'painted' }
  | { readonly type: 'wipe' }
  | { readonly type: 'move-obstacle'; readonly obstacle: number; readonly position: Point }
  | { readonly type: 'press'; readonly on: boolean }
  | { readonly type: 'deform'; readonly deformation: Deformation; readonly body?: number }
  | { readonly type: 'view'; readonly view: View; readonly body: number; readonly vertex: number }
  | { readonly type: 'export'; readonly kind: ExportKind; readonly seconds: number };

export interface BodyInfo {
  readonly name: string;
  /** First vertex in the frame's positions. */
  readonly start: number;
  readonly count: number;
  readonly triangles: Uint32Array;
  /** At rest [m], for strain. */
  readonly rest: Float32Array;
  /** Whether its volume is kept. */
  readonly conserved: boolean;
  /** Diameter of its bounding sphere [m]. */
  readonly size: number;
}

export type ObstacleInfo = Scene['colliders'][number] & {
  /** Of a mesh. */
  readonly surface?: { readonly positions: Float32Array; readonly triangles: Uint32Array };
};

/** A body as its file looks. */
export interface SkinInfo {
  readonly body: number;
  readonly triangles: Uint32Array;
  /** As in glTF, v downwards. */
  readonly uvs: Float32Array | null;
  readonly parts: readonly {
    readonly firstTriangle: number;
    readonly triangleCount: number;
    /** Number in `materials`; null for none. */
    readonly material: number | null;
  }[];
  readonly materials: readonly MeshMaterial[];
}

/** Where a skin is. */
export interface SkinFrame {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}

export interface OpenedScene {
  readonly title: string;
  readonly source: SceneSource;
  /** Without the settings of the page. */
  readonly scene: Scene;
  /** What is painted on its bodies. */
  readonly paint: Paint;
  readonly bodies: readonly BodyInfo[];
  /** Of bodies that are made of files. */
  readonly skins: readonly SkinInfo[];
  readonly obstacles: readonly ObstacleInfo[];
  /** Length of a scene whose bodies are all posed, any moment of which can be shown [s]. */
  readonly duration?: number;
  /** What was done to dropped meshes, in plain words. */
  readonly report: readonly string[];
  readonly backend: string;
  readonly threads: number;
  readonly precision: string;
  /** Whether it is the same scene as before with other settings, or bodies of another topology: the camera stays. */
  readonly again: boolean;
  /** Which topologies the bodies have: frames say the same. */
  readonly topology: number;
}

/** Figures, a few times a second. */
export interface Figures {
  readonly steps: number;
  /** [s] */
  readonly time: number;
  /** Of an average step since the last figures [ms]. */
  readonly profile: Profile;
  readonly stepsPerSecond: number;
  /** Simulated time over the time that should have passed; 1 where the machine is fast enough. */
  readonly pace: number;
  /** Largest of the bodies that keep their volume [%]; NaN where none does. */
  readonly volumeError: number;
  /** Largest of those that do not [%]; NaN where all do. */
  readonly freeVolumeError: number;
  /** Of each body, V/V₀ − 1, V₀ being the volume that it is to have. */
  readonly volumeChanges: readonly number[];
  /** [J] */
  readonly energy: number;
  readonly contacts: number;
  /** What moves inside the bodies, at their levels of detail. */
  readonly nodes: number;
  readonly asleep: number;
  /** Of the state's bits, while paused. */
  readonly hash?: string;
  readonly backend: string;
  readonly threads: number;
  /** Of WebGPU: why steps run in WebAssembly, where they do. */
  readonly onHost?: string;
  /** Seconds that the animation could have now. */
  readonly recorded: number;
}

export interface PinInfo {
  readonly id: number;
  readonly body: number;
  readonly vertices: Uint32Array;
  readonly held: boolean;
}

export interface FrameData {
  readonly positions: Float32Array;
  /** x, y, z and quaternion x, y, z, w of each obstacle. */
  readonly poses: Float32Array;
  /** Per vertex, 0…1, of views that colour. */
  readonly values?: Float32Array;
  /** The view that the values are of: it may have changed since. */
  readonly view: View;
  /** In the order of `skins`; where the view shows them. */
  readonly skins?: readonly SkinFrame[];
  readonly figures?: Figures;
  readonly paused: boolean;
  /** The `topology` of the bodies that these are the vertices of. */
  readonly topology: number;
}

/** What a view shows that does not change with time. */
export interface ViewData {
  readonly view: View;
  /** Pairs of vertices to draw lines between, of all bodies. */
  readonly lines?: Uint32Array;
  /** Per vertex, 0…1. */
  readonly values?: Float32Array;
}

export type Answer =
  | { readonly type: 'opened'; readonly opened: OpenedScene }
  | { readonly type: 'frame'; readonly frame: FrameData }
  | { readonly type: 'pins'; readonly pins: readonly PinInfo[] }
  | { readonly type: 'view'; readonly data: ViewData }
  | { readonly type: 'exported'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly type: 'busy'; readonly what: string }
  /** Something could not be done; everything else goes on. */
  | { readonly type: 'failed'; readonly message: string; readonly about: 'open' | 'change' | 'export' | 'step' };
