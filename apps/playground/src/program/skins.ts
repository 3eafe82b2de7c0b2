// Bodies of files as these look: the file's own triangles follow what is simulated, with their materials.

import type { Body } from 'isochore';
import { sceneLooks } from 'isochore/bake';
import type { MeshLook } from 'isochore/mesh';
import { poserFor, type Scene } from 'isochore/scenes';
import type { SkinInfo } from '../protocol.js';
import type { OpenSource } from './open-source.js';

interface BodySkin {
  readonly body: number;
  readonly look: MeshLook;
  /** Of the look, at the body's size [m]. */
  readonly positions: Float64Array;
}

export class Skins {
  private constructor(private readonly list: readonly BodySkin[]) {}

  static async create(opened: OpenSource, scene: Scene, bodies: readonly Body[]): Promise<Skins> {
    // Posed bodies have inputs of their own that move.
    const chosen = [...bodies.keys()].filter((index) => !poserFor(scene.bodies[index].solver));
    // What cannot be shown as in its file is shown as it is simulated.
    const looks = await sceneLooks(scene, chosen, opened).catch(() => []);
    const list = looks.flatMap((look, n): BodySkin[] => {
      const body = bodies[chosen[n]];
      const { scale } = scene.bodies[chosen[n]];
      if (!look || isPlain(look, body)) return [];
      const positions = look.visible.positions.map((x) => scale * x);
      return [{ body: chosen[n], look, positions }];
    });
    return new Skins(list);
  }

  /** Those of bodies that are still of one piece; what is cut is shown as it is simulated. */
  private shown(bodies: readonly Body[]): readonly BodySkin[] {
    return this.list.filter(({ body }) => bodies[body].topologyVersion === 0);
  }

  describe(bodies: readonly Body[]): SkinInfo[] {
    return this.shown(bodies).map(({ body, look: { visible, materials }, positions }) => ({
      body,
      visible: { positions, triangles: visible.triangles, normals: visible.normals },
      uvs: visible.uvs,
      parts: visible.parts.map(({ firstTriangle, triangleCount, materialIndex }) => ({
        firstTriangle,
        triangleCount,
        material: materialIndex,
      })),
      materials,
    }));
  }
}

/** Whether a file says no more of its looks than what is simulated. */
const isPlain = ({ visible, materials }: MeshLook, body: Body): boolean =>
  materials.length === 0 && visible.positions.length === body.mesh.positions.length;
