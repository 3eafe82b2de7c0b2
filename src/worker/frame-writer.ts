// Writes frames: all that a page shows of a world, in one block of positions and one of other numbers. The block lies in shared memory
// where there is some, in two halves: the page reads one while the other is written. Elsewhere buffers go to and fro.

import type { EmbeddableMesh } from '../embedding/embedding.js';
import type { Skin } from '../embedding/skin.js';
import type { Body } from '../world/body.js';
import type { World } from '../world/world.js';
import type { BodyInfo, Frame, FrameLayout } from './messages.js';
import type { ShownPositions } from './shown-positions.js';
import type { Things } from './things.js';

export function describeBody(id: number, body: Body): BodyInfo {
  const { name, mass, restVolume, mesh, cutFaces } = body;
  const parts = body.parts.map((part) => ({ vertices: part.vertices, restVolume: part.restVolume }));
  return { id, name, mass, restVolume, mesh, cutFaces, parts };
}

/** What is written once a frame, beside the state of the world. */
export type FrameFigures = Pick<Frame, 'contacts' | 'splits' | 'taken' | 'pace'>;

export class FrameWriter {
  /** The layout that the page knows, as text. */
  private known = '';
  private shared: SharedArrayBuffer | undefined;
  private half = 0;
  private readonly visibles = new WeakMap<Skin, EmbeddableMesh>();
  private readonly topologies = new WeakMap<Body, number>();

  constructor(
    private readonly world: World,
    private readonly things: Things,
    private readonly shown: ShownPositions,
    private readonly isShared: boolean,
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
    const numbers = this.writeNumbers();
    const changed = world.bodies.filter((body) => this.topologies.get(body) !== body.topologyVersion);
    for (const body of changed) this.announce(body);
    const frame: Frame = {
      ...figures,
      ...{ block, isShared: this.isShared, numbers, layout: isNew ? layout : undefined },
      cutSkins,
      changed: changed.map((body) => describeBody(things.numberOf(body), body)),
      stepCount: world.stepCount,
      profile: world.profile,
    };
    const transfer = [numbers.buffer, figures.contacts.buffer] as ArrayBuffer[];
    return { frame, transfer: this.isShared ? transfer : [...transfer, block.buffer as ArrayBuffer] };
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

  private writeNumbers(): Float64Array {
    const { world, things } = this;
    const numbers: number[] = [];
    for (const { asleep, contactCount, recoveries, nodeCount, topologyVersion, targetVolume } of world.bodies)
      numbers.push(Number(asleep), contactCount, recoveries, nodeCount, topologyVersion, targetVolume);
    for (const { position, rotation, impulse, torque } of world.colliders)
      numbers.push(...position, ...rotation, ...impulse, ...torque);
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
