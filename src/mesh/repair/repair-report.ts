// What was done to a mesh to make it simulatable, and why a mesh was refused.

/** What was done, in the order in which it is. */
export type RepairCode =
  | 'dropped-broken'
  | 'dropped-loose'
  | 'merged-vertices'
  | 'dropped-duplicates'
  | 'dropped-walls'
  | 'mended-flat'
  | 'separated-faults'
  | 'turned-triangles'
  | 'dropped-enclosed'
  | 'filled-holes'
  | 'split-bodies'
  | 'simplified'
  | 'refined'
  | 'covered-rims'
  | 'covered-faults'
  | 'covered-sheets'
  | 'united-parts'
  | 'built-cage'
  | 'thickened-parts'
  | 'joined-parts'
  | 'dropped-specks'
  | 'lost-parts';

/** Something that was done to a mesh, in words and as a code. */
export interface RepairStep {
  readonly code: RepairCode;
  readonly count: number;
  /** One line with the count. */
  readonly message: string;
  /** The body that it was done to, where there are several. */
  readonly body?: number;
}

/** Why a mesh cannot be made into a body. */
export type RepairReason = 'empty' | 'no-area' | 'parts-apart' | 'many-parts' | 'no-cage';

/** No body can be made of a mesh; `reason` says why. */
export class RepairError extends Error {
  override readonly name = 'RepairError';

  constructor(
    readonly reason: RepairReason,
    message: string,
  ) {
    super(message);
  }
}

export class RepairLog {
  readonly steps: RepairStep[] = [];
  /** Given to the steps from here on. */
  body?: number;

  /** Notes a step that did something; `one` and `many` follow the count. */
  add(code: RepairCode, count: number, one: string, many: string): void {
    if (count <= 0) return;
    const message = `${count} ${count === 1 ? one : many}`;
    this.steps.push(this.body === undefined ? { code, count, message } : { code, count, message, body: this.body });
  }
}
