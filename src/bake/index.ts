/**
 * Scenes at a frame rate, written for Blender, game engines and the web.
 * @module isochore/bake
 */

export { type BakedStep, type BakeFramesOptions, type BodyFrame, bakeFrames } from './bake-frames.js';
export { type BakePosesOptions, bakePoses } from './bake-poses.js';
export { type BakeSceneOptions, bakeScene } from './bake-scene.js';
export type { BakedScene, ObstacleTrack, OutputFile, Track } from './baked-scene.js';
export { type LookSource, plainLook, sceneLooks, showLook } from './body-look.js';
export { type CutLook, showCut } from './cut-drawn.js';
export type { DrawnMesh } from './drawn-mesh.js';
export { BAKED_FORMATS, bakedFiles } from './formats.js';
export { type GlbOptions, writeGlb } from './glb.js';
