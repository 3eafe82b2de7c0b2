// All soft bodies as one mesh: positions come from the world's frames, normals and colours are made here.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
} from 'three';
import { writeSmoothNormals } from '../../../../src/three/smooth-normals.js';
import type { BodyInfo, SceneFrame, View, ViewData } from '../protocol.js';
import { InnerLines } from './inner-lines.js';
import { BODY_COLOURS, linearColour, writeHue, writeScaleColour } from './palette.js';
import { type BoundSkin, SkinMeshes } from './skin-meshes.js';
import { StrainMeter } from './strain.js';

/** A soft rim of light, as rubber and jelly have where one looks along the surface. */
function addRim(material: MeshStandardMaterial): void {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>',
      `float rim = pow(1.0 - clamp(dot(normal, normalize(vViewPosition)), 0.0, 1.0), 3.0);
      outgoingLight += rim * (0.35 * diffuseColor.rgb + 0.10);
      #include <opaque_fragment>`,
    );
  };
}

export class SoftBodies {
  readonly group = new Group();
  readonly bodies: readonly BodyInfo[];
  readonly positions: Float32Array;
  readonly triangles: Uint32Array;
  private readonly geometry = new BufferGeometry();
  private readonly colours: Float32Array;
  private readonly normals: Float32Array;
  private readonly material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.42, side: DoubleSide });
  private readonly wire = new MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.35 });
  private readonly wireMesh: Mesh;
  private readonly lineMaterial = new LineBasicMaterial({ vertexColors: true });
  private lines: LineSegments | undefined;
  private readonly inner = new InnerLines();
  private view: View = 'shaded';
  private strain: StrainMeter | undefined;
  private readonly skins: SkinMeshes;
  /** All triangles, and those of bodies that are not shown by a skin. */
  private readonly allTriangles: BufferAttribute;
  private readonly bareTriangles: BufferAttribute;

  /** @param changed called when there is something else to draw. */
  constructor(bodies: readonly BodyInfo[], skins: readonly BoundSkin[], changed: () => void) {
    this.bodies = bodies;
    this.skins = new SkinMeshes(skins, changed);
    const count = bodies.reduce((sum, body) => sum + body.count, 0);
    this.triangles = new Uint32Array(bodies.reduce((sum, body) => sum + body.triangles.length, 0));
    let at = 0;
    for (const { triangles, start } of bodies) {
      for (let k = 0; k < triangles.length; k++) this.triangles[at + k] = triangles[k] + start;
      at += triangles.length;
    }
    this.positions = new Float32Array(3 * count);
    this.normals = new Float32Array(3 * count);
    this.colours = new Float32Array(3 * count);
    this.allTriangles = new BufferAttribute(this.triangles, 1);
    const bare = bodies.flatMap(({ triangles, start }, index) =>
      this.skins.bodies.includes(index) ? [] : Array.from(triangles, (vertex) => vertex + start),
    );
    this.bareTriangles = skins.length > 0 ? new BufferAttribute(Uint32Array.from(bare), 1) : this.allTriangles;
    this.geometry.setIndex(this.allTriangles);
    this.geometry.setAttribute('position', new BufferAttribute(this.positions, 3));
    this.geometry.setAttribute('normal', new BufferAttribute(this.normals, 3));
    this.geometry.setAttribute('color', new BufferAttribute(this.colours, 3));
    addRim(this.material);
    this.material.polygonOffset = true;
    this.material.polygonOffsetFactor = 1;
    this.material.polygonOffsetUnits = 1;
    const mesh = new Mesh(this.geometry, this.material);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.wireMesh = new Mesh(this.geometry, this.wire);
    this.wireMesh.frustumCulled = false;
    this.wireMesh.visible = false;
    this.group.add(mesh, this.wireMesh, this.skins.group, this.inner.group);
    this.paintBodies();
  }

  /** Takes a frame, whose positions have been written already. */
  update(frame: SceneFrame): void {
    this.geometry.getAttribute('position').needsUpdate = true;
    this.writeNormals();
    if (this.view === 'shaded') {
      this.skins.update();
      this.geometry.setIndex(this.skins.arePlaced ? this.bareTriangles : this.allTriangles);
    }
    if (frame.segments && frame.view === this.view) this.inner.update(frame.segments);
    if (this.view === 'strain' && this.strain) this.paintValues(this.strain.measure(this.positions));
    // A frame that was on its way while the view changed has the colours of the other one.
    else if (frame.values && frame.view === this.view) {
      if (this.view === 'cells') this.paintHues(frame.values);
      else this.paintValues(frame.values);
    }
  }

  private writeNormals(): void {
    writeSmoothNormals(this.positions, this.triangles, this.normals);
    this.geometry.getAttribute('normal').needsUpdate = true;
  }

  /** Turns to a view; what it shows that does not change comes with it. */
  show(data: ViewData, lineColour: number): void {
    this.view = data.view;
    this.strain = data.view === 'strain' ? new StrainMeter(this.bodies) : undefined;
    this.wireMesh.visible = data.view === 'wire' || data.view === 'region';
    this.wire.color = new Color(lineColour);
    this.wire.opacity = data.view === 'wire' ? 0.4 : 0.14;
    this.setLines(data.lines);
    // What is simulated is seen in all other views.
    this.skins.group.visible = data.view === 'shaded' && this.skins.arePlaced;
    this.geometry.setIndex(data.view === 'shaded' && this.skins.arePlaced ? this.bareTriangles : this.allTriangles);
    this.inner.show(data.view === 'graph', lineColour);
    const isClear = data.view === 'pairs' || data.view === 'graph';
    this.material.opacity = isClear ? 0.22 : 1;
    this.material.transparent = isClear;
    this.material.depthWrite = !isClear;
    this.material.needsUpdate = true;
    if (data.view === 'paths' && data.values) this.paintHues(data.values);
    else if (data.view === 'region' && data.values) this.paintValues(data.values, true);
    else if (data.view === 'strain' && this.strain) this.paintValues(this.strain.measure(this.positions));
    else if (isClear || data.view === 'shaded' || data.view === 'wire') this.paintBodies();
  }

  private setLines(lines: Uint32Array | undefined): void {
    if (this.lines) {
      this.group.remove(this.lines);
      const { geometry } = this.lines;
      // What it shares with the bodies stays: disposal would free the buffers that they are drawn from.
      for (const name of Object.keys(geometry.attributes)) geometry.deleteAttribute(name);
      geometry.dispose();
      this.lines = undefined;
    }
    if (!lines) return;
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(lines, 1));
    // The same attributes as the bodies': they move along.
    geometry.setAttribute('position', this.geometry.getAttribute('position'));
    geometry.setAttribute('color', this.geometry.getAttribute('color'));
    this.lines = new LineSegments(geometry, this.lineMaterial);
    this.lines.frustumCulled = false;
    this.group.add(this.lines);
  }

  private paintBodies(): void {
    this.bodies.forEach(({ start, count }, index) => {
      const colour = linearColour(BODY_COLOURS[index % BODY_COLOURS.length]);
      for (let v = start; v < start + count; v++) this.colours.set(colour, 3 * v);
    });
    this.geometry.getAttribute('color').needsUpdate = true;
  }

  private paintValues(values: Float32Array, overBodies = false): void {
    if (overBodies) this.paintBodies();
    for (let v = 0; v < values.length; v++) {
      if (!overBodies) writeScaleColour(values[v], this.colours, 3 * v);
      else if (values[v] > 0) writeScaleColour(values[v] < 1 ? 0.72 : 0, this.colours, 3 * v);
      else for (let k = 0; k < 3; k++) this.colours[3 * v + k] = 0.35 * this.colours[3 * v + k] + 0.35;
    }
    this.geometry.getAttribute('color').needsUpdate = true;
  }

  private paintHues(values: Float32Array): void {
    for (let v = 0; v < values.length; v++) writeHue(values[v], this.colours, 3 * v);
    this.geometry.getAttribute('color').needsUpdate = true;
  }

  /** The body that a vertex belongs to. */
  bodyOf(vertex: number): number {
    return this.bodies.findIndex(({ start, count }) => vertex >= start && vertex < start + count);
  }

  dispose(): void {
    this.setLines(undefined);
    this.inner.dispose();
    this.skins.dispose();
    this.geometry.dispose();
    this.material.dispose();
    this.wire.dispose();
    this.lineMaterial.dispose();
  }
}
