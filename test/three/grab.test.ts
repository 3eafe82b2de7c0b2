// Taking hold of bodies: the pointer that comes down on one is its own, all others are left alone.

import { BoxGeometry, GridHelper, Mesh, PerspectiveCamera, Scene } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { icosphere, type Vec3 } from '../../src/index.js';
import { Grab, SoftMesh } from '../../src/three/index.js';

/** As much of an element as controls ask for. */
class FakeElement extends EventTarget {
  readonly style = { touchAction: 'pan-y', cursor: '' };
  readonly captured = new Set<number>();
  readonly clientWidth = 200;
  readonly clientHeight = 100;
  readonly ownerDocument = Object.assign(new EventTarget(), { addEventListener() {}, removeEventListener() {} });
  getBoundingClientRect = () => ({ left: 10, top: 20, width: 200, height: 100 });
  setPointerCapture = (pointer: number) => this.captured.add(pointer);
  releasePointerCapture = (pointer: number) => this.captured.delete(pointer);
  hasPointerCapture = (pointer: number) => this.captured.has(pointer);
  getRootNode = () => this.ownerDocument;

  /** Sends a pointer's event at a place of the element [px]. */
  send(type: string, x: number, y: number, more: Partial<PointerEvent> = {}): Event {
    const event = new Event(type, { cancelable: true, bubbles: true });
    const pointer = {
      clientX: 10 + x,
      clientY: 20 + y,
      pageX: 10 + x,
      pageY: 20 + y,
      pointerId: 1,
      pointerType: 'mouse',
      button: 0,
    };
    this.dispatchEvent(Object.assign(event, pointer, more));
    return event;
  }
}

/** A sphere at the origin that writes down what its grips are told. */
function grabbable() {
  const mesh = icosphere({ detail: 3 });
  const told: (readonly [string, ...number[]])[] = [];
  const write = (what: string, point: Vec3 = [0, 0, 0]) => {
    told.push([what, ...point.map((value) => Math.round(100 * value) / 100)]);
  };
  const grab = (point: Vec3, { radius }: { radius?: number } = {}) => {
    write(radius === undefined ? 'grab' : `grab ${radius}`, point);
    return { moveTo: (to: Vec3) => write('move', to), release: () => write('release') };
  };
  return { mesh, positions: Float32Array.from(mesh.positions), grab, told };
}

let element: FakeElement;
let body: ReturnType<typeof grabbable>;
let scene: Scene;
let camera: PerspectiveCamera;
const asHtml = (fake: FakeElement) => fake as unknown as HTMLElement;

beforeEach(() => {
  element = new FakeElement();
  body = grabbable();
  scene = new Scene().add(new SoftMesh(body));
  // 90° of view at distance 4: the plane through the origin is 8 m high, 100 px; one through z = 1 is 6 m.
  camera = new PerspectiveCamera(90, 2, 0.1, 100);
  camera.position.z = 4;
});

describe('a pointer on a body', () => {
  it('takes hold of it, drags it across the view and lets it go', () => {
    const grab = new Grab(camera, asHtml(element), scene);
    const event = element.send('pointerdown', 100, 50);
    expect(event.defaultPrevented).toBe(true);
    expect(grab.holdCount).toBe(1);
    expect(element.captured.has(1)).toBe(true);
    element.send('pointermove', 150, 25);
    element.send('pointerup', 150, 25);
    // The front of the sphere is at z = 1; there 100 px are 6 m.
    expect(body.told).toEqual([
      ['grab', 0, 0, 1],
      ['move', 3, 1.5, 1],
      ['release', 0, 0, 0],
    ]);
    expect(element.captured.size).toBe(0);
    expect(grab.holdCount).toBe(0);
  });

  it('is one of several: each finger has its own', () => {
    new Grab(camera, asHtml(element), scene, { radius: 0.2 });
    element.send('pointerdown', 100, 50, { pointerId: 5, pointerType: 'touch' });
    element.send('pointerdown', 102, 50, { pointerId: 6, pointerType: 'touch' });
    element.send('pointermove', 100, 50, { pointerId: 5, pointerType: 'touch' });
    element.send('pointercancel', 102, 50, { pointerId: 6, pointerType: 'touch' });
    expect(body.told.map(([what]) => what)).toEqual(['grab 0.2', 'grab 0.2', 'move', 'release']);
  });

  it('is told of by events', () => {
    const grab = new Grab(camera, asHtml(element), scene);
    const heard: string[] = [];
    for (const type of ['grab', 'move', 'release'] as const)
      grab.addEventListener(type, ({ mesh, point }) => heard.push(`${type} ${mesh.type} ${point.z.toFixed(1)}`));
    element.send('pointerdown', 100, 50);
    element.send('pointermove', 120, 50);
    element.send('pointerup', 120, 50);
    expect(heard).toEqual(['grab Mesh 1.0', 'move Mesh 1.0', 'release Mesh 1.0']);
  });
});

describe('pointers that are left alone', () => {
  it.each<[string, number, number, Partial<PointerEvent>]>([
    ['beside the body', 10, 10, {}],
    ['with another button', 100, 50, { button: 2 }],
  ])('%s', (_, x, y, more) => {
    new Grab(camera, asHtml(element), scene);
    const event = element.send('pointerdown', x, y, more);
    element.send('pointermove', 100, 50, more);
    expect(event.defaultPrevented).toBe(false);
    expect(body.told).toEqual([]);
  });

  it('on something else in front of the body, if it can be seen', () => {
    const wall = new Mesh(new BoxGeometry(2, 2, 0.1));
    wall.position.z = 2;
    scene.add(wall, new GridHelper(20, 20));
    scene.updateMatrixWorld(true);
    new Grab(camera, asHtml(element), scene);
    element.send('pointerdown', 100, 50);
    expect(body.told).toEqual([]);
    wall.visible = false;
    element.send('pointerdown', 100, 50);
    expect(body.told.length).toBe(1);
  });

  it('on a body that cannot be taken hold of', () => {
    const { mesh, positions } = body;
    const grab = new Grab(camera, asHtml(element), new Scene().add(new SoftMesh({ mesh, positions })));
    element.send('pointerdown', 100, 50);
    expect(grab.holdCount).toBe(0);
  });

  it('while it is not enabled, and after it was disposed of', () => {
    const grab = new Grab(camera, asHtml(element), scene);
    expect(element.style.touchAction).toBe('none');
    grab.enabled = false;
    element.send('pointerdown', 100, 50);
    grab.enabled = true;
    expect(body.told).toEqual([]);
    element.send('pointerdown', 100, 50);
    grab.dispose();
    expect(body.told.map(([what]) => what)).toEqual(['grab', 'release']);
    expect(element.style.touchAction).toBe('pan-y');
    element.send('pointerdown', 100, 50);
    expect(body.told.length).toBe(2);
  });
});

describe('OrbitControls', () => {
  // Made before, they are tried in a real browser (test/browser/examples.test.ts): Node's events do not capture first.
  it('do not turn the view with a pointer that holds a body', () => {
    const started: string[] = [];
    new Grab(camera, asHtml(element), scene);
    const controls = new OrbitControls(camera, asHtml(element));
    controls.addEventListener('start', () => started.push('start'));
    element.send('pointerdown', 100, 50);
    element.send('pointermove', 150, 50);
    element.send('pointerup', 150, 50);
    expect(started).toEqual([]);
    element.send('pointerdown', 5, 5, { pointerId: 2 });
    expect(started).toEqual(['start']);
  });
});
