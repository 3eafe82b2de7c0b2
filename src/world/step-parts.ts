// One step of all that a world keeps, and what is left to do once a backend that lags behind has been waited for.

import { type Profile, STAGES } from '../backends/backend.js';
import { adaptBodies } from './adapt-bodies.js';
import type { ForceField } from './force-field.js';
import type { WorldParts } from './world-parts.js';

/** A step; `took` is how long the one before was [ms]. Returns what the stages of this one took. */
export function stepParts(parts: WorldParts, fields: readonly ForceField[], took: number): Profile {
  const { backend, pipeline, gravity, timeStep, clock, bonds, splits, levels, log, bodies, colliders: all } = parts;
  clock.interpolable = false;
  splits.begin();
  adaptBodies(parts);
  const time = clock.steps * timeStep;
  const end = time + timeStep;
  levels.update(parts, { time, took });
  const sensors = all.inner.filter(({ sensor }) => sensor);
  const colliders = sensors.length > 0 ? all.inner.filter(({ sensor }) => !sensor) : all.inner;
  for (const { follower } of all.inner) follower.begin(time, end);
  for (const sensor of sensors) sensor.moveThrough(time, end);
  for (const body of bodies.inner) body.beginStep(time, end);
  for (const bond of bonds.list) bond.beginStep();
  const profile = pipeline.step({ gravity, time, timeStep, colliders, joints: bonds.joints, fields });
  clock.steps++;
  for (const { follower } of all.inner) follower.finish();
  for (const body of bodies.inner) body.endStep();
  if (!backend.isBehind) {
    log.update(bodies, all, sensors);
    for (const bond of bonds.list) bond.endStep();
  }
  return profile;
}

/** What the steps enqueued before a sync left to its end. Returns what the stages took, as far as that is known only now. */
export function finishSync({ backend, pipeline, bonds, log, bodies, colliders }: WorldParts, known: Profile): Profile {
  pipeline.finish();
  for (const body of bodies.inner) body.synced();
  log.update(
    bodies,
    colliders,
    colliders.inner.filter(({ sensor }) => sensor),
  );
  for (const bond of bonds.list) bond.endStep();
  const profile = { ...known, ...backend.stageTimes };
  return { ...profile, total: STAGES.reduce((sum, stage) => sum + profile[stage], profile.host) };
}
