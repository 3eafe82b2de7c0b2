// Jolt's soft bodies: edges by its own CreateConstraints, and the volume by pressure or by tetrahedra from a particle inside.

import initJolt from 'jolt-physics';
import { measure, type TriangleMesh, type Vec3, vertexCount } from '../../src/index.js';
import { massOf, type Peer, type PeerWorld } from './peer.js';
import { FLOOR, halfOf, PEER_WORLD, type PeerScene, plateAt } from './scene.js';

export interface JoltSettings {
  /** Of the soft body solver; 5 unless set. */
  readonly iterations?: number;
  /** Of the edges [m/N]. */
  readonly compliance: number;
  /** n·R·T of the gas inside [J]. */
  readonly pressure?: number;
  /** One per triangle, with a particle in the centre of mass: their compliance and its mass [kg]. */
  readonly tetrahedra?: { readonly compliance: number; readonly centreMass: number };
}

export function jolt(settings: JoltSettings, words: string): Peer {
  return { method: 'jolt', settings: words, build: (scene) => buildWorld(scene, settings) };
}

type Jolt = Awaited<ReturnType<typeof initJolt>>;
type SharedSettings = InstanceType<Jolt['SoftBodySharedSettings']>;

/** Still and kinematic things in one layer, bodies in another: bodies meet things, not each other. */
const LAYERS = { things: 0, bodies: 1, count: 2 };

function createInterface(jolt: Jolt) {
  const settings = new jolt.JoltSettings();
  const pairs = new jolt.ObjectLayerPairFilterTable(LAYERS.count);
  pairs.EnableCollision(LAYERS.things, LAYERS.bodies);
  const broad = new jolt.BroadPhaseLayerInterfaceTable(LAYERS.count, LAYERS.count);
  for (const layer of [LAYERS.things, LAYERS.bodies]) {
    broad.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(layer));
  }
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(
    broad,
    LAYERS.count,
    pairs,
    LAYERS.count,
  );
  return new jolt.JoltInterface(settings);
}

function shareMesh(jolt: Jolt, mesh: TriangleMesh, settings: JoltSettings): SharedSettings {
  const shared = new jolt.SoftBodySharedSettings();
  const { positions, triangles } = mesh;
  const count = vertexCount(mesh);
  const vertex = new jolt.SoftBodySharedSettingsVertex();
  const addVertex = (x: number, y: number, z: number, mass: number) => {
    Object.assign(vertex.mPosition, { x, y, z });
    vertex.mInvMass = 1 / mass;
    shared.mVertices.push_back(vertex);
  };
  // Evenly: with masses by area the light ones at a sphere's poles made it explode sooner.
  for (let i = 0; i < positions.length; i += 3) {
    addVertex(positions[i], positions[i + 1], positions[i + 2], massOf(mesh) / count);
  }
  const face = new jolt.SoftBodySharedSettingsFace(0, 0, 0, 0);
  for (let i = 0; i < triangles.length; i += 3) {
    for (let corner = 0; corner < 3; corner++) face.set_mVertex(corner, triangles[i + corner]);
    shared.AddFace(face);
  }
  const attributes = new jolt.SoftBodySharedSettingsVertexAttributes();
  attributes.mCompliance = settings.compliance;
  attributes.mShearCompliance = settings.compliance;
  shared.CreateConstraints(attributes, 1, jolt.SoftBodySharedSettings_EBendType_None);
  const { tetrahedra } = settings;
  if (tetrahedra) {
    const [x, y, z] = measure(mesh).centreOfMass;
    addVertex(x, y, z, tetrahedra.centreMass);
    const cell = new jolt.SoftBodySharedSettingsVolume(0, 0, 0, count, tetrahedra.compliance);
    for (let i = 0; i < triangles.length; i += 3) {
      // Clockwise: Jolt measures tetrahedra without sign but pushes with it, and one of negative volume the wrong way.
      for (let corner = 0; corner < 3; corner++) cell.set_mVertex(corner, triangles[i + 2 - corner]);
      shared.mVolumeConstraints.push_back(cell);
    }
    shared.CalculateVolumeConstraintVolumes();
  }
  shared.Optimize();
  return shared;
}

async function buildWorld(scene: PeerScene, settings: JoltSettings): Promise<PeerWorld> {
  // A module of its own for each world: two or three fill the memory that one module may have.
  const jolt = await initJolt();
  const world = createInterface(jolt);
  const system = world.GetPhysicsSystem();
  const bodyInterface = system.GetBodyInterface();
  const { timeStep, friction } = PEER_WORLD;
  const upright = new jolt.Quat(0, 0, 0, 1);
  system.SetGravity(new jolt.Vec3(...PEER_WORLD.gravity));

  const addBox = (size: Vec3, position: Vec3, motionType: number) => {
    const shape = new jolt.BoxShape(new jolt.Vec3(...halfOf(size)));
    const at = new jolt.RVec3(...position);
    const about = new jolt.BodyCreationSettings(shape, at, upright, motionType, LAYERS.things);
    about.mFriction = friction;
    return bodyInterface.CreateAndAddBody(about, jolt.EActivation_Activate);
  };
  addBox(FLOOR.size, FLOOR.position, jolt.EMotionType_Static);
  const { plate } = scene;
  const plateBody = plate && addBox(plate.size, plateAt(plate, 0), jolt.EMotionType_Kinematic);

  const shared = new Map<TriangleMesh, SharedSettings>();
  const bodies = scene.bodies.map(({ mesh, position }) => {
    const rest = shared.get(mesh) ?? shareMesh(jolt, mesh, settings);
    shared.set(mesh, rest);
    const about = new jolt.SoftBodyCreationSettings(rest, new jolt.RVec3(...position), upright, LAYERS.bodies);
    about.mFriction = friction;
    about.mAllowSleeping = false;
    if (settings.pressure !== undefined) about.mPressure = settings.pressure;
    if (settings.iterations !== undefined) about.mNumIterations = settings.iterations;
    const body = bodyInterface.CreateSoftBody(about);
    bodyInterface.AddBody(body.GetID(), jolt.EActivation_Activate);
    const properties = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties);
    return { body, vertices: properties.GetVertices(), count: vertexCount(mesh) };
  });
  const target = new jolt.RVec3(0, 0, 0);
  let steps = 0;
  return {
    step() {
      steps++;
      if (plate && plateBody) {
        target.Set(...plateAt(plate, steps));
        bodyInterface.MoveKinematic(plateBody, target, upright, timeStep);
      }
      world.Step(timeStep, 1);
    },
    positions(index) {
      const { body, vertices, count } = bodies[index];
      const origin = body.GetCenterOfMassPosition();
      const from = [origin.GetX(), origin.GetY(), origin.GetZ()];
      const first = jolt.getPointer(vertices.at(0));
      const stride = (jolt.getPointer(vertices.at(1)) - first) / 4;
      const start = (first + jolt.SoftBodyVertexTraits.prototype.mPositionOffset) / 4;
      return Float64Array.from({ length: 3 * count }, (_, k) => {
        const component = k % 3;
        return jolt.HEAPF32[start + ((k - component) / 3) * stride + component] + from[component];
      });
    },
    dispose: () => jolt.destroy(world),
  };
}
