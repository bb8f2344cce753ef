import { EDITOR_MODELS, originOf } from './editorModels.ts';

/** A server program that runs on the user's machines: its window depends on how it was started, not on the model alone. */
export const LOCAL_PROVIDERS = ['lmstudio', 'ollama', 'vllm', 'llamacpp'] as const;
export type LocalProvider = (typeof LOCAL_PROVIDERS)[number];

/** Whether a provider is a server program of `LOCAL_PROVIDERS`. */
export function isLocalProvider(provider: string): provider is LocalProvider {
  return LOCAL_PROVIDERS.some((name) => name === provider);
}

/** The name of a provider about which nothing is known but that it speaks the OpenAI API. */
export const UNKNOWN_PROVIDER = 'openai-compatible';

/** VS Code, which asks a model of its own. */
const EDITOR_PROVIDER = 'vscode';

/** Default ports as the servers' own documentation states them. */
const PORTS: Readonly<Record<string, LocalProvider>> = {
  1234: 'lmstudio',
  11434: 'ollama',
  8000: 'vllm',
  8080: 'llamacpp',
};

/** The domain of a hosted provider; a host belongs to it when it is that domain or ends in `.` and that domain. */
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
 * The provider behind a base URL, by its host, or by its port where the host is not a known one. A guess by port is
 * confirmed by asking the server; `openai-compatible` when nothing is known or the text is no URL.
 */
export function detectProvider(baseUrl: string | undefined): string {
  if (baseUrl === EDITOR_MODELS) return EDITOR_PROVIDER;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return UNKNOWN_PROVIDER;
  const { hostname, port } = new URL(baseUrl);
  const domain = Object.keys(DOMAINS).find((name) => hostname === name || hostname.endsWith(`.${name}`));
  return (domain === undefined ? undefined : DOMAINS[domain]) ?? PORTS[port] ?? UNKNOWN_PROVIDER;
}

/** What learned windows and calibration are kept under: one model on one server. Origin only: no path, no credentials. */
export function profileKey(profile: {
  readonly id: string;
  readonly provider: string;
  readonly baseUrl?: string;
}): string {
  return `${originOf(profile.baseUrl ?? '') ?? profile.provider}|${profile.id}`;
}
