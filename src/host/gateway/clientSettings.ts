import { t } from '../../core/language.ts';

/** What a client needs to use the gateway. */
interface ClientAddress {
  /** Base URL, with the version. */
  readonly url: string;
  readonly token: string;
  /** Model id, as the server knows it. */
  readonly model: string;
}

/** An agent, and how to configure it for the gateway. */
interface ClientSettings {
  readonly name: string;
  /** Where to paste the text. */
  readonly where: string;
  readonly write: (address: ClientAddress) => string;
}

/** The window in agents' settings, tokens: so large that they never compact, since Karl does. */
const ADVERTISED = 1_000_000;

/** Output that agents may ask for, tokens; the gateway reduces it for models with a smaller window. */
const OUTPUT = 8_192;

/** Agents whose settings can be copied: those that were run with them (`test/clients`), and any other. */
export const clientSettings = (): readonly ClientSettings[] => [
  {
    name: 'Claude Code',
    where: t('a POSIX shell such as bash or zsh'),
    write: ({ url, token, model }) =>
      writeCommand('claude', {
        ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ''),
        ANTHROPIC_AUTH_TOKEN: token,
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        DISABLE_AUTO_COMPACT: '1',
      }),
  },
  {
    name: 'Codex',
    where: t('{0}, at its beginning', '~/.codex/config.toml'),
    // A string in TOML is written as in JSON.
    write: ({ url, token, model }) =>
      [
        'model_provider = "karl"',
        `model = ${JSON.stringify(model)}`,
        `model_context_window = ${ADVERTISED}`,
        `model_auto_compact_token_limit = ${ADVERTISED}`,
        '',
        '[model_providers.karl]',
        'name = "Karl"',
        `base_url = ${JSON.stringify(url)}`,
        'wire_api = "responses"',
        `experimental_bearer_token = ${JSON.stringify(token)}`,
        '',
      ].join('\n'),
  },
  {
    name: 'OpenCode',
    where: t('{0} in the folder of the project, or {1}', 'opencode.json', '~/.config/opencode/opencode.json'),
    write: ({ url, token, model }) =>
      writeJson({
        $schema: 'https://opencode.ai/config.json',
        provider: {
          karl: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Karl',
            options: { baseURL: url, apiKey: token },
            models: { [model]: { name: model, limit: { context: ADVERTISED, output: OUTPUT } } },
          },
        },
      }),
  },
  {
    name: 'pi',
    where: t('{0}; then choose karl with /model', '~/.pi/agent/models.json'),
    write: ({ url, token, model }) =>
      writeJson({
        providers: {
          karl: {
            baseUrl: url,
            api: 'openai-completions',
            apiKey: token,
            models: [{ id: model, contextWindow: ADVERTISED, maxTokens: OUTPUT }],
          },
        },
      }),
  },
  {
    name: 'Cline CLI',
    where: t('a terminal'),
    write: ({ url, token, model }) =>
      `cline auth --provider openai --baseurl ${url} --apikey ${token} --modelid ${quote(model)}\ncline --compaction off\n`,
  },
  {
    name: 'Qwen Code',
    where: '~/.qwen/settings.json',
    write: ({ url, token, model }) =>
      writeJson({
        security: { auth: { selectedType: 'openai', baseUrl: url, apiKey: token } },
        model: { name: model, generationConfig: { contextWindowSize: ADVERTISED } },
      }),
  },
  {
    name: 'Copilot CLI',
    where: t('a POSIX shell such as bash or zsh'),
    write: ({ url, token, model }) =>
      writeCommand('copilot', {
        COPILOT_PROVIDER_BASE_URL: url,
        COPILOT_PROVIDER_API_KEY: token,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(ADVERTISED),
        COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(OUTPUT),
        COPILOT_MODEL: model,
        COPILOT_OFFLINE: 'true',
      }),
  },
  {
    name: "Continue's cn",
    where: t('{0}, under models:', '~/.continue/config.yaml'),
    write: ({ url, token, model }) =>
      [
        `  - name: ${JSON.stringify(`Karl ${model}`)}`,
        '    provider: openai',
        `    model: ${JSON.stringify(model)}`,
        `    apiBase: ${url}`,
        `    apiKey: ${token}`,
        '    roles: [chat, edit, apply]',
        '    capabilities: [tool_use]',
        '    defaultCompletionOptions:',
        `      contextLength: ${ADVERTISED}`,
        `      maxTokens: ${OUTPUT}`,
        '',
      ].join('\n'),
  },
  {
    name: t('Another agent or program'),
    where: t('the environment of a program that uses an OpenAI library'),
    write: ({ url, token, model }) => `OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${token}\nOPENAI_MODEL=${model}\n`,
  },
];

/** A command with its environment, for a POSIX shell. */
function writeCommand(command: string, environment: Readonly<Record<string, string>>): string {
  const set = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
  return `${[...set, command].join(' ')}\n`;
}

function writeJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Quotes a model's id for a shell, since it may contain any character. */
function quote(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
