// Writes frames: all that a page shows of a world, in one block of positions and one of other numbers. The block lies in shared memory
// where there is some, in two halves: the page reads one while the other is written. Elsewhere buffers go to and fro.

import type { EmbeddableMesh } from '../embedding/embedding.js';
import type { Skin } from '../embedding/skin.js';
import { type Pose, poseAt } from '../math/motion.js';
import type { Attachment } from '../world/attachment.js';
import type { Body } from '../world/body.js';
import type { Collider } from '../world/collider.js';
import type { World } from '../world/world.js';
import { describeAttachment, describeBody, describeCollider, describeWorld } from './descriptions.js';
import { FIRST_OWN, type Frame, type FrameLayout } from './messages.js';
import type { ShownPositions } from './shown-positions.js';
import type { Things } from './things.js';

/** What is written once a frame, beside the state of the world. */
export type FrameFigures = Pick<Frame, 'contacts' | 'splits' | 'taken' | 'pace' | 'program'>;

export class FrameWriter {
  /** The layout that the page knows, as text. */
  private known = '';
  private shared: SharedArrayBuffer | undefined;
  private half = 0;
  private readonly visibles = new WeakMap<Skin, EmbeddableMesh>();
  private readonly topologies = new WeakMap<Body, number>();
  /** Obstacles and attachments of the worker's own that the page knows. */
  private readonly announced = new WeakSet<Collider | Attachment>();

  constructor(
    private readonly world: World,
    private readonly things: Things,
    private readonly shown: ShownPositions,
    private readonly isShared: boolean,
    /** Whether the page knows another world, and has to be told of this one. */
    private isAnother = false,
  ) {}

  /** The page knows a body as it is now. */
  announce(body: Body): void {
    this.topologies.set(body, body.topologyVersion);
  }

  write(share: number, figures: FrameFigures, buffer?: ArrayBuffer): { frame: Frame; transfer: ArrayBuffer[] } {
    const { world, things } = this;
    const cutSkins = this.updateSkins(share);
    const layout = things.layoutOf(world);
    const text = JSON.stringify(layout);
    const isNew = text !== this.known;
    this.known = text;
    const block = this.blockOf(sizeOf(layout), buffer);
    this.writeBlock(block, share);
    const numbers = this.writeNumbers(share);
    const changed = world.bodies.filter((body) => this.topologies.get(body) !== body.topologyVersion);
    for (const body of changed) this.announce(body);
    const frame: Frame = {
      ...figures,
      ...{ block, isShared: this.isShared, numbers, layout: isNew ? layout : undefined },
      cutSkins,
      changed: changed.map((body) => describeBody(things.numberOf(body), body)),
      made: isNew ? this.describeMade(layout) : undefined,
      replaced: this.isAnother ? describeWorld(world) : undefined,
      stepCount: world.stepCount,
      profile: world.profile,
    };
    this.isAnother = false;
    const transfer = [numbers.buffer, figures.contacts.buffer] as ArrayBuffer[];
    return { frame, transfer: this.isShared ? transfer : [...transfer, block.buffer as ArrayBuffer] };
  }

  /** What the page has not made and has not heard of yet. */
  private describeMade({ colliders, attachments }: FrameLayout): Frame['made'] {
    const { world, things, announced } = this;
    const isNews = (thing: Collider | Attachment, id: number): boolean => {
      if (id < FIRST_OWN || announced.has(thing)) return false;
      announced.add(thing);
      return true;
    };
    const obstacles = world.colliders.flatMap((collider, n) =>
      isNews(collider, colliders[n]) ? [{ id: colliders[n], options: describeCollider(collider) }] : [],
    );
    const bonds = world.attachments.filter((attachment, n) => isNews(attachment, attachments[n]));
    return { colliders: obstacles, attachments: bonds.map((bond) => describeAttachment(bond, things)) };
  }

  private blockOf(length: number, buffer?: ArrayBuffer): Float32Array {
    const bytes = 4 * length;
    if (!this.isShared) return new Float32Array(buffer?.byteLength === bytes ? buffer : new ArrayBuffer(bytes));
    if (this.shared?.byteLength !== 2 * bytes) this.shared = new SharedArrayBuffer(2 * bytes);
    this.half = 1 - this.half;
    return new Float32Array(this.shared, this.half * bytes, length);
  }

  /** Lets skins follow; returns those that have other triangles than the page knows. */
  private updateSkins(share: number): Frame['cutSkins'] {
    const places = new Map<Body, Float32Array>();
    return this.things.skins.flatMap(({ id, of: { body, skin } }) => {
      let place = share < 1 ? places.get(body) : undefined;
      if (share < 1 && !place) {
        place = new Float32Array(body.positions.length);
        this.shown.write(body, share, place);
        places.set(body, place);
      }
      skin.update(place);
      const { visible, original, cut } = skin.embedding;
      if (visible === (this.visibles.get(skin) ?? original)) return [];
      this.visibles.set(skin, visible);
      const { positions, triangles, normals, tangents } = visible;
      return [{ id, visible: { positions, triangles, normals, tangents }, cut }];
    });
  }

  private writeBlock(block: Float32Array, share: number): void {
    const { world, things, shown } = this;
    let at = 0;
    const next = (length: number): Float32Array => {
      at += length;
      return block.subarray(at - length, at);
    };
    for (const body of world.bodies) {
      shown.write(body, share, next(body.positions.length));
    }
    for (const { of } of things.skins) {
      const { positions, normals, tangents } = of.skin;
      next(positions.length).set(positions);
      next(normals.length).set(normals);
      if (tangents) next(tangents.length).set(tangents);
    }
  }

  /** Where an obstacle is in the picture, as far as its motion says; one that is sent somewhere is there at the end of its step. */
  private poseOf({ motion, rest, position, rotation }: Collider, share: number): Pose {
    const { time, timeStep, stepCount } = this.world;
    if (motion.length === 0) return { position, rotation };
    return poseAt(motion, stepCount === 0 ? 0 : time - (1 - share) * timeStep, rest);
  }

  private writeNumbers(share: number): Float64Array {
    const { world, things } = this;
    const numbers: number[] = [];
    for (const { asleep, contactCount, recoveries, nodeCount, topologyVersion, targetVolume } of world.bodies)
      numbers.push(Number(asleep), contactCount, recoveries, nodeCount, topologyVersion, targetVolume);
    for (const collider of world.colliders) {
      const { position, rotation } = this.poseOf(collider, share);
      numbers.push(...position, ...rotation, ...collider.impulse, ...collider.torque);
    }
    for (const pin of things.pins.keys()) numbers.push(Number(pin.held));
    for (const grip of things.grips.keys()) {
      const { held } = grip;
      numbers.push(Number(held), ...(held ? [...grip.point, ...grip.force] : [0, 0, 0, 0, 0, 0]));
    }
    for (const { attached, broken, force } of world.attachments)
      numbers.push(Number(attached), Number(broken), ...force);
    return Float64Array.from(numbers);
  }
}

/** Numbers of a frame's block. */
export const sizeOf = ({ bodies, skins }: FrameLayout): number =>
  bodies.reduce((sum, { count }) => sum + 3 * count, 0) +
  skins.reduce((sum, { count, tangents }) => sum + (tangents ? 10 : 6) * count, 0);
