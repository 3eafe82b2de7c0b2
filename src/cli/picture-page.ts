// The page in which pictures of a bake are drawn: three.js, a light, a floor, a camera that sees everything. It fetches what it shows from
// addresses that only the process which opened it answers.

export interface PictureScene {
  readonly width: number;
  readonly height: number;
  /** What is to be seen in all frames [m]. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Of bodies and obstacles, in this order: what they are made of is fetched by their number. */
  readonly meshes: readonly PictureMesh[];
}

export interface PictureMesh {
  readonly isObstacle: boolean;
  readonly hasUvs: boolean;
  /** Runs of corners that are drawn with one material. */
  readonly parts: readonly { readonly start: number; readonly count: number; readonly material: PictureMaterial }[];
}

/** In the words of glTF, without metal, as there is nothing that it would mirror; a picture is fetched by the numbers of its mesh and part. */
export interface PictureMaterial {
  readonly color: readonly number[];
  readonly roughness: number;
  readonly opacity: number;
  readonly isBlended: boolean;
  readonly alphaTest: number;
  readonly isDoubleSided: boolean;
  /** Of the picture of its colour: how it goes on along u and v, and whether its pixels are seen. */
  readonly wrap?: readonly number[];
  readonly isCoarse?: boolean;
}

export const PICTURE_PAGE = `<!doctype html>
<meta charset="utf-8">
<style>body{margin:0;overflow:hidden}canvas{display:block}</style>
<script type="importmap">{"imports":{"three":"./three/three.module.js"}}</script>
<script type="module">
import * as THREE from 'three';
const get = async (name, Type) => new Type(await (await fetch(name)).arrayBuffer());
const about = await (await fetch('scene.json')).json();
const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(about.width, about.height);
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xe9edf0);
const [low, high] = [about.low, about.high].map((v) => new THREE.Vector3(...v));
const centre = low.clone().add(high).multiplyScalar(0.5);
const radius = Math.max(1e-6, low.distanceTo(high) / 2);
const camera = new THREE.PerspectiveCamera(35, about.width / about.height, radius / 100, radius * 100);
camera.position.copy(centre).add(new THREE.Vector3(0.55, 0.45, 1).normalize().multiplyScalar(radius * 3.4));
camera.lookAt(centre);
const sun = new THREE.DirectionalLight(0xffffff, 2.4);
sun.position.copy(centre).add(new THREE.Vector3(1, 2.2, 1.2).multiplyScalar(radius * 2));
sun.target.position.copy(centre);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
sun.shadow.normalBias = radius * 0.01;
Object.assign(sun.shadow.camera, { left: -2 * radius, right: 2 * radius, top: 2 * radius, bottom: -2 * radius, far: radius * 12 });
scene.add(sun, sun.target, new THREE.HemisphereLight(0xffffff, 0xb8a890, 1.4));
const WRAP = { 33071: THREE.ClampToEdgeWrapping, 33648: THREE.MirroredRepeatWrapping, 10497: THREE.RepeatWrapping };
const toMaterial = async (about, address) => {
  const { color, roughness, opacity, isBlended, alphaTest, isDoubleSided, wrap, isCoarse } = about;
  const side = isDoubleSided ? THREE.DoubleSide : THREE.FrontSide;
  const material = new THREE.MeshStandardMaterial({ roughness, opacity, alphaTest, side, transparent: isBlended });
  material.color.setRGB(...color, THREE.LinearSRGBColorSpace);
  if (!wrap) return material;
  const image = await createImageBitmap(await (await fetch(address)).blob()).catch(() => undefined);
  if (!image) return material;
  const [wrapS, wrapT] = wrap.map((number) => WRAP[number]);
  material.map = Object.assign(new THREE.Texture(image), { wrapS, wrapT, flipY: false, colorSpace: THREE.SRGBColorSpace, needsUpdate: true });
  if (isCoarse) material.map.magFilter = THREE.NearestFilter;
  return material;
};
const shown = await Promise.all(about.meshes.map(async ({ isObstacle, hasUvs, parts }, n) => {
  const geometry = new THREE.BufferGeometry();
  geometry.setIndex(new THREE.BufferAttribute(await get('triangles/' + n, Uint32Array), 1));
  if (hasUvs) geometry.setAttribute('uv', new THREE.BufferAttribute(await get('uvs/' + n, Float32Array), 2));
  parts.forEach(({ start, count }, k) => geometry.addGroup(start, count, k));
  const materials = await Promise.all(parts.map(({ material }, k) => toMaterial(material, 'texture/' + n + '/' + k)));
  const mesh = new THREE.Mesh(geometry, materials);
  mesh.castShadow = !isObstacle;
  mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  scene.add(mesh);
  return mesh;
}));
// Those that are not there in a frame are empty.
globalThis.draw = async (frame) => {
  await Promise.all(shown.map(async (mesh, n) => {
    const [positions, normals] = await Promise.all(['positions', 'normals'].map((kind) => get(kind + '/' + n + '/' + frame, Float32Array)));
    mesh.visible = positions.length > 0;
    if (!mesh.visible) return;
    mesh.geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    mesh.geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  }));
  renderer.render(scene, camera);
};
</script>
`;
