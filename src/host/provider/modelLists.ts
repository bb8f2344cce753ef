import { ok, type Result } from '../../core/result.ts';
import { isLocal } from '../servers/secrets.ts';
import type { ModelServer } from './modelServer.ts';

/** How lists are obtained, and what a failure leads to. */
export interface ModelListsOptions {
  /** The names of a server's models; the error is one sentence. Never rejects. */
  readonly ask: (server: ModelServer) => Promise<Result<readonly string[], string>>;
  /** Time to ask for the models again: a server that did not answer may be running by now. */
  readonly onAskAgain: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls after this many milliseconds; returns what prevents it. */
  readonly later: (ms: number, call: () => void) => () => void;
}

/** VS Code asks for the models many times when its window opens: an answer holds this long, milliseconds. */
const AGE = 10_000;

/**
 * After how long a server that did not answer is asked again, milliseconds; twice as long each time, up to the longest.
 */
const FIRST_WAIT = 15_000;
const LONGEST_WAIT = 300_000;

/** The models of servers. A server on this machine that is started after VS Code is found without anyone asking. */
export class ModelLists {
  readonly #options: ModelListsOptions;
  readonly #lists = new Map<
    string,
    { readonly at: number; readonly listed: Promise<Result<readonly string[], string>> }
  >();
  #wait = FIRST_WAIT;
  #cancel: (() => void) | undefined;
  #isDisposed = false;

  constructor(options: ModelListsOptions) {
    this.#options = options;
  }

  /** The names of a server's models, as it gave them within the last `AGE` or gives them now. */
  list(server: ModelServer): Promise<Result<readonly string[], string>> {
    const now = this.#options.now();
    const name = JSON.stringify(server);
    const known = this.#lists.get(name);
    if (known !== undefined && known.at > now - AGE) return known.listed;
    const listed = this.#ask(server);
    this.#lists.set(name, { at: now, listed });
    return listed;
  }

  /** Takes what a server has just answered to somebody else. */
  know(server: ModelServer, models: readonly string[]): void {
    this.#lists.set(JSON.stringify(server), { at: this.#options.now(), listed: Promise.resolve(ok(models)) });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
  }

  async #ask(server: ModelServer): Promise<Result<readonly string[], string>> {
    const listed = await this.#options.ask(server);
    if (listed.ok) this.#wait = FIRST_WAIT;
    else if (isLocal(server.baseUrl)) this.#askAgain();
    return listed;
  }

  #askAgain(): void {
    if (this.#cancel !== undefined || this.#isDisposed) return;
    this.#cancel = this.#options.later(this.#wait, () => {
      this.#cancel = undefined;
      this.#options.onAskAgain();
    });
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }
}
