// Lines inside the bodies, with a point at each end of them: other ones with every frame.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial } from 'three';

/** Width of a point [px]. */
const POINT_WIDTH = 5;

export class InnerLines {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly line = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
  private readonly point = new PointsMaterial({ size: POINT_WIDTH, sizeAttenuation: false });

  constructor() {
    const drawn = [new LineSegments(this.geometry, this.line), new Points(this.geometry, this.point)];
    for (const one of drawn) one.frustumCulled = false;
    this.group.add(...drawn);
    this.group.visible = false;
  }

  get edgeCount(): number {
    return (this.geometry.getAttribute('position')?.count ?? 0) / 2;
  }

  show(isShown: boolean, colour: number): void {
    this.group.visible = isShown;
    this.line.color.set(colour);
    this.point.color.set(colour);
    if (!isShown) this.update(new Float32Array(0));
  }

  /** @param segments where they begin and end [m], 6 numbers each. */
  update(segments: Float32Array): void {
    const known = this.geometry.getAttribute('position') as BufferAttribute | undefined;
    // A cut or another level of detail has made it another graph.
    if (known?.array.length !== segments.length) {
      this.geometry.dispose();
      this.geometry.setAttribute('position', new BufferAttribute(segments.slice(), 3));
      return;
    }
    known.array.set(segments);
    known.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.line.dispose();
    this.point.dispose();
  }
}
