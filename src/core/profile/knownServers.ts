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
