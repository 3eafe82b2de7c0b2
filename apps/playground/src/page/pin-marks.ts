// Marks on pinned vertices, and a handle at the middle of each pinned set.

import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
  SphereGeometry,
} from 'three';
import type { BodyInfo, PinInfo } from '../protocol.js';

/** Radius of a handle as a share of its body's size. */
const HANDLE = 0.035;

export class PinMarks {
  readonly group = new Group();
  readonly handles: Mesh[] = [];
  private pins: readonly PinInfo[] = [];
  private readonly dots: Points<BufferGeometry, PointsMaterial>;
  private readonly material = new MeshStandardMaterial({ roughness: 0.35 });
  private readonly sphere = new SphereGeometry(1, 20, 14);

  constructor(private readonly bodies: readonly BodyInfo[]) {
    const material = new PointsMaterial({ size: 4, sizeAttenuation: false });
    this.dots = new Points(new BufferGeometry(), material);
    this.dots.frustumCulled = false;
    this.group.add(this.dots);
  }

  setColour(colour: number): void {
    this.material.color.set(colour);
    this.dots.material.color.set(colour);
  }

  set(pins: readonly PinInfo[], positions: Float32Array): void {
    this.pins = pins;
    const count = pins.reduce((sum, { vertices }) => sum + vertices.length, 0);
    this.dots.geometry.dispose();
    this.dots.geometry = new BufferGeometry();
    this.dots.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * count), 3));
    for (const handle of this.handles.splice(0)) this.group.remove(handle);
    for (const { body, id, held } of pins) {
      const handle = new Mesh(this.sphere, this.material);
      handle.scale.setScalar(HANDLE * this.bodies[body].size);
      handle.userData.pin = id;
      handle.visible = !held;
      handle.castShadow = true;
      this.handles.push(handle);
      this.group.add(handle);
    }
    this.update(positions);
  }

  update(positions: Float32Array): void {
    if (this.pins.length === 0) return;
    const attribute = this.dots.geometry.getAttribute('position') as BufferAttribute;
    let at = 0;
    this.pins.forEach(({ body, vertices }, index) => {
      const { start } = this.bodies[body];
      const centre = [0, 0, 0];
      for (const vertex of vertices) {
        const from = 3 * (start + vertex);
        for (let k = 0; k < 3; k++) {
          attribute.array[at + k] = positions[from + k];
          centre[k] += positions[from + k] / vertices.length;
        }
        at += 3;
      }
      this.handles[index].position.set(centre[0], centre[1], centre[2]);
      this.handles[index].updateMatrixWorld();
    });
    attribute.needsUpdate = true;
  }

  dispose(): void {
    this.dots.geometry.dispose();
    this.dots.material.dispose();
    this.material.dispose();
    this.sphere.dispose();
  }
}
