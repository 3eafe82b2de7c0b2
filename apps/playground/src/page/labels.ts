// Words at the bodies: what became of each one's volume. And a hint to the first visitor that they can be touched.

import { type Camera, Vector3 } from 'three';
import type { BodyInfo, Figures } from '../protocol.js';
import { element, make } from './elements.js';
import { keptPercent, lostWords } from './volume-words.js';

/** With more bodies than this words would cover them. */
const MOST_LABELS = 6;
/** Time without a touch after which the hint is shown [ms]. */
const HINT_AFTER = 2500;

export class Labels {
  private readonly host = element('labels');
  private readonly hint = make('span', { class: 'touch-hint' }, 'Drag me');
  private nodes: readonly HTMLElement[] = [];
  private bodies: readonly BodyInfo[] = [];
  /** Sizes of the words [px]. */
  private sizes: { width: number; height: number }[] = [];
  private isTouched = false;
  private readonly since = performance.now();
  private readonly point = new Vector3();
  /** Whether all bodies have left the picture. */
  isEmpty = false;

  constructor() {
    this.host.append(this.hint);
    this.hint.hidden = true;
    element('canvas').addEventListener('pointerdown', () => {
      this.isTouched = true;
      this.hint.hidden = true;
    });
  }

  set(bodies: readonly BodyInfo[]): void {
    this.bodies = bodies;
    for (const node of this.nodes) node.remove();
    const shown = bodies.length <= MOST_LABELS ? bodies : [];
    this.nodes = shown.map(() => make('span', { class: 'label' }));
    this.sizes = shown.map(() => ({ width: 0, height: 0 }));
    this.host.append(...this.nodes);
  }

  /** Says what the volumes are; the worker knows them to the last digit. */
  say({ volumeChanges }: Figures): void {
    this.nodes.forEach((node, n) => {
      const { conserved } = this.bodies[n];
      const kept = keptPercent(100 * Math.abs(volumeChanges[n]), 4);
      const text = conserved ? `volume kept ${kept}` : lostWords(volumeChanges[n]);
      if (node.textContent !== text) {
        // Where there is little room the figure alone is shown.
        if (conserved) node.replaceChildren(make('span', { class: 'word' }, 'volume kept '), kept);
        else node.textContent = text;
      }
      node.classList.toggle('lost', !conserved);
      this.sizes[n] = { width: node.offsetWidth, height: node.offsetHeight };
    });
  }

  /** Puts the words where the bodies are. */
  place(positions: Float32Array, camera: Camera, width: number, height: number): void {
    let seen = 0;
    const taken: Place[] = [];
    this.nodes.forEach((node, n) => {
      const { start, count } = this.bodies[n];
      const [x, y] = this.projected(positions, start, count, 'bottom', camera, width, height);
      const place = { x, y: y + BELOW, ...this.sizes[n] };
      // Below others that are there already, so that all can be read.
      for (const other of taken) if (overlaps(place, other)) place.y = other.y + other.height;
      taken.push(place);
      put(node, place.x, place.y, '0');
      if (Math.abs(this.point.x) < 1.1 && Math.abs(this.point.y) < 1.1) seen++;
    });
    this.isEmpty = this.nodes.length > 0 && seen === 0;
    this.hint.hidden = this.isTouched || performance.now() - this.since < HINT_AFTER || this.bodies.length === 0;
    if (this.hint.hidden) return;
    const { start, count } = this.bodies[Math.floor(this.bodies.length / 2)];
    put(this.hint, ...this.projected(positions, start, count, 'middle', camera, width, height), '-50%');
  }

  /** Where a body is on the stage [px]. */
  private projected(
    positions: Float32Array,
    start: number,
    count: number,
    where: 'bottom' | 'middle',
    camera: Camera,
    width: number,
    height: number,
  ): [number, number] {
    const { point } = this;
    point.set(0, 0, 0);
    let lowest = Infinity;
    for (let v = start; v < start + count; v++) {
      point.x += positions[3 * v] / count;
      point.y += positions[3 * v + 1] / count;
      point.z += positions[3 * v + 2] / count;
      lowest = Math.min(lowest, positions[3 * v + 1]);
    }
    if (where === 'bottom') point.y = lowest;
    point.project(camera);
    return [(0.5 + 0.5 * point.x) * width, (0.5 - 0.5 * point.y) * height];
  }
}

/** A word's middle and upper edge, and its size [px]. */
interface Place {
  readonly x: number;
  y: number;
  readonly width: number;
  readonly height: number;
}

/** How far words stand below their bodies [px]. */
const BELOW = 8;

const overlaps = (a: Place, b: Place): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && a.y < b.y + b.height && b.y < a.y + a.height;

const put = (node: HTMLElement, x: number, y: number, shift: string): void => {
  node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, ${shift})`;
};
