// From what the user chose or dropped to a checked scene and the meshes it names.

import { boundsOf, MESH_FORMATS, makeSimulatable, readMesh, type TriangleMesh } from 'isochore';
import { type MeshLook, readLook, readMovingMesh } from 'isochore/mesh';
import { checkScene, findScene, type PoseSceneOptions, parseScene, type Scene, sceneAttributes } from 'isochore/scenes';
import { extraScenes } from '../extra-scenes.js';
import type { DroppedFile, SceneSource } from '../protocol.js';

export interface OpenSource {
  readonly title: string;
  readonly source: SceneSource;
  readonly scene: Scene;
  /** By the path in the scene. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  /** Moving meshes that the scene names. */
  readonly loadMoving?: PoseSceneOptions['loadMoving'];
  /** How its mesh files look, for what is exported. */
  readonly loadLook?: (path: string) => Promise<MeshLook>;
  readonly report: readonly string[];
}

/** Vertices above which a dropped mesh is simplified, and the number it is brought to: what a laptop steps in real time. */
const MOST_VERTICES = 6000;
const SIMPLER_VERTICES = 4000;
/** Size that a dropped mesh is brought to [m]: the largest side of its box. */
const DROPPED_SIZE = 1.4;
/** Largest file that is read [bytes]. */
const LARGEST_FILE = 200e6;

const baseName = (path: string): string => path.split(/[\\/]/).pop() ?? path;
const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1].toLowerCase() ?? '';

export async function openSource(source: SceneSource): Promise<OpenSource> {
  if (source.kind === 'files') return openFiles(source, source.files);
  const made = source.kind === 'scene' ? source.scene : findMaker(source.name)();
  const title = source.name;
  return { title, source, scene: checkScene(made), meshes: new Map(), report: [] };
}

function findMaker(name: string) {
  const entry = findScene(name) ?? extraScenes.find((scene) => scene.name === name);
  if (!entry) throw new Error(`there is no scene called “${name}”`);
  return entry.make;
}

async function openFiles(source: SceneSource, files: readonly DroppedFile[]): Promise<OpenSource> {
  const tooLarge = files.find(({ bytes }) => bytes.byteLength > LARGEST_FILE);
  if (tooLarge) throw new Error(`${tooLarge.name}: expected a file of at most 200 MB`);
  const sceneFile = files.find(({ name }) => extensionOf(name) === 'json');
  if (sceneFile) return openSceneFile(sceneFile, files);
  const meshFile = files.find(({ name }) => MESH_FORMATS.includes(extensionOf(name)));
  if (!meshFile) {
    const known = MESH_FORMATS.map((format) => format.toUpperCase()).join(', ');
    throw new Error(`${files[0]?.name ?? 'nothing'}: expected a mesh (${known}) or a scene (JSON)`);
  }
  return openMesh(source, meshFile, files);
}

async function openSceneFile(file: DroppedFile, files: readonly DroppedFile[]): Promise<OpenSource> {
  const text = new TextDecoder().decode(file.bytes);
  let scene: Scene;
  try {
    scene = parseScene(text);
  } catch (error) {
    throw new Error(`${file.name}: ${(error as Error).message}`);
  }
  const named = [...scene.bodies, ...scene.colliders].flatMap((part) =>
    'mesh' in part && typeof part.mesh === 'string' ? [part.mesh] : [],
  );
  const meshes = new Map<string, TriangleMesh>();
  for (const path of new Set(named)) {
    const found = files.find(({ name }) => name === baseName(path));
    if (!found) throw new Error(`${file.name}: it needs ${baseName(path)}; drop both files together`);
    meshes.set(path, await read(found, files, sceneAttributes(scene, path)));
  }
  const loadMoving: OpenSource['loadMoving'] = async (path, options) => {
    const found = files.find(({ name }) => name === baseName(path));
    if (!found) throw new Error(`it needs ${baseName(path)}; drop both files together`);
    return readMovingMesh(new Uint8Array(found.bytes), path, { ...options, resolve: resolverOf(files) });
  };
  const value = JSON.parse(text.replace(/^\uFEFF/, ''));
  const kept: SceneSource =
    files.length > 1 ? { kind: 'files', files } : { kind: 'scene', name: file.name, scene: value };
  return { title: file.name, source: kept, scene, meshes, loadMoving, loadLook: lookerOf(files), report: [] };
}

const resolverOf =
  (files: readonly DroppedFile[]) =>
  async (path: string): Promise<Uint8Array> => {
    const found = files.find(({ name }) => name === baseName(path));
    if (!found) throw new Error(`it needs ${baseName(path)}; drop both files together`);
    return new Uint8Array(found.bytes);
  };

/** Reads each file once, for as many worlds as are made of it. */
function lookerOf(files: readonly DroppedFile[]): (path: string) => Promise<MeshLook> {
  const known = new Map<string, Promise<MeshLook>>();
  const read = async (path: string) => readLook(await resolverOf(files)(path), path, { resolve: resolverOf(files) });
  return (path) => {
    const look = known.get(path) ?? read(path);
    known.set(path, look);
    return look;
  };
}

function read(file: DroppedFile, files: readonly DroppedFile[], attributes: readonly string[] = []) {
  return readMesh(new Uint8Array(file.bytes), file.name, { resolve: resolverOf(files), attributes });
}

/** A scene in which the mesh falls on a floor. */
async function openMesh(source: SceneSource, file: DroppedFile, files: readonly DroppedFile[]): Promise<OpenSource> {
  const mesh = await read(file, files);
  const given = mesh.positions.length / 3;
  const report = [`${file.name}: ${given} vertices, ${mesh.triangles.length / 3} triangles`];
  let made = await makeMended(mesh, file.name, undefined);
  if (made.bodies[0].mesh.positions.length / 3 > MOST_VERTICES) {
    made = await makeMended(mesh, file.name, SIMPLER_VERTICES);
    report.push(
      `more than ${MOST_VERTICES} vertices: brought to about ${SIMPLER_VERTICES}, so that it runs in real time`,
    );
  }
  const [body] = made.bodies;
  for (const step of made.steps) report.push(step.message);
  report.push(
    {
      unchanged: 'it is simulated as it is',
      mended: 'it is simulated with its own vertices, mended',
      simplified: 'its surface is simulated with fewer vertices',
      refined: 'its surface is simulated with more vertices',
      cage: 'its surface is not closed: a closed cage around it is simulated',
    }[body.origin],
  );
  const [low, high] = boundsOf(body.mesh.positions);
  const scale = DROPPED_SIZE / Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const scene = checkScene({
    isochore: 1,
    steps: 1000,
    bodies: [
      {
        name: file.name.replace(/\.[^.]+$/, '') || 'mesh',
        mesh: file.name,
        repair: true,
        scale,
        position: [(-scale * (low[0] + high[0])) / 2, 0.6 - scale * low[1], (-scale * (low[2] + high[2])) / 2],
        solver: { regionRadius: 0.25, stiffness: 0.9, damping: 0.2 },
      },
    ],
    colliders: [{ name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 }],
  });
  const meshes = new Map([[file.name, body.mesh]]);
  return { title: file.name, source, scene, meshes, loadLook: lookerOf(files), report };
}

async function makeMended(mesh: TriangleMesh, name: string, vertices: number | undefined) {
  try {
    return await makeSimulatable(mesh, { vertices });
  } catch (error) {
    throw new Error(`${name}: no body can be made of it: ${(error as Error).message}`);
  }
}
