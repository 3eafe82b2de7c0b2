// Runs a built-in scene in a page, when it is called; the outcome is the report's hash.

import { checkScene, findScene, runScene } from 'isochore/scenes';

globalThis.sceneHash = async (name, steps, threads) => {
  const scene = { ...checkScene(findScene(name).make()), steps };
  return (await runScene(scene, { backend: 'wasm', threads })).hash;
};
