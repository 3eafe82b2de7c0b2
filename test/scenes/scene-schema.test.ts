// The schema's defaults, its agreement with the shipped JSON Schema, and the built-in scenes as scene files.

import { describe, expect, it } from 'vitest';
import { scenes } from '../../src/scenes/catalogue.js';
import { checkScene, parseScene } from '../../src/scenes/parse-scene.js';
import { type SceneFile, sceneJsonSchema, sceneSchema } from '../../src/scenes/scene-schema.js';
import { satisfies } from './json-schema-check.js';

/** The example of the interface, without its comments. */
const EXAMPLE: SceneFile = {
  isochore: 1,
  gravity: [0, -9.81, 0],
  timeStep: 0.005,
  steps: 400,
  seed: 1,
  bodies: [
    {
      name: 'ball',
      mesh: { shape: 'uv-sphere', segments: 40, radius: 1 },
      position: [0, 1.05, 0],
      rotation: [0, 0, 0, 1],
      scale: 1,
      velocity: [0, 0, 0],
      spin: [0, 0, 0],
      density: 1000,
      solver: {
        type: 'surface',
        regionSize: 3,
        stiffness: 0.9,
        damping: 0.3,
        volume: { globalShare: 0.2, innerShare: 0.1, innerStiffness: [0.01, 0.1], target: 1 },
      },
      friction: 0.5,
      restitution: 0,
      selfContact: false,
      group: 1,
      collidesWith: 0xffffffff,
      deform: 'none',
    },
  ],
  colliders: [
    { name: 'floor', shape: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 },
    {
      name: 'plate',
      shape: 'box',
      size: [4, 0.2, 4],
      position: [0, 2.3, 0],
      friction: 0.5,
      motion: [
        { time: 0, position: [0, 2.3, 0] },
        { time: 1.5, position: [0, 0.8, 0] },
      ],
    },
  ],
  pins: [
    {
      body: 'ball',
      select: {
        box: [
          [-1, -1, -1],
          [1, -0.9, 1],
        ],
      },
      motion: [],
    },
  ],
};

describe('a scene file', () => {
  it('reads the example of the interface', () => {
    const scene = parseScene(JSON.stringify(EXAMPLE));
    expect(scene.bodies[0]).toEqual(EXAMPLE.bodies[0]);
    expect(scene.colliders[1].motion).toEqual(EXAMPLE.colliders?.[1].motion);
  });

  it('fills in the defaults', () => {
    const scene = checkScene({ isochore: 1, bodies: [{ mesh: 'ball.obj' }] });
    expect(scene).toEqual({
      isochore: 1,
      gravity: [0, -9.81, 0],
      timeStep: 0.005,
      steps: 400,
      seed: 1,
      colliders: [],
      pins: [],
      attachments: [],
      fields: [],
      cuts: [],
      bodies: [
        {
          mesh: 'ball.obj',
          position: [0, 0, 0],
          rotation: [0, 0, 0, 1],
          scale: 1,
          velocity: [0, 0, 0],
          spin: [0, 0, 0],
          density: 1000,
          solver: {
            type: 'surface',
            stiffness: 0.9,
            damping: 0.3,
            volume: { globalShare: 0.2, innerShare: 0.1, innerStiffness: [0.01, 0.1], target: 1 },
          },
          friction: 0.5,
          restitution: 0,
          selfContact: false,
          group: 1,
          collidesWith: 0xffffffff,
          deform: 'none',
        },
      ],
    });
  });

  it('takes a reference to its schema', () => {
    const scene = checkScene({ $schema: './scene.schema.json', isochore: 1, bodies: [] });
    expect(scene.$schema).toBe('./scene.schema.json');
  });
});

describe('the JSON Schema', () => {
  const schema = sceneJsonSchema() as Record<string, unknown>;
  const solver = (solver: object): object => ({ isochore: 1, bodies: [{ mesh: 'a.obj', solver }] });
  const documents: [string, unknown][] = [
    ['the example', EXAMPLE],
    ['the least scene', { isochore: 1, bodies: [] }],
    ['a scene with $schema', { $schema: 'x', isochore: 1, bodies: [] }],
    ['volume off', solver({ volume: false })],
    ['regionRadius', solver({ regionRadius: 0.3 })],
    ['a lattice', solver({ type: 'lattice', regionSize: 2, resolution: 16 })],
    ['a lattice without settings', solver({ type: 'lattice' })],
    ['a lattice with a region radius', solver({ type: 'lattice', regionRadius: 0.3 })],
    ['a surface with a resolution', solver({ resolution: 16 })],
    ['an unknown solver', solver({ type: 'octree' })],
    ['no version', { bodies: [] }],
    ['an unknown field', { isochore: 1, bodies: [], colour: 1 }],
    ['a region of 0', solver({ regionSize: 0 })],
    ['a region of 17', solver({ regionSize: 17 })],
    ['half a ring', solver({ regionSize: 2.5 })],
    ['both kinds of region', solver({ regionSize: 3, regionRadius: 0.3 })],
    ['volume on without settings', solver({ volume: true })],
    ['a vector of two', { isochore: 1, bodies: [], gravity: [0, 1] }],
    ['a vector of four', { isochore: 1, bodies: [], gravity: [0, 1, 2, 3] }],
    ['a scale of 0', { isochore: 1, bodies: [{ mesh: 'a.obj', scale: 0 }] }],
    ['an unknown shape', { isochore: 1, bodies: [{ mesh: { shape: 'cow' } }] }],
    ['divisions for each axis', { isochore: 1, bodies: [{ mesh: { shape: 'box', divisions: [1, 2, 3] } }] }],
    ['a path of no length', { isochore: 1, bodies: [{ mesh: '' }] }],
    ['a collider without its radius', { isochore: 1, bodies: [], colliders: [{ shape: 'sphere' }] }],
    ['an unknown start state', { isochore: 1, bodies: [{ mesh: 'a.obj', deform: 'melt' }] }],
  ];

  it.each(documents)('agrees with the reader on %s', (_, document) => {
    expect(satisfies(schema, document)).toBe(sceneSchema.safeParse(document).success);
  });

  it('sees good and bad documents', () => {
    const good = documents.filter(([, document]) => satisfies(schema, document)).length;
    expect(good).toBeGreaterThanOrEqual(5);
    expect(documents.length - good).toBeGreaterThanOrEqual(10);
  });

  it('describes every field', () => {
    const bare: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties } = node as { properties?: Record<string, { description?: string }> };
      for (const [name, property] of Object.entries(properties ?? {})) {
        if (!property.description) bare.push(`${path}.${name}`);
      }
      for (const [key, child] of Object.entries(node)) visit(child, `${path}.${key}`);
    };
    visit(schema, '');
    expect(bare).toEqual([]);
  });
});

describe('the built-in scenes', () => {
  it('carry the names of the contract', () => {
    expect(scenes.map(({ name }) => name)).toEqual([
      'squeeze',
      'twist',
      'recover',
      'cube',
      'balls-in-glass',
      'ducks-and-tori',
      'creatures',
      'stairs',
      'hand',
      'hand-stiffness',
      'cut-liver',
      'plastic-block',
      'flowers',
      ...['drop', 'press', 'sphere-stairs', 'creature-stairs', 'creature-drop', 'tori-pile', 'muscle'],
      'imprint',
      'swallow',
      'walk',
    ]);
    for (const { summary } of scenes) expect(summary).toMatch(/^[^\n]{10,100}$/);
  });

  it.each(scenes.map(({ name, make }) => [name, make] as const))('%s is a scene file', (_, make) => {
    const text = JSON.stringify(make());
    expect(parseScene(text).bodies.length).toBeGreaterThan(0);
    expect(satisfies(sceneJsonSchema() as Record<string, unknown>, JSON.parse(text))).toBe(true);
  });

  it('hold the bodies of the contract', () => {
    const bodiesOf = (wanted: string) =>
      scenes
        .find(({ name }) => name === wanted)
        ?.make()
        .bodies.map((body) => body.name);
    expect(bodiesOf('squeeze')).toEqual(['global', 'local-inner', 'local', 'none']);
    expect(bodiesOf('twist')).toEqual(['conserved', 'plain']);
    expect(bodiesOf('recover')).toEqual(['none', 'mirror', 'flatten', 'line', 'point', 'random']);
  });
});
