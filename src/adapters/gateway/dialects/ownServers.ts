import type { ModelError } from '../../../core/model/classify.ts';
import type { ModelFailure, ModelReply } from '../../../core/model/modelClient.ts';
import type { Result } from '../../../core/result.ts';
import { inEnglish } from '../../../language/language.ts';
import type { Losses } from './translation.ts';

/** The APIs that agents speak: OpenAI's chat completions, Anthropic's Messages, OpenAI's Responses, Google's Gemini. */
export const DIALECT_NAMES = ['chat', 'messages', 'responses', 'gemini'] as const;

/** One of the APIs that agents speak. */
export type DialectName = (typeof DIALECT_NAMES)[number];

type Answered = Result<ModelReply, ModelFailure>;

/** How servers answer for an address that they do not have. LM Studio does it with status 200. */
const MISSING = new Set([404, 405, 501]);
const UNEXPECTED = /unexpected endpoint/i;

/** What is known of the servers behind a gateway. */
export interface OwnServersOptions {
  /** The user's key for a server, by the origin of its URL. */
  readonly getKey: (origin: string) => Promise<string | undefined>;
  /** The only API that they speak, where the user says so. */
  readonly stated?: DialectName | undefined;
  /** Called with a sentence for each kind of content that a translation leaves out, once each. */
  readonly onLoss?: (sentence: string) => void;
}

/** Which APIs the servers behind the gateway speak: the first request of an agent finds out. */
export class OwnServers {
  readonly #options: OwnServersOptions;
  readonly #speaks = new Map<string, boolean>();
  readonly #lost = new Set<string>();

  constructor(options: OwnServersOptions) {
    this.#options = options;
  }

  /** The user's key for a server, by the origin of its URL. */
  getKey(origin: string): Promise<string | undefined> {
    return this.#options.getKey(origin);
  }

  /** Reports what chat completions cannot express, once each. */
  readonly lose: Losses = (what) => {
    if (this.#lost.has(what)) return;
    this.#lost.add(what);
    this.#options.onLoss?.(`The model's server speaks chat completions, which have no place for ${what}: left out.`);
  };

  /** Asks in the client's API (`own`), or by translation to chat completions, which every server has. */
  async ask(
    { dialect, baseUrl }: { readonly dialect: DialectName; readonly baseUrl: string },
    own: () => Promise<Answered>,
    translated: () => Promise<Answered>,
  ): Promise<Answered> {
    const { stated } = this.#options;
    const server = `${dialect} ${baseUrl}`;
    const speaks = stated === undefined ? this.#speaks.get(server) : stated === dialect;
    if (speaks === false) return translated();
    const answered = await own();
    if (speaks === true) return answered;
    if (answered.ok || !isMissing(answered.error.error)) {
      if (answered.ok) this.#speaks.set(server, true);
      return answered;
    }
    // The model may be what is missing: only an answer shows that the address is.
    const other = await translated();
    if (other.ok) this.#speaks.set(server, false);
    return other.ok || !isMissing(other.error.error) ? other : answered;
  }
}

function isMissing({ status, evidence }: ModelError): boolean {
  return (status !== undefined && MISSING.has(status)) || UNEXPECTED.test(inEnglish(evidence));
}
