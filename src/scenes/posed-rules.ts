// What goes together in a scene and what does not, where bodies are posed: what moves a body is either a simulation or its input.

import type { z } from 'zod';
import { BUILT_IN_POSERS, poserFor } from '../solvers/built-in.js';

interface CheckedBody {
  readonly name?: string;
  readonly solver: { readonly type: string };
  readonly input?: unknown;
  readonly posing?: { readonly yieldsTo: readonly string[] };
  readonly press?: unknown;
  readonly maps?: object;
  readonly repair?: boolean;
  readonly deform: string;
}

interface CheckedScene {
  readonly bodies: readonly CheckedBody[];
  readonly colliders: readonly { readonly follow?: { readonly body?: string } }[];
  readonly pins: readonly { readonly body: string }[];
  readonly attachments: readonly { readonly body: string }[];
}

const POSED = BUILT_IN_POSERS.map(({ type }) => `"${type}"`).join(' or ');

export function checkPosed(scene: CheckedScene, context: z.RefinementCtx): void {
  const fault = (path: (string | number)[], message: string, got?: string): void => {
    context.addIssue({ code: 'custom', path, message, ...(got && { params: { got } }) });
  };
  const posed = new Set<string>();
  scene.bodies.forEach((body, index) => {
    const poser = poserFor(body.solver);
    const place = ['bodies', index];
    if (poser) {
      posed.add(body.name ?? `body${index}`);
      if (body.repair === true)
        fault([...place, 'repair'], 'false for a posed body, whose vertices are those of its input');
      if (body.deform !== 'none') fault([...place, 'deform'], '"none" for a posed body');
      const before = [...posed].slice(0, -1);
      body.posing?.yieldsTo.forEach((name, k) => {
        if (before.includes(name)) return;
        const known = before.length > 0 ? `(${before.join(', ')})` : 'and there is none';
        fault([...place, 'posing', 'yieldsTo', k], `the name of a posed body before this one ${known}`);
      });
      return;
    }
    for (const field of ['input', 'posing', 'press'] as const) {
      if (body[field] !== undefined)
        fault([...place, field], `nothing, as only bodies of the solver ${POSED} have one`);
    }
    for (const { maps } of BUILT_IN_POSERS) {
      for (const map of Object.keys(maps)) {
        if (Object.hasOwn(body.maps ?? {}, map) && (body.maps as Record<string, unknown>)[map] !== undefined)
          fault([...place, 'maps', map], `nothing, as only bodies of the solver ${POSED} have it`);
      }
    }
  });
  for (const list of ['pins', 'attachments'] as const) {
    scene[list].forEach(({ body }, index) => {
      if (posed.has(body)) fault([list, index, 'body'], 'the name of a body that is not posed');
    });
  }
  scene.colliders.forEach(({ follow }, index) => {
    const body = follow?.body;
    if (body === undefined || posed.has(body)) return;
    const known =
      posed.size > 0 ? `the name of a posed body (${[...posed].join(', ')})` : 'a file, as no body is posed';
    fault(['colliders', index, 'follow', 'body'], known);
  });
}
