/** A provider of models, or a program that serves them on the user's own machine. */
interface Provider {
  /** Its name in profiles. */
  readonly name: string;
  /** Its name for people, if it is offered as a server to choose. */
  readonly label?: string;
  /** The default port of a local program, by its documentation. */
  readonly port?: number;
  /** Domains that belong to it, with all their subdomains. */
  readonly domains?: readonly string[];
  /** The usual address of a provider that is offered. */
  readonly baseUrl?: string;
}

/** All providers. A new one is a row here and, for its models' figures, one in `makeBuiltin.mjs`. */
const PROVIDERS: readonly Provider[] = [
  { name: 'lmstudio', label: 'LM Studio', port: 1234 },
  { name: 'ollama', label: 'Ollama', port: 11434 },
  { name: 'llamacpp', label: 'llama.cpp', port: 8080 },
  { name: 'vllm', label: 'vLLM', port: 8000 },
  { name: 'openai', label: 'OpenAI', domains: ['api.openai.com'], baseUrl: 'https://api.openai.com/v1' },
  { name: 'openrouter', label: 'OpenRouter', domains: ['openrouter.ai'], baseUrl: 'https://openrouter.ai/api/v1' },
  { name: 'anthropic', domains: ['api.anthropic.com'] },
  { name: 'google', domains: ['generativelanguage.googleapis.com'] },
  { name: 'xai', domains: ['api.x.ai'] },
  { name: 'mistral', domains: ['api.mistral.ai'] },
  { name: 'deepseek', domains: ['api.deepseek.com'] },
  { name: 'zai', domains: ['z.ai', 'bigmodel.cn'] },
  { name: 'moonshot', domains: ['moonshot.ai', 'moonshot.cn'] },
  { name: 'minimax', domains: ['minimax.io'] },
  { name: 'nvidia', domains: ['integrate.api.nvidia.com'] },
  { name: 'qwen', domains: ['aliyuncs.com'] },
  { name: 'xiaomi', domains: ['xiaomimimo.com'] },
  { name: 'groq', domains: ['api.groq.com'] },
  { name: 'cerebras', domains: ['api.cerebras.ai'] },
  { name: 'together', domains: ['together.xyz', 'together.ai'] },
  { name: 'fireworks', domains: ['api.fireworks.ai'] },
  { name: 'huggingface', domains: ['router.huggingface.co'] },
];

/** The name of an unknown provider that speaks the OpenAI API. */
export const UNKNOWN_PROVIDER = 'openai-compatible';

/** The provider of VS Code's own models. */
const EDITOR_PROVIDER = 'vscode';

/** Whether a provider is a program on the user's machine, whose window depends on how it was started. */
export function isLocalProvider(provider: string): boolean {
  return PROVIDERS.some(({ name, port }) => name === provider && port !== undefined);
}

/**
 * The provider behind a base URL: by its host or, if that is unknown, by its port (a guess, confirmed by asking the
 * server); `openai-compatible` if nothing is known or the text is not a URL.
 */
export function detectProvider(baseUrl: string | undefined): string {
  if (baseUrl === EDITOR_MODELS) return EDITOR_PROVIDER;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return UNKNOWN_PROVIDER;
  const { hostname, port } = new URL(baseUrl);
  const isOf = (domain: string): boolean => hostname === domain || hostname.endsWith(`.${domain}`);
  const byHost = PROVIDERS.find(({ domains = [] }) => domains.some(isOf));
  return (byHost ?? PROVIDERS.find((one) => String(one.port) === port))?.name ?? UNKNOWN_PROVIDER;
}

/** A server that speaks the OpenAI API, at its usual address. */
export interface KnownServer {
  readonly provider: string;
  readonly label: string;
  /** With the path of the API, e.g. `http://127.0.0.1:1234/v1`. */
  readonly baseUrl: string;
}

/** Server programs for the user's own machine. */
export const LOCAL_SERVERS: readonly KnownServer[] = PROVIDERS.flatMap(({ name, label = name, port }) =>
  port === undefined ? [] : [{ provider: name, label, baseUrl: `http://127.0.0.1:${port}/v1` }],
);

/** Hosted providers that are offered as servers to choose. */
export const HOSTED_SERVERS: readonly KnownServer[] = PROVIDERS.flatMap(({ name, label = name, baseUrl }) =>
  baseUrl === undefined ? [] : [{ provider: name, label, baseUrl }],
);

/** The key for learned windows and calibration: one model on one server, without path and credentials. */
export function profileKey(profile: {
  readonly id: string;
  readonly provider: string;
  readonly baseUrl?: string;
}): string {
  return `${originOf(profile.baseUrl ?? '') ?? profile.provider}|${profile.id}`;
}

/** Replaces a server's address for VS Code's own models, from Copilot or other vendors, named `vendor/id`. */
export const EDITOR_MODELS = 'vscode:models';

/** The name for stored keys, decisions and figures: scheme, host and port, or `EDITOR_MODELS`. */
export function originOf(baseUrl: string): string | undefined {
  if (baseUrl === EDITOR_MODELS) return EDITOR_MODELS;
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}

/** Names of query fields in which servers take keys; `code` is used by Azure Functions. */
const KEY_FIELD =
  /^(?:(?:x[-_])?(?:api|subscription|access)[-_]?key|key|(?:access[-_]?|auth[-_]?)?token|secret|sig|signature|password|code)$/i;

/** Whether an address has a user, a password, or a key in its query. It must not be stored in a file then. */
export function carriesCredentials(url: URL): boolean {
  const hasKey = [...url.searchParams.keys()].some((name) => KEY_FIELD.test(name));
  return url.username !== '' || url.password !== '' || hasKey;
}

/** The API's path in a base URL as people write it, without `/chat/completions`, trailing slashes and query. */
export function apiPath({ pathname }: URL): string {
  let end = pathname.length;
  while (pathname[end - 1] === '/') end -= 1;
  return pathname.slice(0, end).replace(/\/chat\/completions$/, '');
}
