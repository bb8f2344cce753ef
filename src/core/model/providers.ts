/**
 * Server programs that run on users' machines: their window depends on how they were started, not only on the model.
 */
export const LOCAL_PROVIDERS = ['lmstudio', 'ollama', 'vllm', 'llamacpp'] as const;
export type LocalProvider = (typeof LOCAL_PROVIDERS)[number];

/** Whether a provider is a server program of `LOCAL_PROVIDERS`. */
export function isLocalProvider(provider: string): provider is LocalProvider {
  return LOCAL_PROVIDERS.some((name) => name === provider);
}

/** The name for a provider about which only one thing is known: that it speaks the OpenAI API. */
export const UNKNOWN_PROVIDER = 'openai-compatible';

/** VS Code, when one of its own models is asked. */
const EDITOR_PROVIDER = 'vscode';

/** Default ports as the servers' own documentation states them. */
const PORTS: Readonly<Record<string, LocalProvider>> = {
  1234: 'lmstudio',
  11434: 'ollama',
  8000: 'vllm',
  8080: 'llamacpp',
};

/** The domains of hosted providers. A host belongs to a provider when it is the domain or a subdomain of it. */
const DOMAINS: Readonly<Record<string, string>> = {
  'api.openai.com': 'openai',
  'openrouter.ai': 'openrouter',
  'api.anthropic.com': 'anthropic',
  'generativelanguage.googleapis.com': 'google',
  'api.x.ai': 'xai',
  'api.mistral.ai': 'mistral',
  'api.deepseek.com': 'deepseek',
  'z.ai': 'zai',
  'bigmodel.cn': 'zai',
  'moonshot.ai': 'moonshot',
  'moonshot.cn': 'moonshot',
  'minimax.io': 'minimax',
  'integrate.api.nvidia.com': 'nvidia',
  'aliyuncs.com': 'qwen',
  'xiaomimimo.com': 'xiaomi',
  'api.groq.com': 'groq',
  'api.cerebras.ai': 'cerebras',
  'together.xyz': 'together',
  'together.ai': 'together',
  'api.fireworks.ai': 'fireworks',
  'router.huggingface.co': 'huggingface',
};

/**
 * The provider behind a base URL: by its host or, if the host is unknown, by its port. A guess by port is confirmed by
 * asking the server; `openai-compatible` when nothing is known, or the text is not a URL.
 */
export function detectProvider(baseUrl: string | undefined): string {
  if (baseUrl === EDITOR_MODELS) return EDITOR_PROVIDER;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return UNKNOWN_PROVIDER;
  const { hostname, port } = new URL(baseUrl);
  const domain = Object.keys(DOMAINS).find((name) => hostname === name || hostname.endsWith(`.${name}`));
  return (domain === undefined ? undefined : DOMAINS[domain]) ?? PORTS[port] ?? UNKNOWN_PROVIDER;
}

/**
 * The key for learned windows and calibration: one model on one server. Only the server's origin: no path, no
 * credentials.
 */
export function profileKey(profile: {
  readonly id: string;
  readonly provider: string;
  readonly baseUrl?: string;
}): string {
  return `${originOf(profile.baseUrl ?? '') ?? profile.provider}|${profile.id}`;
}

/** A server that speaks the OpenAI API, at its default address. */
export interface KnownServer {
  readonly label: string;
  /** With the path of the API, e.g. `http://127.0.0.1:1234/v1`. */
  readonly baseUrl: string;
}

/** Server programs for the user's own machine, with the ports that their documentation states. */
export const LOCAL_SERVERS: readonly KnownServer[] = [
  { label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
];

/** Providers that run models as a service. */
export const HOSTED_SERVERS: readonly KnownServer[] = [
  { label: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
];

/**
 * Used in place of a server's address for the models that VS Code itself has, from Copilot or other vendors. Such a
 * model is named `vendor/id`.
 */
export const EDITOR_MODELS = 'vscode:models';

/**
 * What a key, a decision of the user and learned figures are stored under: scheme, host and port; `EDITOR_MODELS` for
 * VS Code's own models.
 */
export function originOf(baseUrl: string): string | undefined {
  if (baseUrl === EDITOR_MODELS) return EDITOR_MODELS;
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}

/** Names of query fields in which servers take keys; `code` is used by Azure Functions. */
const KEY_FIELD =
  /^(?:(?:x[-_])?(?:api|subscription|access)[-_]?key|key|(?:access[-_]?|auth[-_]?)?token|secret|sig|signature|password|code)$/i;

/**
 * Whether an address contains a secret: a user, a password, or a key in its query. Such an address must not be kept in
 * a file.
 */
export function carriesCredentials(url: URL): boolean {
  return (
    url.username !== '' || url.password !== '' || [...url.searchParams.keys()].some((name) => KEY_FIELD.test(name))
  );
}
