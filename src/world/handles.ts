// What users hold of a body's pins and grips: one facade for each, for as long as either lives.

import type { BackendBody } from '../backends/backend.js';

/** Whose pin or grip it is; another body where its own was separated. */
export interface Holder {
  state: BackendBody;
}

export class Handles<Inner extends object, Facade extends object> {
  private readonly known = new WeakMap<Inner, { readonly facade: Facade; readonly holder: Holder }>();
  private readonly behind = new WeakMap<Facade, Inner>();

  constructor(
    private readonly state: BackendBody,
    private readonly make: (inner: Inner, holder: Holder) => Facade,
  ) {}

  /** What users hold of it. */
  of(inner: Inner): Facade {
    return this.entry(inner).facade;
  }

  /** What is behind a facade of this body; undefined where it is of another. */
  innerOf(facade: Facade): Inner | undefined {
    return this.behind.get(facade);
  }

  private entry(inner: Inner) {
    const holder = { state: this.state };
    const entry = this.known.get(inner) ?? { facade: this.make(inner, holder), holder };
    this.keep(inner, entry);
    return entry;
  }

  private keep(inner: Inner, entry: { readonly facade: Facade; readonly holder: Holder }): void {
    this.known.set(inner, entry);
    this.behind.set(entry.facade, inner);
  }

  /** Takes one over from the body that this one was part of: users go on holding the same. */
  takeFrom(other: Handles<Inner, Facade>, inner: Inner): void {
    const entry = other.entry(inner);
    entry.holder.state = this.state;
    other.behind.delete(entry.facade);
    this.keep(inner, entry);
  }
}
