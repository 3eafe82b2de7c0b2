// Bullet's soft bodies as ammojs3 has them in WebAssembly: links along the edges, and the volume by pressure. Bullet's volume
// term needs the pose that `setPose` takes, which ammojs3 does not export.

import { createRequire } from 'node:module';
import { type TriangleMesh, type Vec3, vertexCount } from '../../src/index.js';
import { massOf, type Peer, type PeerWorld } from './peer.js';
import { FLOOR, halfOf, PEER_WORLD, type PeerScene, plateAt } from './scene.js';

export interface AmmoSettings {
  /** kPR: n·R·T of the gas inside [J]. */
  readonly pressure: number;
  /** Position iterations. */
  readonly iterations: number;
  /** kLST of the links, 0…1. */
  readonly stiffness: number;
}

export function ammo(settings: AmmoSettings, words: string): Peer {
  return { method: 'ammo', settings: words, build: (scene) => buildWorld(scene, settings) };
}

type LoadAmmo = typeof import('ammojs3')['default'];
/** What the module has beyond its declarations. */
interface Pointers {
  getPointer(object: unknown): number;
  castObject<C extends new (...args: never[]) => unknown>(object: unknown, type: C): InstanceType<C>;
}
type Bullet = Awaited<ReturnType<LoadAmmo>> & Pointers & typeof import('ammojs3').default;

/** Of Bullet's flags: soft against rigid by signed distance, a body that is moved, a body that never sleeps. */
const FLAGS = { softRigid: 1, kinematic: 2, awake: 4 };
/** Collision margin of boxes and particles [m]; the default is a quarter of the squeezed height. */
const MARGIN = 0.01;
const EVERYTHING = -1;

async function buildWorld(scene: PeerScene, settings: AmmoSettings): Promise<PeerWorld> {
  // The package's main file is asm.js; the module is CommonJS. What it prints when it gives up is in the error as well.
  const load: LoadAmmo = createRequire(import.meta.url)('ammojs3/dist/ammo.wasm.js');
  const bullet = (await load({ printErr: () => {} })) as unknown as Bullet;
  const vector = (v: Vec3) => new bullet.btVector3(...v);
  const configuration = new bullet.btSoftBodyRigidBodyCollisionConfiguration();
  const world = new bullet.btSoftRigidDynamicsWorld(
    new bullet.btCollisionDispatcher(configuration),
    new bullet.btDbvtBroadphase(),
    new bullet.btSequentialImpulseConstraintSolver(),
    configuration,
    new bullet.btDefaultSoftBodySolver(),
  );
  const { gravity, timeStep, friction } = PEER_WORLD;
  world.setGravity(vector(gravity));
  world.getWorldInfo().set_m_gravity(vector(gravity));

  const addBox = (size: Vec3, position: Vec3) => {
    const shape = new bullet.btBoxShape(vector(halfOf(size)));
    shape.setMargin(MARGIN);
    const transform = new bullet.btTransform();
    transform.setIdentity();
    transform.setOrigin(vector(position));
    const state = new bullet.btDefaultMotionState(transform);
    const body = new bullet.btRigidBody(new bullet.btRigidBodyConstructionInfo(0, state, shape, vector([0, 0, 0])));
    body.setFriction(friction);
    world.addRigidBody(body, 1, EVERYTHING);
    return { body, state, transform };
  };
  addBox(FLOOR.size, FLOOR.position);
  const { plate } = scene;
  const moved = plate && addBox(plate.size, plateAt(plate, 0));
  moved?.body.setCollisionFlags(FLAGS.kinematic);
  moved?.body.setActivationState(FLAGS.awake);

  const addBody = (mesh: TriangleMesh, position: Vec3) => {
    const placed = Array.from(mesh.positions, (coordinate, k) => coordinate + position[k % 3]);
    const triangles = Array.from(mesh.triangles);
    const helpers = new bullet.btSoftBodyHelpers();
    const body = helpers.CreateFromTriMesh(world.getWorldInfo(), placed, triangles, triangles.length / 3, true);
    const config = body.get_m_cfg();
    config.set_piterations(settings.iterations);
    config.set_collisions(FLAGS.softRigid);
    config.set_kDF(friction);
    config.set_kPR(settings.pressure);
    body.get_m_materials().at(0).set_m_kLST(settings.stiffness);
    body.setTotalMass(massOf(mesh), false);
    body.setActivationState(FLAGS.awake);
    bullet.castObject(body, bullet.btCollisionObject).getCollisionShape().setMargin(MARGIN);
    world.addSoftBody(body, 1, EVERYTHING);
    return { nodes: body.get_m_nodes(), count: vertexCount(mesh) };
  };
  const bodies = scene.bodies.map(({ mesh, position }) => addBody(mesh, position));
  const target = vector([0, 0, 0]);
  let steps = 0;
  return {
    step() {
      steps++;
      if (plate && moved) {
        target.setValue(...plateAt(plate, steps));
        moved.transform.setOrigin(target);
        moved.state.setWorldTransform(moved.transform);
      }
      world.stepSimulation(timeStep, 0);
    },
    positions(index) {
      const { nodes, count } = bodies[index];
      const first = bullet.getPointer(nodes.at(0).get_m_x()) / 4;
      const stride = bullet.getPointer(nodes.at(1).get_m_x()) / 4 - first;
      return Float64Array.from({ length: 3 * count }, (_, k) => {
        const component = k % 3;
        return bullet.HEAPF32[first + ((k - component) / 3) * stride + component];
      });
    },
    // The module goes with its last reference.
    dispose: () => {},
  };
}
