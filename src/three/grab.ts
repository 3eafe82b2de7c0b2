// Lets the mouse or fingers take hold of soft bodies and drag them. Each pointer that comes down on a body is its own; all
// others are left to whoever else listens, such as OrbitControls.

import {
  type Camera,
  EventDispatcher,
  type Intersection,
  type Material,
  type Object3D,
  Plane,
  Raycaster,
  Vector2,
  Vector3,
} from 'three';
import { expectKnownFields } from '../math/known-fields.js';
import type { Vec3 } from '../math/vec3.js';
import { SoftMesh } from './soft-mesh.js';
import type { SoftSource } from './soft-source.js';

/** A hold on a body; `Body.grab` gives one. */
export interface GrabGrip {
  /** False where the body has gone meanwhile. */
  readonly held?: boolean;
  /** Where the point that is held is to go [m]. */
  moveTo(point: Vec3): void;
  release(): void;
}

/** What can be taken hold of: a body, or a proxy of one. */
export interface Grabbable extends SoftSource {
  grab(point: Vec3, options?: { readonly radius?: number }): GrabGrip;
}

/** How a grip holds. */
export interface GrabOptions {
  /** How far around the point the body is held [m]; the body's own default unless set. */
  readonly radius?: number;
  /** Button of the mouse: 0 the left one, 2 the right one. */
  readonly button?: number;
}

/** Options where none are given. */
export const GRAB_DEFAULTS = { button: 0 };

/** Before any other listener of the element, whichever was there first. */
const CAPTURING = { capture: true };

interface Hold {
  readonly mesh: SoftMesh<Material | Material[]>;
  readonly grip: GrabGrip;
  /** Where the pointer has it [m]. */
  readonly point: Vector3;
}

interface GrabEvent {
  readonly mesh: SoftMesh<Material | Material[]>;
  readonly point: Vector3;
}

/** Tells of `grab`, `move` and `release`, each with the mesh and the point. */
export class Grab extends EventDispatcher<{ grab: GrabEvent; move: GrabEvent; release: GrabEvent }> {
  /** Whether new holds are taken. */
  enabled = true;
  private readonly holds = new Map<number, Hold>();
  private readonly raycaster = new Raycaster();
  private readonly listeners: readonly (readonly [string, (event: PointerEvent) => void])[];
  private readonly touchAction: string;

  constructor(
    /** Who looks; may be replaced. */
    public camera: Camera,
    private readonly element: HTMLElement,
    /** Where to look for soft meshes: an object and all below it, such as the scene. Other meshes there are in the way. */
    private readonly root: Object3D,
    private readonly options: GrabOptions = {},
  ) {
    super();
    expectKnownFields('Grab', options, ['radius', 'button']);
    this.listeners = [
      ['pointerdown', (event) => this.take(event)],
      ['pointermove', (event) => this.drag(event)],
      ['pointerup', (event) => this.end(event)],
      ['pointercancel', (event) => this.end(event)],
    ];
    for (const [name, listener] of this.listeners) element.addEventListener(name, listener as EventListener, CAPTURING);
    // Else the browser takes a finger's movement for scrolling.
    this.touchAction = element.style.touchAction;
    element.style.touchAction = 'none';
  }

  /** Bodies held now. */
  get holdCount(): number {
    return this.holds.size;
  }

  /** Lets go of everything. */
  release(): void {
    for (const pointer of [...this.holds.keys()]) this.letGo(pointer);
  }

  dispose(): void {
    this.release();
    for (const [name, listener] of this.listeners)
      this.element.removeEventListener(name, listener as EventListener, CAPTURING);
    this.element.style.touchAction = this.touchAction;
  }

  private take(event: PointerEvent): void {
    const { button = GRAB_DEFAULTS.button, radius } = this.options;
    if (!this.enabled || (event.pointerType === 'mouse' && event.button !== button)) return;
    this.aim(event);
    const hit = this.firstHit();
    if (!hit || !(hit.object instanceof SoftMesh)) return;
    const mesh = hit.object;
    const { source } = mesh;
    if (!isGrabbable(source)) return;
    const grip = source.grab(hit.point.toArray(), radius === undefined ? {} : { radius });
    this.holds.set(event.pointerId, { mesh, grip, point: hit.point.clone() });
    this.element.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
    event.preventDefault();
    this.dispatchEvent({ type: 'grab', mesh, point: hit.point });
  }

  /** Moves the point in the plane across the view in which it is. */
  private drag(event: PointerEvent): void {
    const hold = this.holds.get(event.pointerId);
    if (!hold) return;
    event.stopImmediatePropagation();
    if (hold.grip.held === false) {
      this.letGo(event.pointerId);
      return;
    }
    this.aim(event);
    const across = this.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(across, hold.point);
    if (!this.raycaster.ray.intersectPlane(plane, hold.point)) return;
    hold.grip.moveTo(hold.point.toArray());
    this.dispatchEvent({ type: 'move', mesh: hold.mesh, point: hold.point });
  }

  private end(event: PointerEvent): void {
    if (!this.holds.has(event.pointerId)) return;
    event.stopImmediatePropagation();
    this.letGo(event.pointerId);
  }

  private letGo(pointer: number): void {
    const hold = this.holds.get(pointer);
    if (!hold) return;
    this.holds.delete(pointer);
    if (this.element.hasPointerCapture(pointer)) this.element.releasePointerCapture(pointer);
    hold.grip.release();
    this.dispatchEvent({ type: 'release', mesh: hold.mesh, point: hold.point });
  }

  private aim(event: PointerEvent): void {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    const place = new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    this.camera.updateMatrixWorld();
    this.raycaster.setFromCamera(place, this.camera);
  }

  /** The first mesh that the ray meets and that can be seen; lines and points are in nobody's way. */
  private firstHit(): Intersection | undefined {
    return this.raycaster.intersectObject(this.root, true).find(({ object }) => 'isMesh' in object && isSeen(object));
  }
}

const isGrabbable = (source: SoftSource): source is Grabbable =>
  typeof (source as Partial<Grabbable>).grab === 'function';

function isSeen(object: Object3D): boolean {
  for (let node: Object3D | null = object; node; node = node.parent) if (!node.visible) return false;
  return true;
}
