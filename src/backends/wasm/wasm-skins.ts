// The visible meshes of a world on this backend, and the rest data that they share.

import type { Embedding } from '../../embedding/embedding.js';
import type { Skin } from '../../embedding/skin.js';
import type { WasmMemory } from './memory.js';
import type { RestData } from './rest-data.js';
import { releaseSkinRest, type SkinRest, writeSkinRest } from './skin-rest.js';
import type { WasmBody } from './wasm-body.js';
import { type SkinHost, WasmSkin } from './wasm-skin.js';

interface Shared {
  readonly rest: SkinRest;
  users: number;
}

export class WasmSkins implements SkinHost {
  private readonly shared = new Map<RestData, Map<Embedding, Shared>>();

  constructor(
    readonly memory: WasmMemory,
    readonly follow: (record: number, vertexCount: number) => void,
  ) {}

  /** Lets a visible mesh follow a body until either is disposed of. */
  add(body: WasmBody, embedding: Embedding): Skin {
    const ofRest = this.shared.get(body.rest) ?? new Map<Embedding, Shared>();
    const known = ofRest.get(embedding);
    const skin = this.memory.makeWhole('a visible mesh', () => {
      const rest = known?.rest ?? writeSkinRest(this.memory, embedding, body.rest, body.places);
      return new WasmSkin(this, embedding, body, rest);
    });
    const shared = known ?? { rest: skin.rest, users: 0 };
    shared.users++;
    ofRest.set(embedding, shared);
    this.shared.set(body.rest, ofRest);
    body.skins.add(skin);
    return skin;
  }

  release(skin: WasmSkin): void {
    skin.body.skins.delete(skin);
    const ofRest = this.shared.get(skin.body.rest);
    const shared = ofRest?.get(skin.embedding);
    if (!ofRest || !shared || --shared.users > 0) return;
    releaseSkinRest(this.memory, shared.rest);
    ofRest.delete(skin.embedding);
    if (ofRest.size === 0) this.shared.delete(skin.body.rest);
  }
}
