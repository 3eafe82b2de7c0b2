// The scene file as one schema: the types, the checks, the defaults and the shipped JSON Schema all come from here.

import { z } from 'zod';
import { CONTACT_DEFAULTS } from '../contact/contact-settings.js';
import { ALL_GROUPS, GROUP_DEFAULTS } from '../contact/groups.js';
import { suggestName } from '../math/known-fields.js';
import type { AnySolverMaker } from '../solvers/built-in.js';
import { DEFORMATIONS } from '../world/deform.js';
import { WIND_DEFAULTS, WIND_LIMITS } from '../world/wind.js';
import { TIME_STEP_LIMITS, WORLD_DEFAULTS } from '../world/world-options.js';
import { mapsSchema } from './map-schema.js';
import { meshSchema } from './mesh-schema.js';
import { checkPosed } from './posed-rules.js';
import { expectAscending, followSchema, inputSchema, posingSchema, pressSchema } from './posed-schema.js';
import { showValue } from './scene-errors.js';
import {
  box,
  direction,
  fields,
  integerFrom,
  listOf,
  name,
  nonNegative,
  number,
  numberFrom,
  oneOf,
  positive,
  quaternion,
  shapes,
  size,
  vector,
} from './scene-fields.js';
import { solverField } from './solver-schema.js';

/** What one file may ask for: generous for real scenes, small enough that no file exhausts the machine by its counts. */
export const SCENE_LIMITS = {
  bodies: 10_000,
  colliders: 10_000,
  pins: 10_000,
  attachments: 10_000,
  fields: 100,
  cuts: 1000,
  keyframes: 10_000,
  steps: 10_000_000,
  heights: 4096,
};

const keyframe = fields({
  time: nonNegative().describe('Time since the start [s]; later than the keyframe before.'),
  position: vector().optional().describe('Position at that time [m]; for a pin the displacement from its start.'),
  rotation: quaternion().optional().describe('Rotation at that time, quaternion [x, y, z, w].'),
});

const motion = () =>
  listOf(keyframe, 'keyframes', SCENE_LIMITS.keyframes)
    .superRefine(expectAscending)
    .default([])
    .describe('Keyframes, linear between them (rotations by slerp), held before the first and after the last.');

const grouped = {
  group: integerFrom(0, ALL_GROUPS).default(GROUP_DEFAULTS.group).describe('Bits of the groups it belongs to.'),
  collidesWith: integerFrom(0, ALL_GROUPS)
    .default(GROUP_DEFAULTS.collidesWith)
    .describe('Bits of the groups it touches; two things touch where each touches a group of the other.'),
};

const bodyWith = (own: readonly AnySolverMaker[]) =>
  fields({
    name: name().optional().describe('Name in pins and reports; body0, body1, … by place where it is left out.'),
    mesh: meshSchema.describe(
      'A mesh file (obj, off, stl, ply, glb, gltf; of a solid mesh msh, mesh, vtk, node; relative to the scene file) or a shape.',
    ),
    input: inputSchema(motion),
    posing: posingSchema,
    press: pressSchema,
    repair: z
      .boolean({ error: () => 'true or false' })
      .optional()
      .describe(
        'Of a mesh file: true makes a body of any triangles, mending them or building a cage around them; false takes them as they are; left out, seams are welded, and a surface that is still not closed is refused.',
      ),
    position: vector().default([0, 0, 0]).describe("Where the mesh's origin goes [m]."),
    rotation: quaternion().default([0, 0, 0, 1]).describe("Rotation about the mesh's origin, quaternion [x, y, z, w]."),
    scale: positive().default(1).describe('Factor on the mesh.'),
    velocity: vector().default([0, 0, 0]).describe('Velocity at the start [m/s].'),
    spin: vector().default([0, 0, 0]).describe('Angular velocity about the centre of mass at the start [rad/s].'),
    density: positive().default(1000).describe('Mass per rest volume [kg/m³].'),
    solver: solverField(own),
    maps: mapsSchema.optional().describe('Factors painted on the body, by vertex.'),
    friction: nonNegative()
      .default(CONTACT_DEFAULTS.friction)
      .describe(
        'Coulomb coefficient against other bodies, of two the geometric mean; against colliders theirs counts.',
      ),
    restitution: numberFrom(0, 1)
      .default(CONTACT_DEFAULTS.restitution)
      .describe('Share of the speed of an impact that contact gives back, on top of what elasticity does.'),
    selfContact: z
      .boolean({ error: () => 'true or false' })
      .default(CONTACT_DEFAULTS.selfContact)
      .describe('Whether the surface is kept from passing through itself.'),
    ...grouped,
    deform: oneOf(DEFORMATIONS).default('none').describe('Start state.'),
  });

const placed = {
  name: name().optional().describe('Name.'),
  position: vector().default([0, 0, 0]).describe('Where its origin is [m].'),
  rotation: quaternion().default([0, 0, 0, 1]).describe('Rotation about its origin, quaternion [x, y, z, w].'),
  friction: nonNegative().default(0.5).describe('Coulomb friction coefficient.'),
  restitution: numberFrom(0, 1)
    .default(0)
    .describe('Share of the speed of an impact that contact gives back, on top of what elasticity does.'),
  ...grouped,
  motion: motion(),
  press: pressSchema,
  follow: followSchema,
};

/** Rows of equal length. */
const heights = () =>
  listOf(listOf(number(), 'heights', SCENE_LIMITS.heights), 'rows', SCENE_LIMITS.heights).refine(
    (rows) => rows.length >= 2 && rows[0].length >= 2 && rows.every((row) => row.length === rows[0].length),
    { error: () => 'at least two rows of equal length, at least two' },
  );

const collider = shapes([
  fields({
    shape: z.literal('plane').describe('Everything below a plane is solid.'),
    normal: direction().default([0, 1, 0]).describe('Direction out of the solid.'),
    offset: number().default(0).describe('Distance of the plane from the origin along the normal [m].'),
    ...placed,
  }),
  fields({
    shape: z.literal('box').describe('A box about its origin.'),
    size: size().describe('Full extents [m].'),
    ...placed,
  }),
  fields({
    shape: z.literal('sphere').describe('A ball about its origin.'),
    radius: positive().describe('Radius [m].'),
    ...placed,
  }),
  fields({
    shape: z.literal('capsule').describe('A cylinder along Y with round ends, about its origin.'),
    radius: positive().describe('Radius [m].'),
    height: positive().describe('Total height, the round ends included, at least 2·radius [m].'),
    ...placed,
  }).refine((capsule) => capsule.height >= 2 * capsule.radius, {
    path: ['height'],
    error: () => 'a number of at least 2·radius',
  }),
  fields({
    shape: z.literal('cylinder').describe('A cylinder along Y about its origin.'),
    radius: positive().describe('Radius [m].'),
    height: positive().describe('Height [m].'),
    ...placed,
  }),
  fields({
    shape: z.literal('glass').describe('A cylinder along Y, open at the top, standing on its origin.'),
    radius: positive().describe('Outer radius, at least 2·wall [m].'),
    height: positive().describe('From the foot to the rim, at least 2·wall [m].'),
    wall: positive().describe('Thickness of wall and bottom [m].'),
    ...placed,
  })
    .refine((glass) => glass.radius >= 2 * glass.wall, {
      path: ['radius'],
      error: () => 'a number of at least 2·wall',
    })
    .refine((glass) => glass.height >= 2 * glass.wall, {
      path: ['height'],
      error: () => 'a number of at least 2·wall',
    }),
  fields({
    shape: z.literal('mesh').describe('A triangle mesh: solid where it is closed, a sheet with two sides elsewhere.'),
    mesh: meshSchema.describe('A mesh file (obj, off, stl, ply, glb, gltf; relative to the scene file) or a shape.'),
    scale: positive().default(1).describe('Factor on the mesh.'),
    ...placed,
  }),
  fields({
    shape: z.literal('heightfield').describe('A landscape about its origin, solid below.'),
    heights: heights().describe('Rows along x, one for each step along z [m].'),
    size: z
      .tuple([positive(), positive()], { error: () => 'two numbers above 0 [x, z]' })
      .describe('Extent along x and z [m].'),
    ...placed,
  }),
]);

const select = fields({
  box: box(),
}).describe('The vertices to hold.');

const pin = fields({
  body: name().describe('Name of the body.'),
  select,
  motion: motion().describe('Rigid motion of the pinned set: displacement from its start, rotation about its centre.'),
});

const attachment = fields({
  body: name().describe('Name of the body.'),
  select,
  to: name().describe('Name of another body or of a collider.'),
  breakForce: positive()
    .optional()
    .describe('Force beyond which it breaks [N]; it holds for ever where it is left out.'),
});

const cutBase = {
  body: name().describe('Name of the body, of a solver that can be cut.'),
  time: nonNegative().describe('When [s]: with the step that this lies in.'),
};
const planeCut = fields({
  ...cutBase,
  plane: fields({
    point: vector().describe('A point of the plane in the world [m].'),
    normal: direction().describe('Its normal, of any length.'),
  }).describe('Along which plane.'),
  within: fields({ box: box().describe('A box in the world [m].') })
    .optional()
    .describe('Only in there; all through where it is left out.'),
});
const pathCut = fields({
  ...cutBase,
  until: nonNegative()
    .optional()
    .describe('When the blade is at the end of its path [s]; at once where it is left out.'),
  path: listOf(vector(), 'points', SCENE_LIMITS.cuts).describe('Where the tip of the blade goes in the world [m].'),
  blade: direction().describe('From the tip to the other end of the blade [m].'),
});
const cut = z.union([planeCut, pathCut], { error: () => 'an object with a plane, or with a path and a blade' });

const windField = fields({
  type: z.literal('wind', { error: () => 'wind' }).describe('Air that moves and takes particles along.'),
  velocity: vector()
    .default([...WIND_DEFAULTS.velocity])
    .describe('Mean velocity of the air [m/s].'),
  gusts: numberFrom(0, WIND_LIMITS.gusts)
    .default(WIND_DEFAULTS.gusts)
    .describe('How much gusts change it, as a share of its speed.'),
  gustSize: positive().default(WIND_DEFAULTS.gustSize).describe('Size of a gust [m].'),
  drag: numberFrom(0, WIND_LIMITS.drag)
    .default(WIND_DEFAULTS.drag)
    .describe("How fast particles take the air's velocity [1/s]."),
  seed: integerFrom(0, 0xffffffff).default(WIND_DEFAULTS.seed).describe('Seed of the gusts.'),
});

/** Names by place, where the file gives none. */
export const bodyName = (body: { name?: string }, index: number): string => body.name ?? `body${index}`;

/** The schema of a scene that may name these solvers beside those of the library. */
export const sceneSchemaWith = (own: readonly AnySolverMaker[]) =>
  fields({
    $schema: z
      .string({ error: () => 'a string' })
      .optional()
      .describe('Where editors find the schema of this file.'),
    isochore: z.literal(1, { error: () => 'the format version 1' }).describe('Version of the scene format.'),
    gravity: vector().default([0, -9.81, 0]).describe('Acceleration of every particle [m/s²].'),
    timeStep: numberFrom(...TIME_STEP_LIMITS)
      .default(WORLD_DEFAULTS.timeStep)
      .describe('Length of a step [s].'),
    steps: integerFrom(0, SCENE_LIMITS.steps).default(400).describe('How many steps to simulate.'),
    seed: integerFrom(0, 0xffffffff).default(1).describe('Seed of the random start states.'),
    bodies: listOf(bodyWith(own), 'bodies', SCENE_LIMITS.bodies).describe('The soft bodies.'),
    colliders: listOf(collider, 'colliders', SCENE_LIMITS.colliders).default([]).describe('The obstacles.'),
    pins: listOf(pin, 'pins', SCENE_LIMITS.pins).default([]).describe('Vertices that are held or led.'),
    attachments: listOf(attachment, 'attachments', SCENE_LIMITS.attachments)
      .default([])
      .describe('Vertices that are attached to a collider or to another body.'),
    cuts: listOf(cut, 'cuts', SCENE_LIMITS.cuts)
      .default([])
      .describe('Cuts along planes and by blades, at given times.'),
    detail: fields({
      touch: z
        .boolean({ error: () => 'true or false' })
        .default(false)
        .describe('Finest where something grips or hits.'),
    })
      .optional()
      .describe('Levels of detail, of bodies whose solver has some.'),
    fields: listOf(windField, 'fields', SCENE_LIMITS.fields)
      .default([])
      .describe('What accelerates all bodies by place, velocity and time.'),
  })
    .superRefine(checkPosed)
    .superRefine((scene, context) => {
      const taken = new Set<string>();
      for (const [index, body] of scene.bodies.entries()) {
        const name = bodyName(body, index);
        const path = ['bodies', index, 'name'];
        const params = { got: showValue(name) };
        if (taken.has(name))
          context.addIssue({ code: 'custom', path, params, message: 'a name that no other body has' });
        taken.add(name);
      }
      for (const [index, pin] of scene.pins.entries()) {
        if (taken.has(pin.body)) continue;
        const message = `the name of a body (${listNames([...taken], pin.body)})`;
        context.addIssue({ code: 'custom', path: ['pins', index, 'body'], message });
      }
      for (const [index, { body }] of scene.cuts.entries()) {
        if (taken.has(body)) continue;
        const message = `the name of a body (${listNames([...taken], body)})`;
        context.addIssue({ code: 'custom', path: ['cuts', index, 'body'], message });
      }
      const colliders = scene.colliders.flatMap(({ name }) => name ?? []);
      for (const [index, { body, to }] of scene.attachments.entries()) {
        const bodies = `the name of a body (${listNames([...taken], body)})`;
        const others = `the name of another body or of a collider (${listNames([...taken, ...colliders], to)})`;
        const path = ['attachments', index];
        if (!taken.has(body)) context.addIssue({ code: 'custom', path: [...path, 'body'], message: bodies });
        if (to === body || (!taken.has(to) && !colliders.includes(to)))
          context.addIssue({ code: 'custom', path: [...path, 'to'], message: others });
      }
    })
    .meta({ title: 'Isochore scene' });

/**
 * The schema of scene files, for zod.
 * @example
 * ```ts
 * const { success } = sceneSchema.safeParse({ isochore: 1, bodies: [] });
 * ```
 */
export const sceneSchema = sceneSchemaWith([]);

/** Some names, and which of all of them may have been meant. */
function listNames(names: string[], written: string): string {
  const meant = suggestName(written, names);
  const hint = meant === undefined || meant === written ? '' : `; did you mean ${meant}?`;
  return names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '') + hint;
}

/** A scene as written: fields with a default may be left out. */
export type SceneFile = z.input<typeof sceneSchema>;
/** A checked scene with every default filled in. */
export type Scene = z.output<typeof sceneSchema>;

/**
 * The scene file as JSON Schema (draft 2020-12), for editors and other tools.
 * @example
 * ```ts
 * const text = JSON.stringify(sceneJsonSchema());
 * ```
 */
export const sceneJsonSchema = (): object => z.toJSONSchema(sceneSchema, { io: 'input' });
