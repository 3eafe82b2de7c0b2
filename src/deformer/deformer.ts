// The deformer as the user holds it: made once for a mesh, then asked for frames, each a function of its input alone.

import { expectFinite, showInput } from '../math/expect.js';
import { expectKnownFields } from '../math/known-fields.js';
import { expectMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { expectCollider } from './collider-settings.js';
import {
  type AskedFrame,
  type BegunFrame,
  beginFrame,
  type DeformedFrame,
  type DeformerFrame,
  deformFrame,
  type MendedFrame,
} from './deform-frame.js';
import { buildBody, type DeformerBody } from './deformer-body.js';
import { InputFollower } from './follow-input.js';
import { mendFrame } from './mended-frame.js';
import {
  type DeformerFrameSettings,
  type DeformerSettings,
  deformerSettings,
  expectFrameSettings,
  FRAME_FIELDS,
} from './settings.js';

/** What was built, in numbers. */
export interface DeformerStructure {
  readonly vertices: number;
  readonly tetrahedra: number;
  readonly depth: number;
  /** Edge of the leaves at the surface [m]. */
  readonly cellSize: number;
  /** Leaves that hold two sheets of the surface, as between fingers, and move them as one: a greater depth parts them. */
  readonly gluedCells: number;
  /** Numbers in the factor of the matrix. */
  readonly factorNumbers: number;
}

/** A body that gives way to colliders, each frame by itself; made by `createDeformer`. */
export class Deformer {
  readonly settings: DeformerSettings;
  readonly structure: DeformerStructure;
  private readonly body: DeformerBody;
  private readonly follower: InputFollower;

  /** @internal */
  constructor(mesh: TriangleMesh, given: Partial<DeformerSettings>) {
    expectMesh('mesh', mesh);
    this.settings = deformerSettings(given, mesh.positions.length / 3);
    this.body = buildBody(mesh, this.settings);
    this.follower = new InputFollower(this.body);
    const { helper, frame, solver } = this.body;
    this.structure = Object.freeze({
      vertices: helper.positions.length / 3,
      tetrahedra: helper.tetrahedra.length / 4,
      depth: helper.depth,
      cellSize: helper.cellSize * frame.scale,
      gluedCells: helper.gluedCells,
      factorNumbers: solver.factor.numberCount,
    });
  }

  /** The mesh as it was bound; do not write to it. */
  get mesh(): TriangleMesh {
    return this.body.mesh;
  }

  /** A frame: the same input gives the same bits, whatever was asked before. */
  at(asked: DeformerFrame): DeformedFrame {
    return deformFrame(this.take(asked));
  }

  /** @internal A frame up to what moves the helper mesh. */
  begin(asked: DeformerFrame): BegunFrame | DeformedFrame {
    return beginFrame(this.take(asked));
  }

  private take(asked: DeformerFrame): AskedFrame {
    const isMended = asked?.mend === true && Array.isArray(asked.colliders);
    const mended: MendedFrame = isMended
      ? mendFrame(asked, this.body.mesh.positions)
      : { frame: asked, asked: asked?.colliders, flags: [] };
    const input = this.checkFrame(mended.frame);
    const settings = { ...this.settings, ...givenOf(mended.frame) };
    return { body: this.body, followed: this.follower.follow(input), input, mended, settings };
  }

  /** Throws where the frame makes no sense; returns its vertices. */
  private checkFrame(frame: DeformerFrame): Float64Array {
    expectKnownFields('at', frame, ['colliders', 'input', 'start', 'mend', ...FRAME_FIELDS]);
    if (!Array.isArray(frame.colliders)) {
      throw new RangeError(`colliders: expected a list of colliders, got ${showInput(frame.colliders)}`);
    }
    frame.colliders.forEach((collider, i) => {
      expectCollider(`colliders[${i}]`, collider, this.body.mesh.positions.length / 3);
    });
    expectFrameSettings('', givenOf(frame));
    const { mesh, helper } = this.body;
    const input = frame.input ?? mesh.positions;
    if (input.length !== mesh.positions.length) {
      throw new RangeError(`input: expected ${mesh.positions.length} numbers as in the mesh, got ${input.length}`);
    }
    expectFinite('input', input);
    if (frame.start && frame.start.helper?.length !== helper.positions.length) {
      throw new RangeError('start: expected a result of this deformer');
    }
    return Float64Array.from(input);
  }
}

const givenOf = (frame: DeformerFrame): Partial<DeformerFrameSettings> =>
  Object.fromEntries(FRAME_FIELDS.filter((f) => frame[f] !== undefined).map((f) => [f, frame[f]]));

/**
 * Builds what all frames share: the helper mesh, the pattern of its matrix, painted maps.
 * @example
 * ```ts
 * const deformer = createDeformer(icosphere({ detail: 2 }), { reach: 0.4 });
 * const { positions } = deformer.at({ colliders: [{ shape: 'sphere', radius: 0.5, position: [0, 1.2, 0] }] });
 * ```
 */
export function createDeformer(mesh: TriangleMesh, settings: Partial<DeformerSettings> = {}): Deformer {
  return new Deformer(mesh, settings);
}
