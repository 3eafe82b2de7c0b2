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
    const { shared } = this;
    const users = shared.get(body.rest)?.get(embedding)?.users ?? 0;
    try {
      const skin = this.memory.makeWhole('a visible mesh', () => new WasmSkin(this, embedding, body));
      body.skins.add(skin);
      return skin;
    } catch (error) {
      // Its blocks are given back already.
      if ((shared.get(body.rest)?.get(embedding)?.users ?? 0) > users) this.forget(body, embedding);
      throw error;
    }
  }

  share(body: WasmBody, embedding: Embedding): SkinRest {
    const ofRest = this.shared.get(body.rest) ?? new Map<Embedding, Shared>();
    const shared = ofRest.get(embedding) ?? {
      rest: writeSkinRest(this.memory, embedding, body.rest, body.places),
      users: 0,
    };
    shared.users++;
    ofRest.set(embedding, shared);
    this.shared.set(body.rest, ofRest);
    return shared.rest;
  }

  giveBack(body: WasmBody, embedding: Embedding): void {
    const rest = this.forget(body, embedding);
    if (rest) releaseSkinRest(this.memory, rest);
  }

  /** Counts one user less; the rest data where it was the last. */
  private forget(body: WasmBody, embedding: Embedding): SkinRest | undefined {
    const ofRest = this.shared.get(body.rest);
    const shared = ofRest?.get(embedding);
    if (!ofRest || !shared || --shared.users > 0) return undefined;
    ofRest.delete(embedding);
    if (ofRest.size === 0) this.shared.delete(body.rest);
    return shared.rest;
  }
}
