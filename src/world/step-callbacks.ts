// What is called with each step.

export class StepCallbacks {
  private readonly list = new Set<() => void>();

  /** What it returns ends it. */
  add(callback: () => void): () => void {
    this.list.add(callback);
    return () => void this.list.delete(callback);
  }

  /** Those that there are now: they may end each other, and begin others. */
  call(): void {
    if (this.list.size > 0) for (const callback of [...this.list]) callback();
  }

  clear(): void {
    this.list.clear();
  }
}
