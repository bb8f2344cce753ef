import type { KarlEvent } from './event.ts';

/** Receives events. May throw or reject: the fanout isolates it. */
export type Sink<Event> = (event: Event) => void | Promise<void>;

/** A sink that failed. It is reported once; its next failure is reported only after it has worked again. */
export interface SinkFailure {
  readonly sink: string;
  readonly error: unknown;
}

/**
 * Passes every event to every sink, in the order in which the sinks were added. A failing sink disturbs neither the
 * others nor the caller, and causes exactly one warning until it has recovered.
 */
export class Fanout<Event> {
  readonly #sinks = new Set<{ readonly name: string; readonly sink: Sink<Event>; failing: boolean }>();
  readonly #onFailure: (failure: SinkFailure) => void;

  /** `onFailure` must not throw: nobody is left to report that to. */
  constructor(onFailure: (failure: SinkFailure) => void) {
    this.#onFailure = onFailure;
  }

  /** Adds a sink; call the result to remove it. */
  add(name: string, sink: Sink<Event>): () => void {
    const entry = { name, sink, failing: false };
    this.#sinks.add(entry);
    return () => this.#sinks.delete(entry);
  }

  /** Passes on one event. Never throws. Sinks added or removed meanwhile count from the next event on. */
  emit(event: Event): void {
    for (const entry of [...this.#sinks]) {
      const fail = (error: unknown): void => {
        if (entry.failing) return;
        entry.failing = true;
        this.#onFailure({ sink: entry.name, error });
      };
      try {
        const done = entry.sink(event);
        if (done instanceof Promise) {
          done.then(() => {
            entry.failing = false;
          }, fail);
        } else {
          entry.failing = false;
        }
      } catch (error) {
        fail(error);
      }
    }
  }

  dispose(): void {
    this.#sinks.clear();
  }
}

/** Passes events to listeners. One that throws does not stop the others; its failure becomes a warning. */
export class Emitter {
  readonly #listeners = new Set<(event: KarlEvent) => void>();

  /** Adds a listener; returns a function that removes it. */
  on(listener: (event: KarlEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...events: readonly KarlEvent[]): void {
    for (const event of events)
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
