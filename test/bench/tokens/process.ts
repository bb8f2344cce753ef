import { type ChildProcess, fork } from 'node:child_process';
import type { ChildReply, CountRequest } from './child.ts';

/** Where the engine's `countTokens`, bundled, and its ranks are. */
export interface KarlFiles {
  readonly bundle: string;
  readonly ranksFile: string;
}

/** A contender's process. */
export class ContenderProcess {
  readonly #child: ChildProcess;
  readonly loaded: Promise<Extract<ChildReply, { kind: 'loaded' }>>;

  constructor(name: string, { bundle }: KarlFiles) {
    this.#child = fork(new URL('./child.ts', import.meta.url), [name], {
      env: { ...process.env, KARL_BUNDLE: bundle },
    });
    this.loaded = this.#next('loaded', 60_000).then((reply) => {
      if (reply === undefined) throw new Error(`${name} did not load`);
      return reply;
    });
  }

  /**
   * Counts a text for `forMs` and gives the milliseconds of one call; `undefined` when it takes longer than the limit of
   * elapsed time (then the process is ended).
   */
  async count(file: string, forMs: number, limitMs: number): Promise<{ ms: number; tokens: number } | undefined> {
    const request: CountRequest = { file, forMs };
    this.#child.send(request);
    return this.#next('counted', limitMs);
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  #next<Kind extends ChildReply['kind']>(
    kind: Kind,
    limitMs: number,
  ): Promise<Extract<ChildReply, { kind: Kind }> | undefined> {
    return new Promise((resolve) => {
      const end = (reply?: Extract<ChildReply, { kind: Kind }>): void => {
        clearTimeout(timer);
        this.#child.off('message', take);
        this.#child.off('exit', lose);
        resolve(reply);
      };
      const take = (reply: ChildReply): void => {
        if (reply.kind === kind) end(reply as Extract<ChildReply, { kind: Kind }>);
      };
      const lose = (): void => end();
      const timer = setTimeout(() => {
        this.stop();
        end();
      }, limitMs);
      this.#child.on('message', take);
      this.#child.on('exit', lose);
    });
  }
}
