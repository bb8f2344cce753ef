import { setTimeout } from 'node:timers/promises';
import {
  DIALECT_NAMES,
  type DialectName,
  OwnServers,
  type OwnServersOptions,
} from '../adapters/gateway/dialects/ownServers.ts';
import { Gateway, type GatewayOptions } from '../adapters/gateway/gateway.ts';
import { NODE_PORTS } from '../adapters/node/slices.ts';
import { OpenAIModelClient } from '../adapters/openai/client.ts';
import { parseEndpoint } from '../adapters/servers/endpoint.ts';
import { askForModels } from '../adapters/servers/models.ts';
import { discoverWindow } from '../adapters/servers/window.ts';
import { Conversation } from '../core/conversation/conversation.ts';
import type { LearnedWindow } from '../core/model/budget.ts';
import type { ModelError } from '../core/model/classify.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import type { ProfileLayer } from '../core/model/profileFile.ts';
import { resolveProfile } from '../core/model/resolve.ts';
import { type HeardWindow, hearWindow, readTypedWindow } from '../core/model/windows.ts';
import type { Words } from '../core/phrase.ts';
import { err, ok, type Result } from '../core/result.ts';
import { Relay } from '../core/session/relay/relay.ts';
import type { ProfileChange } from '../core/session/takeProfile.ts';
import type { ThreadOpening } from '../core/session/threads/match.ts';
import type { ThreadStore } from '../core/session/threads/threadStore.ts';
import { Threads } from '../core/session/threads/threads.ts';
import type { Clock } from '../core/session/turnContext.ts';
import { inEnglish } from '../language/language.ts';
import { counterFor } from './counters.ts';

/** The server behind the gateway, and what is known about it. */
export interface UpstreamOptions {
  /** Base URL of an OpenAI-compatible server, checked. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** The context window that the user states for its models. Tokens. */
  readonly window?: number | undefined;
  /** The user's own model profiles. */
  readonly layers: readonly ProfileLayer[];
  /** Keeps conversations; absent: they are kept in memory only. */
  readonly store?: ThreadStore | undefined;
  /** Called with a warning for the user: something could not be kept, or the server refused a request for good. */
  readonly onProblem?: (message: Words) => void;
  /** Default: this machine's clock. */
  readonly clock?: Clock;
}

/** The options of a gateway in front of the server. */
type GatewayStart = Omit<GatewayOptions, 'relay' | 'listModels' | 'servers'> &
  Pick<OwnServersOptions, 'stated' | 'onLoss'>;

/** How long a model's first request waits for the server to state its window. Milliseconds. */
const WINDOW_TIMEOUT_MS = 3_000;

/**
 * A server that did not state a model's window is asked again after this time, when the model may be loaded.
 * Milliseconds.
 */
const WINDOW_AGE_MS = 60_000;

/** The most models about which something is remembered, since a client may name any number. */
const MOST_MODELS = 200;

/** The most conversations in memory, thus of agents at work. A large one takes some 10 MB. */
const MOST_OPEN = 32;

const CLOCK: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
};

/** What is known about a model. */
interface KnownModel {
  readonly change: ProfileChange;
  asked?: { readonly at: number; readonly window: Promise<LearnedWindow | undefined> };
  heard?: HeardWindow;
  /** The user was told that its window is unknown. */
  isTold?: true;
}

/**
 * Everything behind a gateway without an editor: the relay with its threads in memory, and the server's list of models.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  /** By name, the last used one at the end. */
  readonly #models = new Map<string, KnownModel>();
  readonly #accepted = new Map<string, number>();
  /** To be saved before the process ends. */
  readonly threads: Threads;
  readonly relay: Relay;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const { store, onProblem = () => undefined, clock = CLOCK } = options;
    this.threads = new Threads({
      newId: NODE_PORTS.newId,
      now: NODE_PORTS.now,
      open: (opening) => this.#open(opening),
      slicing: NODE_PORTS,
      onProblem,
      mostOpen: MOST_OPEN,
      store,
    });
    this.relay = new Relay({
      client: new OpenAIModelClient({ getKey: this.getKey }),
      clock,
      findModel: async (name) => this.#findModel(name).change,
      threads: this.threads,
      onEvent: (_, event) => {
        if (event.type === 'warning') onProblem(event.message);
        // What agents say about an error may mislead: Claude Code asks its user to log in.
        if (event.type === 'model-error' && isRefusal(event.error))
          onProblem(`the model's server refused a request: ${inEnglish(event.error.evidence)}`);
      },
    });
  }

  async #open({ profile, tools, restore }: ThreadOpening): Promise<Conversation> {
    const conversation = await Conversation.open({
      profile,
      tools,
      counter: counterFor(profile.encoding ?? 'o200k_base'),
      ports: NODE_PORTS,
      acceptedSizes: this.#accepted,
      restore,
    });
    conversation.on((event) => {
      if (event.type === 'warning') this.#options.onProblem?.(event.message);
      if (event.type !== 'window-learned' || event.window.source !== 'error') return;
      const model = this.#findModel(event.model);
      model.heard = hearWindow(model.heard, event.window);
    });
    return conversation;
  }

  /** Starts a gateway in front of the server. The error is one sentence. */
  startGateway({ stated, onLoss = () => undefined, ...options }: GatewayStart): Promise<Result<Gateway, Words>> {
    return Gateway.start({
      relay: this.relay,
      listModels: (signal) => this.listModels(signal),
      servers: new OwnServers({ getKey: this.getKey, stated, onLoss }),
      ...options,
    });
  }

  /** The list of models as the server gives it. */
  listModels(signal: AbortSignal): Promise<Result<unknown, string>> {
    return askForModels({ baseUrl: this.#options.baseUrl, getKey: this.getKey, signal });
  }

  #findModel(name: string): KnownModel {
    const model = this.#models.get(name) ?? this.#makeModel(name);
    this.#models.delete(name);
    this.#models.set(name, model);
    for (const oldest of this.#models.keys()) if (this.#models.size > MOST_MODELS) this.#models.delete(oldest);
    return model;
  }

  #makeModel(name: string): KnownModel {
    const { baseUrl, layers } = this.#options;
    const { profile } = resolveProfile({ model: name, baseUrl }, layers);
    const findWindow = (): Promise<LearnedWindow | undefined> => this.#findWindow(model, profile);
    const model: KnownModel = { change: { profile: { ...profile, baseUrl }, change: {}, findWindow } };
    return model;
  }

  /**
   * The window that two errors agree on, or that the server states. Asks the server once, and from time to time again
   * until it states one.
   */
  async #findWindow(model: KnownModel, profile: ModelProfile): Promise<LearnedWindow | undefined> {
    const { id, provider, contextWindow } = profile;
    const { baseUrl, window: set, onProblem } = this.#options;
    if (set !== undefined) return { tokens: set, source: 'setting' };
    const { asked, heard } = model;
    if (heard?.agreed === true) return heard.window;
    const isOld = (asked?.at ?? 0) <= Date.now() - WINDOW_AGE_MS;
    if (isOld && (await asked?.window) === undefined) {
      const signal = AbortSignal.timeout(WINDOW_TIMEOUT_MS);
      const asking = discoverWindow({ baseUrl, model: id, provider, getKey: this.getKey, signal });
      model.asked = { at: Date.now(), window: asking.then(({ window }) => window) };
    }
    const window = await model.asked?.window;
    if (window === undefined && contextWindow === undefined && model.isTold === undefined) {
      model.isTold = true;
      onProblem?.(
        `the context window of ${JSON.stringify(id.slice(0, 100))} is unknown: its requests go out whole until the server refuses one. --window N sets it.`,
      );
    }
    return window;
  }

  /** The user's key, for the upstream alone. */
  readonly getKey = async (origin: string): Promise<string | undefined> =>
    origin === new URL(this.#options.baseUrl).origin ? this.#options.key : undefined;
}

/** An error that neither a shorter request nor another try cures. */
function isRefusal({ kind, retryable }: ModelError): boolean {
  return !retryable && kind !== 'cancelled' && kind !== 'overflow' && kind !== 'output-limit';
}

/** The command-line options that name the server behind a gateway. */
export const SERVER_OPTIONS = {
  upstream: { type: 'string' },
  dialect: { type: 'string' },
  window: { type: 'string' },
} as const;

/** Reads these options and checks the address. The error begins with the option's name. */
export function readServerOptions(values: {
  readonly upstream?: string | undefined;
  readonly dialect?: string | undefined;
  readonly window?: string | undefined;
}): Result<{ readonly dialect: DialectName | undefined; readonly window: number | undefined }, string> {
  if (values.upstream !== undefined && !parseEndpoint(values.upstream).ok)
    return err('--upstream is not the base URL of a server, such as http://127.0.0.1:1234/v1.');
  const dialect = DIALECT_NAMES.find((name) => name === values.dialect);
  if (values.dialect !== undefined && dialect === undefined)
    return err(`--dialect must be one of ${DIALECT_NAMES.join(', ')}, not ${JSON.stringify(values.dialect)}.`);
  const window = readTypedWindow(values.window ?? '');
  return window.ok ? ok({ dialect, window: window.value }) : err(`--window: ${inEnglish(window.error)}`);
}
