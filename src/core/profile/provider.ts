import { EDITOR_MODELS, originOf } from './editorModels.ts';

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
