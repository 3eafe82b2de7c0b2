// The stage: renderer, camera, light and floor. Draws when something changed, and with as many pixels as it can afford.

import {
  AmbientLight,
  CanvasTexture,
  CircleGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  NeutralToneMapping,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  ShadowMaterial,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { STAGE_COLOURS, type StageColours, type Theme } from './palette.js';

/** Pictures that take longer than this make it coarser [ms], shorter ones finer again. */
const SLOW_FRAME = 40;
const FAST_FRAME = 20;
const COARSEST = 0.5;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(30, 1, 0.05, 500);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  colours: StageColours = STAGE_COLOURS.light;
  /** Share of the screen's pixels. */
  quality = 1;
  /** Whether the quality follows the speed of drawing. */
  adaptive = true;
  private readonly sky = new HemisphereLight();
  private readonly key = new DirectionalLight(0xfff4e2);
  private readonly fill = new DirectionalLight(0xbcd4ff, 0.7);
  private readonly pool: Mesh<CircleGeometry, MeshBasicMaterial>;
  private readonly shadow: Mesh<CircleGeometry, ShadowMaterial>;
  private changed = true;
  private readonly frameTimes: number[] = [];
  private fence: WebGLSync | null = null;
  private drawnAt = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.toneMapping = NeutralToneMapping;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.52 * Math.PI;
    this.controls.addEventListener('change', () => this.invalidate());
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 4;
    this.key.shadow.normalBias = 0.02;
    this.pool = new Mesh(
      new CircleGeometry(1, 64).rotateX(-Math.PI / 2),
      new MeshBasicMaterial({ map: makePool(), transparent: true, depthWrite: false, toneMapped: false }),
    );
    this.pool.renderOrder = -2;
    this.shadow = new Mesh(
      new CircleGeometry(1, 64).rotateX(-Math.PI / 2),
      new ShadowMaterial({ transparent: true, depthWrite: false }),
    );
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = -1;
    this.scene.add(this.sky, this.key, this.key.target, this.fill, new AmbientLight(0xffffff, 0.12));
    this.scene.add(this.pool, this.shadow);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement as HTMLElement);
    this.resize();
  }

  invalidate(): void {
    this.changed = true;
  }

  setTheme(theme: Theme): void {
    this.colours = STAGE_COLOURS[theme];
    const { background, floor, shadow, sky, bounce, keyStrength, skyStrength } = this.colours;
    this.scene.background = new Color(background);
    this.pool.material.color = new Color(floor);
    this.shadow.material.opacity = shadow;
    this.sky.color = new Color(sky);
    this.sky.groundColor = new Color(bounce);
    this.sky.intensity = skyStrength;
    this.key.intensity = keyStrength;
    this.invalidate();
  }

  /** Points light and floor, and unless `keepCamera` the camera, at a box with a floor at a height [m]. */
  frame(low: Vector3, high: Vector3, floor: number, keepCamera: boolean): void {
    const centre = low.clone().add(high).multiplyScalar(0.5);
    const radius = Math.max(0.2, 0.5 * high.distanceTo(low));
    this.pool.position.set(centre.x, floor - 0.002 * radius, centre.z);
    this.pool.scale.setScalar(6 * radius);
    this.shadow.position.set(centre.x, floor - 0.001 * radius, centre.z);
    this.shadow.scale.setScalar(12 * radius);
    this.key.position.copy(centre).add(new Vector3(1.1, 2.4, 1.3).multiplyScalar(radius));
    this.key.target.position.copy(centre);
    this.fill.position.copy(centre).add(new Vector3(-2, 0.8, -1.6).multiplyScalar(radius));
    const { camera } = this.key.shadow;
    const reach = 1.7 * radius;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius });
    camera.far = 6 * radius;
    camera.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.012 * radius;
    if (!keepCamera) this.aim(low, high, centre, radius);
    this.invalidate();
  }

  private aim(low: Vector3, high: Vector3, centre: Vector3, radius: number): void {
    // A row of bodies is looked at from the front, others from their corner.
    const turn = 0.5 * Math.min(1, (high.z - low.z + 0.1 * radius) / (high.x - low.x + 0.1 * radius));
    const direction = new Vector3(turn, 0.34, 1).normalize();
    this.camera.near = 0.02 * radius;
    this.camera.far = 60 * radius;
    this.camera.position.copy(centre).addScaledVector(direction, radius);
    this.camera.lookAt(centre);
    this.camera.updateMatrixWorld();
    // As near as all corners of the box are still seen.
    const [right, up] = [new Vector3(), new Vector3()];
    this.camera.matrixWorld.extractBasis(right, up, new Vector3());
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    const { left = 0, right: rightSide = 0, top = 0, bottom = 0 } = this.insets();
    const width = Math.max(0.3, 1 - left - rightSide);
    const height = Math.max(0.3, 1 - top - bottom);
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const offset = new Vector3(
        corner & 1 ? high.x : low.x,
        corner & 2 ? high.y : low.y,
        corner & 4 ? high.z : low.z,
      ).sub(centre);
      const towards = offset.dot(direction);
      const across = Math.abs(offset.dot(right)) / (tangent * this.camera.aspect * width);
      distance = Math.max(distance, towards + Math.max(across, Math.abs(offset.dot(up)) / (tangent * height)));
    }
    distance *= 1.08;
    this.controls.target.copy(centre);
    // What the figures and tools cover is not the middle.
    this.controls.target.addScaledVector(up, (top - bottom) * distance * tangent);
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.controls.minDistance = 0.15 * radius;
    this.controls.maxDistance = 14 * radius;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Shares of the canvas that are covered; the page sets what it knows. */
  insets: () => { left?: number; right?: number; top?: number; bottom?: number } = () => ({});

  add(...objects: Object3D[]): void {
    this.scene.add(...objects);
    this.invalidate();
  }

  remove(...objects: Object3D[]): void {
    this.scene.remove(...objects);
    this.invalidate();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement as HTMLElement;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(this.quality * Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.changed = true;
  }

  /** After the graphics card was gone: what was waited for never comes. */
  restore(): void {
    this.fence = null;
    this.resize();
  }

  /** Draws at once, for a picture of the canvas within the same task. */
  drawNow(): void {
    this.renderer.render(this.scene, this.camera);
  }

  /** Draws where something changed and the last picture is done. Returns whether it drew. */
  draw(): boolean {
    this.controls.update();
    // Asked every time: the answer's moment is what the last picture took.
    const isDrawing = this.isDrawing();
    if (!this.changed || isDrawing) return false;
    this.changed = false;
    this.drawnAt = performance.now();
    this.renderer.render(this.scene, this.camera);
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return true;
  }

  /** Whether the graphics card is still at the last picture: more of them would only queue up, and lag behind the pointer. */
  private isDrawing(): boolean {
    if (!this.fence) return false;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    if (!gl.isContextLost() && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED) return true;
    gl.deleteSync(this.fence);
    this.fence = null;
    if (this.adaptive) this.adapt(performance.now() - this.drawnAt);
    return false;
  }

  private adapt(interval: number): void {
    this.frameTimes.push(interval);
    // What is much too slow is not tried for long.
    const enough = interval > 3 * SLOW_FRAME ? 4 : 24;
    if (this.frameTimes.length < enough) return;
    const median = [...this.frameTimes].sort((a, b) => a - b)[this.frameTimes.length >> 1];
    this.frameTimes.length = 0;
    const wished = median > SLOW_FRAME ? 0.7 : median < FAST_FRAME ? 1.2 : 1;
    const quality = Math.min(1, Math.max(COARSEST, this.quality * wished));
    if (quality === this.quality) return;
    this.quality = quality;
    this.resize();
  }
}

/** A disc that fades towards its rim. */
function makePool(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 256;
  canvas.height = 256;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const gradient = context.createRadialGradient(128, 128, 8, 128, 128, 128);
  gradient.addColorStop(0, 'rgba(255,255,255,1)');
  gradient.addColorStop(0.35, 'rgba(255,255,255,0.75)');
  gradient.addColorStop(0.7, 'rgba(255,255,255,0.22)');
  gradient.addColorStop(1, 'rgba(255,255,255,0)');
  context.fillStyle = gradient;
  context.fillRect(0, 0, 256, 256);
  return new CanvasTexture(canvas);
}
