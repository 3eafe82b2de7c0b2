// Keeps the frames of a bake: their numbers in a store, in memory or on disk, and where they are. What it knows can be written down and
// taken up again, so that a bake that was stopped goes on.

import type { MeshLook } from '../mesh/io/read-look.js';
import { boundsOf } from '../mesh/measure.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { Body } from '../world/body.js';
import type { CutFaces } from '../world/body-views.js';
import type { World } from '../world/world.js';
import type { BakeTimes, BodyFrame } from './bake-frames.js';
import { type BakedScene, distinctNames, type ObstacleTrack, type Track } from './baked-scene.js';
import { plainLook, showLook } from './body-look.js';
import { obstacleTracks, planeExtent } from './collider-mesh.js';
import { showCut } from './cut-drawn.js';

/** Numbers, by the place that `append` gave them. */
export interface FrameStore {
  append(numbers: Float32Array): Promise<number>;
  read(place: number, count: number): Promise<Float32Array>;
}

export class MemoryStore implements FrameStore {
  private readonly kept: Float32Array[] = [];

  async append(numbers: Float32Array): Promise<number> {
    return this.kept.push(numbers) - 1;
  }

  async read(place: number): Promise<Float32Array> {
    return this.kept[place];
  }
}

/** A body while it had one topology. */
export interface RecordedTrack {
  readonly body: number;
  readonly topology: number;
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly faces?: CutFaces;
  readonly firstFrame: number;
  /** Of its frames, in the store. */
  readonly places: number[];
}

export class BakeRecord {
  readonly tracks: RecordedTrack[] = [];
  private obstacles: readonly ObstacleTrack[] = [];
  private readonly looks: (MeshLook | undefined)[];
  /** How large planes are shown [m]; of the world at the start, so one that goes on is told. */
  extent = 0;

  constructor(
    private readonly times: BakeTimes,
    private readonly store: FrameStore,
    tracks: readonly RecordedTrack[] = [],
    /** How the bodies look, in the order in which they are taken. */
    looks: readonly (MeshLook | undefined)[] = [],
  ) {
    this.tracks.push(...tracks);
    this.looks = [...looks];
  }

  /** When it is whole. */
  get frameCount(): number {
    return this.times.frameCount;
  }

  /**
   * What stands around the bodies, and the surfaces of those that are simulated by another: asked for once, of a world that is there.
   * @param taken the bodies that are baked. @param extent that of the bake which goes on.
   */
  noteWorld({ colliders, bodies }: World, taken: readonly Body[], extent?: number): void {
    const points = bodies.flatMap(({ positions }) => boundsOf(positions).flat());
    this.extent = extent ?? planeExtent(colliders, points);
    this.obstacles = obstacleTracks(colliders, this.extent);
    taken.forEach(({ visible }, n) => {
      if (visible) this.looks[n] ??= plainLook(visible);
    });
  }

  /** What is drawn of bodies that are taken, before any is cut. */
  shownBodies(taken: readonly Body[]): { name: string; vertexCount: number }[] {
    return taken.map(({ name, mesh }, n) => {
      const shown = this.looks[n]?.visible ?? mesh;
      return { name, vertexCount: shown.positions.length / 3 };
    });
  }

  /** Frame `n` of all bodies. */
  async add(n: number, frame: readonly BodyFrame[]): Promise<void> {
    for (const { body, topology, name, mesh, faces, positions } of frame) {
      let track = this.tracks.findLast((one) => one.body === body);
      if (track?.topology !== topology) {
        track = { ...{ body, topology, name, mesh, firstFrame: n, places: [] }, ...(faces && { faces }) };
        this.tracks.push(track);
      }
      track.places.push(await this.store.append(positions));
    }
  }

  baked(): BakedScene {
    const { times, looks } = this;
    const names = distinctNames(this.tracks.map(({ name }) => name));
    return {
      ...{ fps: times.fps, start: times.from, frameCount: times.frameCount, obstacles: this.obstacles },
      tracks: this.tracks.map((track, n) => {
        const look = looks[track.body];
        const plain = this.plainTrack(track, names[n]);
        if (track.topology > 0)
          return showCut(plain, { look, faces: track.faces, body: names[track.body], index: track.body });
        return look ? showLook(plain, look, n) : plain;
      }),
    };
  }

  private plainTrack({ mesh, firstFrame, places }: RecordedTrack, name: string): Track {
    return {
      ...{ name, mesh, firstFrame, frameCount: places.length },
      frame: (k: number) => this.store.read(places[k], mesh.positions.length),
    };
  }
}
