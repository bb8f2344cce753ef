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

/** Agents whose settings can be copied. */
export const clientSettings = (): readonly ClientSettings[] => [
  { name: 'Cline', where: t("its settings: API provider 'OpenAI Compatible'"), write: writeForm },
  { name: 'Roo Code', where: t("its settings: API provider 'OpenAI Compatible'"), write: writeForm },
  {
    name: 'Continue',
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
    name: 'aider',
    where: t('a terminal'),
    write: ({ url, token, model }) =>
      `aider --openai-api-base ${url} --openai-api-key ${token} --model ${quote(`openai/${model}`)} --max-chat-history-tokens ${ADVERTISED}\n`,
  },
  {
    name: 'Cline CLI',
    where: t('a terminal'),
    write: ({ url, token, model }) =>
      `cline auth --provider openai --baseurl ${url} --apikey ${token} --modelid ${quote(model)}\ncline --compaction off\n`,
  },
  {
    name: 'Qwen Code',
    // The command line has no option for the window.
    where: t(
      'a POSIX shell such as bash or zsh; put the context window, {0} tokens, as {1} into {2}',
      ADVERTISED,
      'model.generationConfig.contextWindowSize',
      '~/.qwen/settings.json',
    ),
    write: ({ url, token, model }) =>
      `OPENAI_BASE_URL=${url} OPENAI_API_KEY=${token} OPENAI_MODEL=${quote(model)} qwen\n`,
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
    name: t('Another agent or program'),
    where: t('the environment of what uses an OpenAI library'),
    write: ({ url, token, model }) => `OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${token}\nOPENAI_MODEL=${model}\n`,
  },
];

function writeForm({ url, token, model }: ClientAddress): string {
  return [
    'API Provider: OpenAI Compatible',
    `Base URL: ${url}`,
    `API Key: ${token}`,
    `Model ID: ${model}`,
    `Context Window Size: ${ADVERTISED}`,
    `Max Output Tokens: ${OUTPUT}`,
    '',
  ].join('\n');
}

function writeJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Quotes a model's id for a shell, since it may contain any character. */
function quote(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
