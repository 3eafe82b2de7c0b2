// The page's side of frames: hands each thing its numbers, and events to who listens.

import type { ColliderOptions } from '../contact/obstacles/collider-options.js';
import { pointAt, type Vec3 } from '../math/vec3.js';
import { ContactListeners } from '../world/contact-listeners.js';
import {
  ATTACHMENT_NUMBERS,
  BODY_NUMBERS,
  type BodyInfo,
  COLLIDER_NUMBERS,
  CONTACT_NUMBERS,
  FIRST_OWN,
  type Frame,
  type FrameLayout,
  GRIP_NUMBERS,
  type HandleInfo,
  PHASES,
  PIN_NUMBERS,
} from './messages.js';
import type { WorkerAttachment } from './worker-attachment.js';
import type { WorkerBody } from './worker-body.js';
import type { WorkerCollider } from './worker-collider.js';
import type { Framed, WorkerGrip, WorkerPin } from './worker-handles.js';
import { WorkerSkin } from './worker-skin.js';

/** As `ContactEvent`, of all steps of a frame. */
export interface WorkerContactEvent {
  readonly phase: (typeof PHASES)[number];
  readonly body: WorkerBody;
  readonly other: WorkerBody | WorkerCollider;
  readonly point: Vec3;
  readonly normal: Vec3;
  readonly impulse: Vec3;
}

/** As `SplitEvent`: a body that is in more closed parts than before. */
export interface WorkerSplitEvent {
  readonly body: WorkerBody;
  readonly before: number;
  readonly after: number;
}

/** Makes what came to be in the worker known on the page. */
export interface Newcomers {
  body(info: BodyInfo): void;
  collider(id: number, options: ColliderOptions): void;
  attachment(info: HandleInfo): void;
}

const NOTHING: FrameLayout = { bodies: [], skins: [], colliders: [], pins: [], grips: [], attachments: [] };

export class FrameReader {
  readonly bodies = new Map<number, WorkerBody>();
  readonly colliders = new Map<number, WorkerCollider>();
  readonly attachments = new Map<number, WorkerAttachment>();
  readonly listeners = new ContactListeners<WorkerBody | WorkerCollider, WorkerContactEvent>();
  stepCount = 0;
  pace = 1;
  splits: readonly WorkerSplitEvent[] = [];
  private readonly handles = new Map<number, WorkerPin | WorkerGrip>();
  private readonly skins = new Map<number, WorkerSkin>();
  private layout = NOTHING;
  private contacts = new Float64Array(0);
  private events: readonly WorkerContactEvent[] | undefined;
  /** The buffer that is shown now, where it is to be given back. */
  private shown: ArrayBuffer | undefined;

  /** Removed here, while frames that tell of them may be on their way. */
  private readonly leaving = new Set<number>();

  constructor(
    private readonly giveBack: (buffer: ArrayBuffer) => void,
    private readonly newcomers: Newcomers,
  ) {}

  keep(id: number, thing: WorkerPin | WorkerGrip | WorkerSkin): void {
    if (thing instanceof WorkerSkin) this.skins.set(id, thing);
    else this.handles.set(id, thing);
  }

  has(thing: WorkerBody | WorkerCollider): boolean {
    return this.bodies.get(thing?.id) === thing || this.colliders.get(thing?.id) === thing;
  }

  hasHandle(id: number): boolean {
    return this.handles.has(id) || this.attachments.has(id);
  }

  /** Forgets a body or an obstacle; false where it is not known. */
  forget(thing: WorkerBody | WorkerCollider): boolean {
    if (!this.has(thing)) return false;
    this.leaving.add(thing.id);
    this.bodies.delete(thing.id);
    this.colliders.delete(thing.id);
    this.listeners.drop(thing);
    for (const [id, { body, other }] of this.attachments)
      if (body === thing || other === thing) this.attachments.delete(id);
    return true;
  }

  clear(): void {
    for (const list of [this.bodies, this.colliders, this.attachments, this.handles, this.skins]) list.clear();
  }

  /** Ends everything: the world that it belonged to has given place to another. */
  private startAnew(): void {
    for (const list of [this.bodies, this.colliders, this.attachments, this.handles, this.skins])
      for (const thing of list.values()) thing.end('its world was replaced by another');
    for (const thing of [...this.bodies.values(), ...this.colliders.values()]) this.listeners.drop(thing);
    this.clear();
    this.leaving.clear();
    this.layout = NOTHING;
  }

  /** Lets go what the worker itself took out of the world. */
  private follow(layout: FrameLayout): void {
    const there = new Set([...layout.bodies.map(({ id }) => id), ...layout.colliders]);
    for (const id of [...this.layout.bodies.map((body) => body.id), ...this.layout.colliders]) {
      const thing = there.has(id) ? undefined : (this.bodies.get(id) ?? this.colliders.get(id));
      if (!thing) continue;
      thing.end('it was removed from its world');
      this.forget(thing);
    }
    for (const id of this.leaving) if (!there.has(id)) this.leaving.delete(id);
    this.layout = layout;
  }

  private meet({ changed, made }: Frame): void {
    const isNew = (id: number): boolean => id >= FIRST_OWN && !this.leaving.has(id);
    for (const info of changed) {
      const known = this.bodies.get(info.id);
      if (known) known.change(info);
      else if (isNew(info.id)) this.newcomers.body(info);
    }
    for (const { id, options } of made?.colliders ?? []) if (isNew(id)) this.newcomers.collider(id, options);
    for (const info of made?.attachments ?? []) this.newcomers.attachment(info);
  }

  take(frame: Frame): void {
    if (frame.replaced) this.startAnew();
    if (frame.layout) this.follow(frame.layout);
    this.meet(frame);
    for (const { id, visible, cut } of frame.cutSkins) this.skins.get(id)?.change(visible, cut);
    if (this.shown) this.giveBack(this.shown);
    this.shown = frame.isShared ? undefined : (frame.block.buffer as ArrayBuffer);
    this.stepCount = frame.stepCount;
    this.pace = frame.pace;
    this.handOut(frame);
    this.contacts = frame.contacts as Float64Array<ArrayBuffer>;
    this.events = undefined;
    this.splits = frame.splits.flatMap(({ body, ...counts }) => {
      const known = this.bodies.get(body);
      return known ? [{ body: known, ...counts }] : [];
    });
    if (this.listeners.size > 0) this.listeners.dispatch(this.contactEvents());
  }

  contactEvents(): readonly WorkerContactEvent[] {
    this.events ??= this.readContacts();
    return this.events;
  }

  private handOut({ block, numbers }: Frame): void {
    const { layout } = this;
    let [at, place] = [0, 0];
    const nextOf = (count: number): Float64Array => {
      at += count;
      return numbers.subarray(at - count, at);
    };
    const vectors = (count: number): Float32Array => {
      place += count;
      return block.subarray(place - count, place);
    };
    for (const { id, count } of layout.bodies) {
      const [positions, figures] = [vectors(3 * count), nextOf(BODY_NUMBERS)];
      this.bodies.get(id)?.take(positions, figures);
    }
    for (const { id, count, tangents } of layout.skins) {
      const [positions, normals] = [vectors(3 * count), vectors(3 * count)];
      this.skins.get(id)?.take(positions, normals, tangents ? vectors(4 * count) : null);
    }
    const give = (ids: readonly number[], things: ReadonlyMap<number, Framed>, count: number): void => {
      for (const id of ids) {
        const figures = nextOf(count);
        things.get(id)?.take(figures);
      }
    };
    give(layout.colliders, this.colliders, COLLIDER_NUMBERS);
    give(layout.pins, this.handles, PIN_NUMBERS);
    give(layout.grips, this.handles, GRIP_NUMBERS);
    give(layout.attachments, this.attachments, ATTACHMENT_NUMBERS);
    this.forgetEnded();
  }

  /** Handles that the worker no longer tells of are nobody's any more. */
  private forgetEnded(): void {
    for (const [id, handle] of this.handles) if (!handle.held) this.handles.delete(id);
    for (const [id, skin] of this.skins) if (skin.isDisposed) this.skins.delete(id);
    for (const [id, attachment] of this.attachments) if (!attachment.attached) this.attachments.delete(id);
  }

  private readContacts(): readonly WorkerContactEvent[] {
    const { contacts } = this;
    const thing = (id: number) => this.bodies.get(id) ?? this.colliders.get(id);
    const events: WorkerContactEvent[] = [];
    for (let n = 0; n < contacts.length / CONTACT_NUMBERS; n++) {
      const row = contacts.subarray(CONTACT_NUMBERS * n, CONTACT_NUMBERS * (n + 1));
      const [body, other] = [this.bodies.get(row[1]), thing(row[2])];
      // What was removed meanwhile touches nothing.
      if (!body || !other) continue;
      const [point, normal, impulse] = [0, 1, 2].map((k) => pointAt(row.subarray(3), k));
      events.push({ phase: PHASES[row[0]], body, other, point, normal, impulse });
    }
    return events;
  }
}
