/** Receives events. May throw or reject: the fanout isolates it. */
export type Sink<Event> = (event: Event) => void | Promise<void>;

/** A sink that failed. Reported once, and again only after the sink has worked in between. */
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

  /** `onFailure` must not throw. */
  constructor(onFailure: (failure: SinkFailure) => void) {
    this.#onFailure = onFailure;
  }

  /** Adds a sink; returns a function that removes it. */
  add(name: string, sink: Sink<Event>): () => void {
    const entry = { name, sink, failing: false };
    this.#sinks.add(entry);
    return () => this.#sinks.delete(entry);
  }

  /** Passes on events. Never throws. Sinks added or removed meanwhile count from the next event on. */
  emit(...events: readonly Event[]): void {
    for (const event of events) this.#emitOne(event);
  }

  #emitOne(event: Event): void {
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
