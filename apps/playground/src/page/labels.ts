// Words at the bodies: what became of each one's volume. And a hint to the first visitor that they can be touched.

import { type Camera, Vector3 } from 'three';
import { signedVolume } from '../../../../src/mesh/measure.js';
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
  private restVolumes: readonly number[] = [];
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
    this.restVolumes = shown.map(({ rest, triangles }) => signedVolume(rest, triangles));
    this.nodes = shown.map(() => make('span', { class: 'label' }));
    this.host.append(...this.nodes);
  }

  /** Says what the volumes are. What keeps its volume is said by the worker, which knows it to the last digit. */
  say({ volumeError }: Figures, positions: Float32Array): void {
    this.nodes.forEach((node, n) => {
      const { start, count, triangles, conserved } = this.bodies[n];
      const now = conserved ? 0 : signedVolume(positions.subarray(3 * start, 3 * (start + count)), triangles);
      const text = conserved ? `volume kept ${keptPercent(volumeError, 4)}` : lostWords(now / this.restVolumes[n] - 1);
      if (node.textContent !== text) node.textContent = text;
      node.classList.toggle('lost', !conserved);
    });
  }

  /** Puts the words where the bodies are. */
  place(positions: Float32Array, camera: Camera, width: number, height: number): void {
    let seen = 0;
    this.nodes.forEach((node, n) => {
      const { start, count } = this.bodies[n];
      this.putAt(node, positions, start, count, 'bottom', camera, width, height);
      if (Math.abs(this.point.x) < 1.1 && Math.abs(this.point.y) < 1.1) seen++;
    });
    this.isEmpty = this.nodes.length > 0 && seen === 0;
    this.hint.hidden = this.isTouched || performance.now() - this.since < HINT_AFTER || this.bodies.length === 0;
    if (this.hint.hidden) return;
    const { start, count } = this.bodies[Math.floor(this.bodies.length / 2)];
    this.putAt(this.hint, positions, start, count, 'middle', camera, width, height);
  }

  private putAt(
    node: HTMLElement,
    positions: Float32Array,
    start: number,
    count: number,
    where: 'bottom' | 'middle',
    camera: Camera,
    width: number,
    height: number,
  ): void {
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
    node.style.transform = `translate(${((0.5 + 0.5 * point.x) * width).toFixed(1)}px, ${((0.5 - 0.5 * point.y) * height).toFixed(1)}px) translate(-50%, ${where === 'bottom' ? '8px' : '-50%'})`;
  }
}
