// What the page and the worker that holds its world say to each other. Things (bodies, obstacles, handles, …) go by numbers: those that the
// page makes it numbers itself, so that it need not wait for them; those that come to be in the worker count from `FIRST_OWN` on.

import type { Capabilities, Profile } from '../backends/backend.js';
import type { ColliderOptions } from '../contact/obstacles/collider-options.js';
import type { EmbeddableMesh, Embedding } from '../embedding/embedding.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { CutFaces } from '../world/body-views.js';

/** The world's own number. */
export const WORLD = 0;

export const FIRST_OWN = 2 ** 30;

/** What can be made. */
export type Kind =
  | 'world'
  | 'prepared'
  | 'body'
  | 'collider'
  | 'attachment'
  | 'pin'
  | 'grip'
  | 'skin'
  | 'stroke'
  | 'wind';

/** A solver by its name: its behaviour cannot be sent. */
export interface SentSolver {
  readonly type: string;
  readonly settings: object;
}

export type ToHost =
  /** Makes something of the arguments, as number `id`. */
  | {
      readonly kind: 'make';
      readonly what: Kind;
      readonly id: number;
      readonly call: number;
      readonly args: readonly unknown[];
    }
  /** Calls a method of a thing; the answer bears the number of the call. */
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly call: number;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  /** Sets a property of a thing. */
  | {
      readonly kind: 'set';
      readonly id: number;
      readonly call: number;
      readonly name: string;
      readonly value: unknown;
    }
  | { readonly kind: 'drop'; readonly id: number }
  /** Calls something of the program beside the world. */
  | { readonly kind: 'program'; readonly call: number; readonly name: string; readonly args: readonly unknown[] }
  /** Goes by a clock of its own, `speed` seconds per second; 0 by the elapsed time of frames. */
  | { readonly kind: 'run'; readonly speed: number }
  /** Asks for a frame when this much time has passed [s]; the buffer is one that the page has done with. */
  | { readonly kind: 'frame'; readonly elapsed: number; readonly buffer?: ArrayBuffer };

/** An error as it is sent: its class by name, and what it has beside its message. */
export interface Fault {
  readonly name: string;
  readonly message: string;
  readonly detail?: unknown;
}

/** What is known of a prepared body. */
export interface PreparedInfo {
  readonly mesh: TriangleMesh;
  readonly visible?: TriangleMesh;
  readonly restVolume: number;
  readonly size: number;
  /** Mass over density × volume at rest. */
  readonly massFactor: number;
}

/** What is known of a body's shape: when it comes to be, and when its topology changes. */
export interface BodyInfo {
  readonly id: number;
  readonly name: string;
  readonly mass: number;
  readonly restVolume: number;
  readonly mesh: TriangleMesh;
  readonly cutFaces?: CutFaces;
  /** Vertices and volume at rest of its closed parts. */
  readonly parts: readonly { readonly vertices: Uint32Array; readonly restVolume: number }[];
}

/** Pins, grips and attachments as they are after a snapshot was restored. */
export interface HandleInfo {
  readonly kind: 'pin' | 'grip' | 'attachment';
  readonly id: number;
  readonly body: number;
  readonly vertices: Uint32Array;
  /** Of a pin [m]. */
  readonly centre?: readonly [number, number, number];
  /** Of an attachment: what it holds the body to, and the force beyond which it breaks [N]. */
  readonly other?: number;
  readonly breakForce?: number;
}

/** Where things are in a frame's numbers: in this order, `BODY_NUMBERS` and so on for each. */
export interface FrameLayout {
  /** Numbers of the things, with how many vertices they have. */
  readonly bodies: readonly { readonly id: number; readonly count: number }[];
  readonly skins: readonly { readonly id: number; readonly count: number; readonly tangents: boolean }[];
  readonly colliders: readonly number[];
  readonly pins: readonly number[];
  readonly grips: readonly number[];
  readonly attachments: readonly number[];
}

/** Of a body: asleep, contacts, recoveries, nodes, topology version, target volume. */
export const BODY_NUMBERS = 6;
/** Of a collider: position, rotation, impulse, torque. */
export const COLLIDER_NUMBERS = 13;
/** Whether a pin holds. */
export const PIN_NUMBERS = 1;
/** Of a grip: whether it holds, point, force. */
export const GRIP_NUMBERS = 7;
/** Of an attachment: whether it holds, whether it broke, force. */
export const ATTACHMENT_NUMBERS = 5;
/** Of a contact: phase (by its place in PHASES), body, other, point, normal, impulse. */
export const CONTACT_NUMBERS = 12;

export const PHASES = ['begin', 'persist', 'end'] as const;

export interface Frame {
  /** Positions of bodies, then positions, normals and tangents of skins. */
  readonly block: Float32Array;
  /** Whether the block lies in memory that is shared: nothing is to be given back. */
  readonly isShared: boolean;
  readonly numbers: Float64Array;
  readonly contacts: Float64Array;
  readonly splits: readonly { readonly body: number; readonly before: number; readonly after: number }[];
  /** Where it differs from the frame before. */
  readonly layout?: FrameLayout;
  /** What the world says of itself, where it is another one than in the frame before: nothing of that is there any more. */
  readonly replaced?: WorldInfo;
  /** Obstacles and attachments that came to be in the worker since the frame before. */
  readonly made?: {
    readonly colliders: readonly { readonly id: number; readonly options: ColliderOptions }[];
    readonly attachments: readonly HandleInfo[];
  };
  /** What the program beside the world has to say. */
  readonly program?: unknown;
  /** Bodies of another topology than before, and those that came to be in the worker. */
  readonly changed: readonly BodyInfo[];
  /** Skins that were cut since the frame before. */
  readonly cutSkins: readonly {
    readonly id: number;
    readonly visible: EmbeddableMesh;
    readonly cut: Embedding['cut'];
  }[];
  readonly stepCount: number;
  /** Steps since the frame before. */
  readonly taken: number;
  readonly profile: Profile;
  /** Simulated over elapsed time in the last second; below 1 where the machine is not fast enough. */
  readonly pace: number;
}

export type FromHost =
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly call: number; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'frame'; readonly frame: Frame };

/** What a world says of itself when it is made. */
export interface WorldInfo {
  readonly capabilities: Capabilities;
  readonly timeStep: number;
}
