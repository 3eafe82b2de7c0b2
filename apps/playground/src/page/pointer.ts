// Mouse and fingers on the stage: what is under them decides whether they grab, poke, pin, twist, paint, cut, move an obstacle or
// turn the view.

import { type Object3D, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { Point } from '../protocol.js';
import { isMovable, type ObstacleMeshes } from './obstacle-meshes.js';
import { type Picked, pickSurface } from './picking.js';
import type { PinMarks } from './pin-marks.js';
import type { SceneWorld } from './scene-world.js';
import type { SoftBodies } from './soft-bodies.js';
import type { Stage } from './stage.js';

export const TOOLS = ['grab', 'poke', 'pin', 'twist', 'paint', 'cut'] as const;
export type Tool = (typeof TOOLS)[number];

/** Pixels of the pointer for a turn by one radian. */
const TWIST_PIXELS = 90;

export interface Actors {
  readonly soft: SoftBodies;
  readonly obstacles: ObstacleMeshes;
  readonly pins: PinMarks;
}

interface Drag {
  readonly pointer: number;
  readonly plane: Plane;
  readonly startX: number;
  /** Whether it is a stroke of the brush. */
  readonly paints: boolean;
  /** Whether it is a stroke of the knife. */
  readonly cuts: boolean;
  readonly obstacle?: { index: number; from: Vector3; start: Vector3; axis?: Vector3 };
}

const toPoint = ({ x, y, z }: Vector3): Point => [x, y, z];

export class Pointer {
  tool: Tool = 'grab';
  actors: Actors | undefined;
  /** Told of every vertex that is touched, for the view of a region. */
  onPick: (body: number, vertex: number) => void = () => {};
  /** Told when a stroke of the brush has ended. */
  onPainted: () => void = () => {};
  private readonly raycaster = new Raycaster();
  private drag: Drag | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly world: SceneWorld,
  ) {
    const { canvas } = stage;
    const surface = canvas.parentElement as HTMLElement;
    // Before the orbit controls hear of it.
    surface.addEventListener('pointerdown', (event) => event.target === canvas && this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(name, (event) => this.up(event));
    }
  }

  private aim(event: PointerEvent): void {
    const { left, top, width, height } = this.stage.canvas.getBoundingClientRect();
    const at = new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    this.raycaster.setFromCamera(at, this.stage.camera);
  }

  private nearest(objects: readonly Object3D[]): { object: Object3D; point: Vector3; distance: number } | undefined {
    return this.raycaster.intersectObjects([...objects], false)[0];
  }

  private pickBody(): (Picked & { body: number; own: number }) | undefined {
    if (!this.actors) return undefined;
    const { soft } = this.actors;
    const picked = pickSurface(this.raycaster.ray, soft.positions, soft.triangles);
    if (!picked) return undefined;
    const body = soft.bodyOf(picked.vertex);
    return { ...picked, body, own: picked.vertex - soft.bodies[body].start };
  }

  private pickObstacle() {
    const { meshes, obstacles } = (this.actors as Actors).obstacles;
    const movable = meshes.filter((mesh, index) => mesh && isMovable(obstacles[index])) as Object3D[];
    return this.nearest(movable);
  }

  private down(event: PointerEvent): void {
    if (!this.actors || this.drag || (event.pointerType === 'mouse' && event.button !== 0)) return;
    this.aim(event);
    if (this.tool === 'cut') {
      this.beginCut(event);
      return;
    }
    const handle = this.nearest(this.actors.pins.handles.filter(({ visible }) => visible));
    const picked = this.pickBody();
    const obstacle = this.pickObstacle();
    if (handle && this.tool !== 'paint' && handle.distance < (picked?.distance ?? Number.POSITIVE_INFINITY) + 0.05) {
      this.takeHandle(event, handle);
    } else if (obstacle && this.tool === 'grab' && obstacle.distance < (picked?.distance ?? Number.POSITIVE_INFINITY)) {
      this.takeObstacle(event, obstacle);
    } else if (picked) {
      this.takeBody(event, picked);
    }
  }

  private takeHandle(event: PointerEvent, { object, point }: { object: Object3D; point: Vector3 }): void {
    const { pin } = object.userData;
    if (this.tool === 'pin') {
      this.stage.controls.enabled = false;
      void this.world.call('unpin', pin);
      this.begin(event, point);
      return;
    }
    this.begin(event, point);
    void this.world.call('hold', pin, toPoint(point), this.tool === 'twist');
  }

  private takeObstacle(event: PointerEvent, { object, point }: { object: Object3D; point: Vector3 }): void {
    const index = object.userData.obstacle as number;
    const { motion, shape } = (this.actors as Actors).obstacles.obstacles[index];
    // One that moves along a line in the scene goes along it in the hand, too; the press goes up and down.
    const [first, last] = [motion[0]?.position, motion[motion.length - 1]?.position];
    const way = first && last ? new Vector3(...last).sub(new Vector3(...first)) : new Vector3(0, 1, 0);
    const axis = shape === 'sphere' ? undefined : way.normalize();
    this.begin(event, point, { index, from: point.clone(), start: object.position.clone(), axis });
  }

  private takeBody(event: PointerEvent, picked: Picked & { body: number; own: number }): void {
    const { body, own, point } = picked;
    this.onPick(body, own);
    this.begin(event, new Vector3(...point));
    if (this.tool === 'grab') void this.world.call('grab', body, point);
    if (this.tool === 'twist') void this.world.call('twist', body, own, point);
    if (this.tool === 'pin') void this.world.call('pin', body, own);
    if (this.tool === 'paint') void this.world.call('paint', body, point);
    if (this.tool === 'poke') this.world.poke(body, point, toPoint(this.raycaster.ray.direction));
  }

  /** A stroke of the knife may begin beside the body. */
  private beginCut(event: PointerEvent): void {
    this.begin(event, this.raycaster.ray.at(1, new Vector3()));
    this.cut();
  }

  /** Moves the knife on: its blade is the line of sight. */
  private cut(): void {
    const { origin, direction } = this.raycaster.ray;
    this.world.cut(toPoint(origin), toPoint(direction), this.pickBody()?.body);
  }

  private begin(event: PointerEvent, point: Vector3, obstacle?: Drag['obstacle']): void {
    this.stage.controls.enabled = false;
    this.stage.canvas.classList.add('holding');
    const normal = this.stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, point);
    this.drag = {
      pointer: event.pointerId,
      plane,
      startX: event.clientX,
      paints: !obstacle && this.tool === 'paint',
      cuts: this.tool === 'cut',
      obstacle,
    };
    this.stage.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (!this.drag) {
      if (event.buttons === 0 && event.pointerType === 'mouse') this.hover(event);
      return;
    }
    if (event.pointerId !== this.drag.pointer) return;
    this.aim(event);
    if (this.drag.cuts) {
      this.cut();
      return;
    }
    if (this.drag.paints) {
      const picked = this.pickBody();
      if (picked) void this.world.call('paint', picked.body, picked.point);
      return;
    }
    const point = this.raycaster.ray.intersectPlane(this.drag.plane, new Vector3());
    if (!point) return;
    const { obstacle } = this.drag;
    if (obstacle) {
      const way = point.sub(obstacle.from);
      if (obstacle.axis) way.projectOnVector(obstacle.axis);
      const position = toPoint(obstacle.start.clone().add(way));
      void this.world.call('moveObstacle', obstacle.index, position);
    } else {
      const angle = (event.clientX - this.drag.startX) / TWIST_PIXELS;
      void this.world.call('drag', toPoint(point), angle);
    }
  }

  private lastHover = 0;

  private hover(event: PointerEvent): void {
    // The cursor need not know every pixel of the way.
    if (!this.actors || event.timeStamp - this.lastHover < 80) return;
    this.lastHover = event.timeStamp;
    this.aim(event);
    const handle = this.nearest(this.actors.pins.handles);
    const over = Boolean(handle || this.pickBody() || (this.tool === 'grab' && this.pickObstacle()));
    this.stage.canvas.classList.toggle('over', over);
  }

  private up(event: PointerEvent): void {
    if (this.drag?.pointer !== event.pointerId) return;
    if (this.drag.cuts) this.world.liftKnife();
    else if (this.drag.paints) this.onPainted();
    else if (!this.drag.obstacle) void this.world.call('release');
    this.drag = undefined;
    this.stage.controls.enabled = true;
    this.stage.canvas.classList.remove('holding');
  }
}
