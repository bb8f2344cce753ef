import type { KarlEvent } from './event.ts';

/** Passes events to listeners. One that throws does not stop the others; its failure becomes a warning. */
export class Emitter {
  readonly #listeners = new Set<(event: KarlEvent) => void>();

  /** Adds a listener; returns a function that removes it. */
  on(listener: (event: KarlEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells every listener, one event after the other. */
  emit(...events: readonly KarlEvent[]): void {
    for (const event of events) this.#tell(event);
  }

  #tell(event: KarlEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // A listener that fails on a warning too would cause endless warnings.
        if (event.type !== 'warning') this.emit({ type: 'warning', message: `a listener failed: ${String(error)}` });
      }
    }
  }
}
