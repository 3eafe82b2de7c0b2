// Who wants to know of the contacts of a thing.

/** A contact as far as it concerns who listens. */
interface Touching<Thing> {
  readonly body: Thing;
  readonly other: Thing;
}

export class ContactListeners<Thing extends object, Event extends Touching<Thing>> {
  private readonly callbacks = new Map<Thing, Set<(event: Event) => void>>();

  /** Things that are listened to. */
  get size(): number {
    return this.callbacks.size;
  }

  /** Calls back with the contacts of a thing; what it returns ends it. */
  add(thing: Thing, callback: (event: Event) => void): () => void {
    const those = this.callbacks.get(thing) ?? new Set();
    this.callbacks.set(thing, those.add(callback));
    return () => {
      those.delete(callback);
      if (those.size === 0 && this.callbacks.get(thing) === those) this.callbacks.delete(thing);
    };
  }

  drop(thing: Thing): void {
    this.callbacks.delete(thing);
  }

  clear(): void {
    this.callbacks.clear();
  }

  /** Tells of events. Who is called may add, remove and stop listening. */
  dispatch(events: readonly Event[]): void {
    for (const event of events)
      for (const thing of [event.body, event.other])
        for (const callback of [...(this.callbacks.get(thing) ?? [])]) callback(event);
  }
}
