// MuJoCo's flex: linear elements of a Saint Venant–Kirchhoff material; all nodes free, or led by the eight corners of a box.

import loadMujoco from '@mujoco/mujoco';
import { DROP, type SolidPeer, volumeOf } from '../solid-drop.js';

export interface FlexSettings {
  readonly poissonRatio: number;
  /** Time constant of contacts [s]; twice the time step is the least that it takes. */
  readonly contactTime: number;
  /** Whether a box with eight corners leads all nodes. */
  readonly isTrilinear: boolean;
}

export const mujocoFlex = (settings: FlexSettings, words: string): SolidPeer => ({
  method: 'mujoco-flex',
  settings: words,
  async build(mesh) {
    const mujoco = await loadMujoco();
    const { poissonRatio, contactTime, isTrilinear } = settings;
    const solref = `solref="${contactTime} 1"`;
    const model = mujoco.MjModel.from_xml_string(`<mujoco>
      <option timestep="${DROP.timeStep}" gravity="0 ${DROP.gravity} 0" integrator="discrete" solver="CG" tolerance="1e-6"/>
      <size memory="512M"/>
      <worldbody>
        <geom type="plane" size="0 0 1" euler="-90 0 0" friction="${DROP.friction}" ${solref}/>
        <flexcomp name="ball" type="direct" dim="3" ${isTrilinear ? 'dof="trilinear"' : ''} pos="0 ${DROP.radius} 0" radius="0.005"
          mass="${DROP.density * volumeOf(mesh.positions, mesh)}"
          point="${mesh.positions.join(' ')}" element="${mesh.tetrahedra.join(' ')}">
          <contact selfcollide="none" internal="false" ${solref}/>
          <elasticity young="${DROP.youngsModulus}" poisson="${poissonRatio}" damping="0.001"/>
        </flexcomp>
      </worldbody></mujoco>`);
    if (!model) throw new Error('the model was refused');
    const data = new mujoco.MjData(model);
    for (let k = 1; k < model.nv; k += 3) data.qvel[k] = -DROP.speed;
    mujoco.mj_forward(model, data);
    return {
      step: () => mujoco.mj_step(model, data),
      positions: () => data.flexvert_xpos as Float64Array,
      dispose() {
        data.delete();
        model.delete();
      },
    };
  },
});
