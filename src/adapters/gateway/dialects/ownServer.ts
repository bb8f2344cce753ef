import type { ModelError } from '../../../core/model/classify.ts';
import type { Result } from '../../../core/result.ts';
import type { ModelFailure, ModelReply } from '../../../core/session/modelClient.ts';
import type { DialectName } from './dialect.ts';

type Answered = Result<ModelReply, ModelFailure>;

/** What a server answers that has no such address. LM Studio says so with status 200. */
const MISSING = new Set([404, 405, 501]);
const UNEXPECTED = /unexpected endpoint/i;

/** Which APIs the servers behind the gateway speak: the first request of an agent finds out. */
export class OwnServers {
  /** The user's key for a server, by the origin of its URL. */
  readonly getKey: (origin: string) => Promise<string | undefined>;
  /** The only API that they speak, where the user says so. */
  readonly #stated: DialectName | undefined;
  readonly #speaks = new Map<string, boolean>();

  constructor(getKey: (origin: string) => Promise<string | undefined>, stated?: DialectName) {
    this.getKey = getKey;
    this.#stated = stated;
  }

  /**
   * Asks a server in the API of the client (`own`), or by translation where it does not have that: chat completions are
   * what every server has.
   */
  async ask(
    { dialect, baseUrl }: { readonly dialect: DialectName; readonly baseUrl: string },
    own: () => Promise<Answered>,
    translated: () => Promise<Answered>,
  ): Promise<Answered> {
    const server = `${dialect} ${baseUrl}`;
    const speaks = this.#stated === undefined ? this.#speaks.get(server) : this.#stated === dialect;
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
  return (status !== undefined && MISSING.has(status)) || UNEXPECTED.test(evidence);
}
