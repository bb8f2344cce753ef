/** Receives events. May throw or reject: the fanout isolates it. */
export type Sink<Event> = (event: Event) => void | Promise<void>;

/** Passes each event to each sink in order. A failing sink disturbs nobody; its first failure is reported. */
export class Fanout<Event> {
  readonly #sinks = new Set<{ readonly sink: Sink<Event>; hasFailed?: true }>();
  readonly #onFailure: (error: unknown) => void;

  /** `onFailure` must not throw. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Adds a sink; returns a function that removes it. */
  add(sink: Sink<Event>): () => void {
    const entry = { sink };
    this.#sinks.add(entry);
    return () => this.#sinks.delete(entry);
  }

  /** Passes on events. Never throws. Sinks added or removed meanwhile count from the next event on. */
  emit(...events: readonly Event[]): void {
    for (const event of events) for (const entry of [...this.#sinks]) this.#pass(event, entry);
  }

  #pass(event: Event, entry: { readonly sink: Sink<Event>; hasFailed?: true }): void {
    const fail = (error: unknown): void => {
      const isFirst = entry.hasFailed === undefined;
      entry.hasFailed = true;
      if (isFirst) this.#onFailure(error);
    };
    try {
      const done = entry.sink(event);
      if (done instanceof Promise) done.catch(fail);
    } catch (error) {
      fail(error);
    }
  }
}
