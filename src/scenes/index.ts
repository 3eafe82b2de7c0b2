/**
 * Scene files and built-in scenes, from text to report.
 * @module isochore/scenes
 */

export { type AnySolverMaker, BUILT_IN_POSERS, BUILT_IN_SOLVERS, poserFor } from '../solvers/built-in.js';
export { sceneAttributes } from './build-maps.js';
export { type BuildSceneOptions, type BuiltScene, buildScene, type PosedMember } from './build-scene.js';
export { type CatalogueEntry, findScene, scenes } from './catalogue.js';
export { checkScene, parseScene, type SceneOptions } from './parse-scene.js';
export { type Frame, type PlaySceneOptions, playScene } from './play-scene.js';
export { type PosedBodyFrame, type PosedFrame, type PoseFramesOptions, poseFrames } from './pose-frames.js';
export {
  type OpenCollider,
  type OpenScene,
  openPosed,
  type PosedBody,
  type PoseSceneOptions,
  poseScene,
} from './pose-scene.js';
export { type BodyReport, REPORT_STAGES, type Report, type ReportStage } from './report.js';
export { type RunSceneOptions, runScene } from './run-scene.js';
export { cutDue } from './scene-cuts.js';
export { SceneError } from './scene-errors.js';
export { type Scene, type SceneFile, sceneJsonSchema, sceneSchema } from './scene-schema.js';
export { type SettingKey, setDue } from './setting-keys.js';
export type { SceneSolver } from './solver-schema.js';
export { VERSION } from './version.js';
