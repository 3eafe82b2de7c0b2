// What a body is to be cut along before its next step, and the stroke that goes through it: kept as the numbers that patches are made
// of, so that a snapshot between asking for a cut and the step that makes it holds it.

import type { StateTree } from '../../math/state-tree.js';
import { cosine, sine } from '../../math/trigonometry.js';
import { cross, type Vec3 } from '../../math/vec3.js';
import type { Blade, SolidModule } from '../blade.js';
import type { Pending } from '../model.js';
import type { BodyBlade } from './cut-body.js';
import { createPatch } from './patch.js';
import { chartSheet, sweepSheet } from './sheet.js';
import { createSheetPatch } from './sheet-patch.js';
import { OctreeStroke, rowsOf, type StrokeRecord } from './stroke.js';

/** A regular polygon of twelve corners, counter-clockwise. */
const DOMAIN = Array.from({ length: 12 }, (_, n) => [cosine((n * Math.PI) / 6), sine((n * Math.PI) / 6)]).flat();

/** Along what a body is cut, as numbers. */
type CutForm =
  /** Point, normal, and how far from the point. */
  | { readonly kind: 'plane'; readonly numbers: Float64Array }
  /** Rows of so many points. */
  | { readonly kind: 'rows'; readonly numbers: Float64Array; readonly across: number }
  | { readonly kind: 'triangles'; readonly numbers: Float64Array; readonly triangles: Uint32Array };

type CutRecord = { readonly form: CutForm; readonly isAtRest: boolean; readonly hasFallback: boolean };

type PendingRecord = { readonly cuts: readonly CutRecord[]; readonly stroke: StrokeRecord | null };

interface PendingCut extends BodyBlade {
  readonly form: CutForm;
}

export class PendingCuts implements Pending {
  private cuts: PendingCut[] = [];
  stroke: OctreeStroke | undefined;
  /** Functions are in no snapshot: cuts of one that had a fallback have the last that was passed in. */
  private fallback: SolidModule | undefined;

  /** @param voxel side of a voxel [m]. */
  constructor(private readonly voxel: number) {}

  /** @param size of the body [m]: it is no further from any point of a cut than that. */
  add(blade: Blade, size: number): void {
    this.push(formOf(blade, 4 * size), false, blade.fallback);
  }

  /** The stroke has ended: the body is to be cut, at rest, along all that it swept. */
  endStroke(): void {
    const { stroke } = this;
    this.stroke = undefined;
    for (const rows of stroke?.finish() ?? []) this.push(formOfRows(rows), true, stroke?.fallback);
  }

  private push(form: CutForm, isAtRest: boolean, fallback: SolidModule | undefined): void {
    this.cuts.push({ patch: patchOf(form), form, isAtRest, fallback });
    this.keepFallback(fallback);
  }

  private keepFallback(fallback: SolidModule | undefined): void {
    this.fallback = fallback ?? this.fallback;
  }

  begin(across: number, fallback?: SolidModule): OctreeStroke {
    const { stroke } = this;
    if (stroke?.isHeld) throw new RangeError('beginCut: expected one stroke at a time, and a step after its end');
    this.keepFallback(fallback);
    this.stroke = stroke ?? new OctreeStroke(across, this.voxel, fallback);
    this.stroke.isHeld = true;
    return this.stroke;
  }

  /** The next cut, which is no longer pending. */
  next(): BodyBlade | undefined {
    return this.cuts.shift();
  }

  /** Null where there is nothing. */
  record(): StateTree {
    const { cuts, stroke } = this;
    if (cuts.length === 0 && !stroke) return null;
    const record: PendingRecord = {
      cuts: cuts.map(({ form, isAtRest = false, fallback }) => ({
        form,
        isAtRest,
        hasFallback: fallback !== undefined,
      })),
      stroke: stroke?.record() ?? null,
    };
    return record as unknown as StateTree;
  }

  read(state: StateTree): () => void {
    if (state === null) {
      return () => {
        this.cuts = [];
        this.drop();
      };
    }
    const { cuts, stroke } = state as unknown as PendingRecord;
    if (!Array.isArray(cuts) || stroke === undefined) throw refuse();
    const { fallback } = this;
    const made = cuts.map((cut): PendingCut => {
      const form = expectForm(cut?.form);
      return {
        form,
        patch: patchOf(form),
        isAtRest: cut.isAtRest === true,
        fallback: cut.hasFallback ? fallback : undefined,
      };
    });
    const revived =
      stroke === null ? undefined : (this.stroke ?? new OctreeStroke(stroke.across, this.voxel, fallback));
    const goOn = stroke === null ? undefined : revived?.read(stroke);
    return () => {
      this.cuts = made;
      if (!revived) this.drop();
      goOn?.();
      this.stroke = revived;
    };
  }

  private drop(): void {
    this.stroke?.end();
    this.stroke = undefined;
  }
}

function formOf(blade: Blade, far: number): CutForm {
  if (blade.kind === 'plane') {
    const numbers = Float64Array.of(...blade.point, ...blade.normal, Math.min(blade.within, far));
    return { kind: 'plane', numbers };
  }
  if (blade.kind === 'patch') return { kind: 'triangles', numbers: blade.positions, triangles: blade.triangles };
  return formOfRows(blade.tips.map((tip, n) => [tip, blade.ends[n]]));
}

const formOfRows = (rows: readonly (readonly Vec3[])[]): CutForm => ({
  kind: 'rows',
  numbers: Float64Array.from(rows.flat(2)),
  across: rows[0].length,
});

function patchOf(form: CutForm) {
  const { numbers } = form;
  if (form.kind === 'rows') return createSheetPatch(sweepSheet(rowsOf(numbers, form.across)));
  if (form.kind === 'triangles') return createSheetPatch(chartSheet(numbers, form.triangles));
  const [x, y, z, nx, ny, nz, far] = numbers;
  const normal: Vec3 = [nx, ny, nz];
  const across = cross(normal, Math.abs(nx) > 0.7 ? [0, 1, 0] : [1, 0, 0]);
  return createPatch(
    [x, y, z],
    normal,
    cross(across, normal),
    DOMAIN.map((share) => far * share),
  );
}

const refuse = () => new RangeError('snapshot: expected cuts that its body can have');

const areFinite = (numbers: unknown): numbers is Float64Array =>
  numbers instanceof Float64Array && numbers.every(Number.isFinite);

function expectForm(form: CutForm | undefined): CutForm {
  if (!form || !areFinite(form.numbers)) throw refuse();
  const { numbers, kind } = form;
  if (kind === 'plane') {
    const isPlane = numbers.length === 7 && numbers.subarray(3, 6).some((x) => x !== 0) && numbers[6] > 0;
    if (!isPlane) throw refuse();
  } else if (kind === 'rows') {
    const { across } = form;
    const isGrid = Number.isInteger(across) && across >= 2 && numbers.length % (3 * across) === 0;
    if (!isGrid || numbers.length < 6 * across) throw refuse();
  } else {
    const { triangles } = form;
    const isMesh = kind === 'triangles' && triangles instanceof Uint32Array && triangles.length % 3 === 0;
    const fits = isMesh && triangles.length > 0 && triangles.every((vertex) => 3 * vertex + 2 < numbers.length);
    if (!fits || numbers.length % 3 !== 0) throw refuse();
  }
  return form;
}
