// The things of a world in a worker by their numbers.

import type { Skin } from '../embedding/skin.js';
import type { Prepared } from '../solvers/solver.js';
import type { Attachment } from '../world/attachment.js';
import type { Body } from '../world/body.js';
import type { Collider } from '../world/collider.js';
import type { CutStroke } from '../world/cutting.js';
import type { ForceField } from '../world/force-field.js';
import type { Grip } from '../world/grip.js';
import type { Pin } from '../world/pin.js';
import type { World } from '../world/world.js';
import { FIRST_OWN, type FrameLayout } from './messages.js';

/** A skin with the body that it follows. */
export interface BodySkin {
  readonly body: Body;
  readonly skin: Skin;
}

export type Thing = Prepared | Body | Collider | Attachment | Pin | Grip | CutStroke | ForceField | BodySkin;

export class Things {
  private readonly things = new Map<number, Thing>();
  private readonly numbers = new Map<Thing, number>();
  private last = FIRST_OWN;
  /** The last number that the page gave. */
  private newest = 0;
  /** The last numbers of worlds before this one. */
  private past = 0;
  private pastOwn = FIRST_OWN;
  readonly skins: { readonly id: number; readonly of: BodySkin }[] = [];
  readonly pins = new Map<Pin, number>();
  readonly grips = new Map<Grip, number>();

  add<T extends Thing>(id: number, thing: T): T {
    this.things.set(id, thing);
    this.numbers.set(thing, id);
    if (id < FIRST_OWN) this.newest = Math.max(this.newest, id);
    return thing;
  }

  /** The number of a thing; of one that came to be here a new one. */
  numberOf(thing: Thing): number {
    const known = this.numbers.get(thing);
    if (known !== undefined) return known;
    const id = this.last++;
    this.add(id, thing);
    return id;
  }

  /** Whether it is of a world that was there before this one: who asks for it does not know that yet. */
  isPast(id: number): boolean {
    return id > 0 && !this.things.has(id) && (id < FIRST_OWN ? id <= this.past : id < this.pastOwn);
  }

  /** Forgets all but what was prepared: the world is another one now. */
  startAnew(): void {
    for (const { of } of this.skins) of.skin.dispose();
    this.skins.length = 0;
    this.pins.clear();
    this.grips.clear();
    for (const [id, thing] of this.things) {
      if ('particles' in thing) continue;
      this.things.delete(id);
      this.numbers.delete(thing);
    }
    [this.past, this.pastOwn] = [this.newest, this.last];
  }

  /** Undefined where it is not known. */
  knownNumber(thing: Thing): number | undefined {
    return this.numbers.get(thing);
  }

  get<T extends Thing>(id: unknown): T {
    const thing = this.things.get(id as number);
    if (!thing) throw new RangeError('expected something of this world, got what is there no more');
    return thing as T;
  }

  find(id: number): Thing | undefined {
    return this.things.get(id);
  }

  drop(id: number): void {
    const thing = this.things.get(id);
    if (!thing) return;
    this.things.delete(id);
    this.numbers.delete(thing);
    this.pins.delete(thing as Pin);
    this.grips.delete(thing as Grip);
    const skin = this.skins.findIndex((one) => one.id === id);
    if (skin >= 0) this.skins.splice(skin, 1);
  }

  /** What follows or holds a body that has gone is forgotten with it. */
  dropFollowersOf(body: Body): void {
    for (const { id, of } of [...this.skins]) {
      if (of.body !== body) continue;
      of.skin.dispose();
      this.drop(id);
    }
    for (const [pin, id] of [...this.pins]) if (!pin.held) this.drop(id);
    for (const [grip, id] of [...this.grips]) if (!grip.held) this.drop(id);
  }

  /** What a frame tells of, in order. */
  layoutOf(world: World): FrameLayout {
    return {
      bodies: world.bodies.map((body) => ({ id: this.numberOf(body), count: body.particleCount })),
      skins: this.skins.map(({ id, of: { skin } }) => ({
        id,
        count: skin.positions.length / 3,
        tangents: skin.tangents !== null,
      })),
      colliders: world.colliders.map((collider) => this.numberOf(collider)),
      pins: [...this.pins.values()],
      grips: [...this.grips.values()],
      attachments: world.attachments.map((attachment) => this.numberOf(attachment)),
    };
  }
}
