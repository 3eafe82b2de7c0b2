// What the page and the program beside its world say to each other.

import type { EmbeddableMesh, Profile } from 'isochore';
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
  'graph',
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

/** What the page may ask of the program beside the world; everything else it asks of the world itself. */
export interface SceneCalls {
  open(source: SceneSource, settings: Settings, paint?: Paint, stopAt?: number): Promise<void>;
  reset(): Promise<void>;
  /** Shows another moment of a scene that is posed [s]. */
  seek(time: number): void;
  change(settings: Settings): Promise<void>;
  /** Takes hold of the surface; `point` [m] is where the pointer is. */
  grab(body: number, point: Point): void;
  /** Takes hold of a pin that is already there. */
  hold(pin: number, point: Point, twist: boolean): void;
  drag(point: Point, angle: number): void;
  release(): void;
  pin(body: number, vertex: number): void;
  unpin(pin: number): void;
  twist(body: number, vertex: number, point: Point): void;
  /** Where the camera is [m], and how large a pixel is seen from there [rad]. */
  look(position: Point, pixelAngle: number): void;
  brush(brush: Brush): void;
  paint(body: number, point: Point): void;
  /** The end of a stroke: the bodies are prepared with what was painted. */
  painted(): Promise<void>;
  wipe(): Promise<void>;
  moveObstacle(obstacle: number, position: Point): void;
  press(on: boolean): void;
  view(view: View, body: number, vertex: number): void;
  exportFile(kind: ExportKind, seconds: number): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }>;
}

/** What the program says of a body beside what the world does. */
export interface BodyTraits {
  /** Whether its volume is kept. */
  readonly conserved: boolean;
  /** Diameter of its bounding sphere [m]. */
  readonly size: number;
}

/** A body as the page draws it. */
export interface BodyInfo extends BodyTraits {
  readonly name: string;
  /** First of its vertices among those of all bodies. */
  readonly start: number;
  readonly count: number;
  readonly triangles: Uint32Array;
  /** At rest [m], for strain. */
  readonly rest: ArrayLike<number>;
}

export type ObstacleInfo = Scene['colliders'][number] & {
  /** Of a mesh. */
  readonly surface?: { readonly positions: Float32Array; readonly triangles: Uint32Array };
};

/** A body as its file looks. */
export interface SkinInfo {
  readonly body: number;
  /** What the world lets follow the body. */
  readonly visible: EmbeddableMesh & { readonly triangles: Uint32Array };
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

/** What the program says of a scene. */
export interface SceneInfo {
  readonly title: string;
  readonly source: SceneSource;
  /** Without the settings of the page. */
  readonly scene: Scene;
  /** What is painted on its bodies. */
  readonly paint: Paint;
  readonly bodies: readonly BodyTraits[];
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
}

/** A scene as the page shows it. */
export type OpenedScene = Omit<SceneInfo, 'bodies'> & { readonly bodies: readonly BodyInfo[] };

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

/** What a view shows that does not change with time. */
export interface ViewData {
  readonly view: View;
  /** Pairs of vertices to draw lines between, of all bodies. */
  readonly lines?: Uint32Array;
  /** Per vertex, 0…1. */
  readonly values?: Float32Array;
}

/** What the program says with a frame of the world. Of what is left out nothing has changed. */
export interface SceneFrame {
  /** The scene, where it is another, has bodies of another topology, or other obstacles. */
  readonly opened?: SceneInfo;
  readonly pins?: readonly PinInfo[];
  readonly viewData?: ViewData;
  /** Per vertex, 0…1, of views that colour. */
  readonly values?: Float32Array;
  /** Where lines inside the bodies begin and end [m], 6 numbers each, of views that show some. */
  readonly segments?: Float32Array;
  /** The view that these are of: it may have changed since. */
  readonly view: View;
  readonly figures?: Figures;
  /** Whether it has stopped where it was told to. */
  readonly stopped?: true;
}
