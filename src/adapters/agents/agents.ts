import fs from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { Phrase, Words } from '../../core/phrase.ts';
import { sentence } from '../../language/language.ts';
import { TOKEN_HEADER } from '../gateway/guard.ts';

/** The gateway that an agent is to use. */
export interface WrapTarget {
  /** Base URL of the gateway, without the version. */
  readonly address: string;
  readonly token: string;
  /** The model, as the server knows it; undefined: the agent's own choice. */
  readonly model: string | undefined;
  /** The agent's own key goes to its provider; the gateway's token has a header of its own. */
  readonly keepsKey: boolean;
  /** The folder for files that the agent is to read; removed at the end. */
  readonly folder: string;
}

/** How an agent is started so that it speaks to the gateway. */
export interface WrapPlan {
  readonly environment: Readonly<Record<string, string>>;
  /** Put before the user's own arguments. */
  readonly words?: readonly string[];
  /** Files by their path in the folder: text, or what is written as JSON. */
  readonly files?: Readonly<Record<string, object | string>>;
}

/** A gateway, and the model that its agent is to ask. */
type CopyTarget = Pick<WrapTarget, 'address' | 'token'> & { readonly model: string };

/** Settings that lead an agent to the gateway wherever it is started. */
interface CopiedSettings {
  /** Where to paste them. */
  readonly where: Words;
  readonly settings: string;
}

/** An agent that Karl can start. */
export interface WrappedAgent {
  /** What its makers call it. */
  readonly title: string;
  readonly command: string;
  /** The npm package that brings it. */
  readonly package: string;
  /** Its provider's base URL, where the agent has one of its own, or the one that the user has given it instead. */
  readonly upstream?: string;
  /** What would keep it from using the gateway, in a sentence. */
  readonly problem?: () => Phrase | undefined;
  readonly plan: (target: WrapTarget) => WrapPlan;
  /**
   * Settings to be copied; a command for a shell, where the plan is only an environment. Absent for an agent that would go
   * on compacting with any of them.
   */
  readonly copy?: ((target: CopyTarget) => CopiedSettings) | 'in a shell';
}

/** The window that agents are told, tokens, so that they leave compaction to Karl. */
const ADVERTISED = 10_000_000;

/** Output that agents may ask for, tokens; the gateway asks for less where the model's window is smaller. */
const OUTPUT = 8_192;

/** What pi also wants to know about a model. */
const PI_MODEL = {
  reasoning: false,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** The agents by name. */
export const AGENTS: Readonly<Record<string, WrappedAgent>> = {
  claude: {
    title: 'Claude Code',
    command: 'claude',
    package: '@anthropic-ai/claude-code',
    upstream: `${(process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com').replace(/(?<!\/)\/+$/, '')}/v1`,
    plan: ({ address, token, model, keepsKey }) => ({
      environment: {
        ANTHROPIC_BASE_URL: address,
        DISABLE_AUTO_COMPACT: '1',
        ...(keepsKey
          ? { ANTHROPIC_CUSTOM_HEADERS: withHeader(process.env.ANTHROPIC_CUSTOM_HEADERS, token, '\n') }
          : { ANTHROPIC_AUTH_TOKEN: token }),
        ...(model !== undefined && { ANTHROPIC_MODEL: model, ANTHROPIC_DEFAULT_HAIKU_MODEL: model }),
      },
    }),
    copy: 'in a shell',
  },
  codex: {
    title: 'Codex',
    command: 'codex',
    package: '@openai/codex',
    upstream: 'https://api.openai.com/v1',
    plan: ({ address, token, model, keepsKey }) => {
      const settings = {
        ...codexSettings({ address, model }),
        ...(keepsKey && process.env.OPENAI_API_KEY === undefined
          ? // The key of `codex login`.
            { [`${PROVIDER}.requires_openai_auth`]: true }
          : { [`${PROVIDER}.env_key`]: keepsKey ? 'OPENAI_API_KEY' : 'KARL_GATEWAY_TOKEN' }),
        [`${PROVIDER}.env_http_headers.${TOKEN_HEADER}`]: 'KARL_GATEWAY_TOKEN',
      };
      // A string in TOML is written as in JSON.
      const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]);
      return { environment: { KARL_GATEWAY_TOKEN: token }, words };
    },
    copy: (target) => {
      const settings = { ...codexSettings(target), [`${PROVIDER}.experimental_bearer_token`]: target.token };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
      return { where: sentence('{0}, at its beginning', '~/.codex/config.toml'), settings: lines.join('') };
    },
  },
  opencode: {
    title: 'OpenCode',
    command: 'opencode',
    package: 'opencode-ai',
    plan: ({ address, token, model = '' }) => {
      const provider = openCodeProvider({ address, token, model });
      return { environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ model: `karl/${model}`, provider }) } };
    },
    copy: (target) => ({
      where: sentence('{0} in the folder of the project, or {1}', 'opencode.json', '~/.config/opencode/opencode.json'),
      settings: writeJson({ $schema: 'https://opencode.ai/config.json', provider: openCodeProvider(target) }),
    }),
  },
  pi: {
    title: 'pi',
    command: 'pi',
    package: '@earendil-works/pi-coding-agent',
    plan: ({ address, token, model = '', folder }) => {
      // Its versions name a variable in different ways; all of them take a key.
      const provider = piProvider({ address, token, model });
      return {
        environment: {},
        words: ['--extension', `${folder}/karl.js`, '--provider', 'karl', '--model', model],
        files: {
          'package.json': { type: 'module' },
          'karl.js': `export default (pi) => pi.registerProvider('karl', ${JSON.stringify({ name: 'Karl', ...provider })});\n`,
        },
      };
    },
    copy: (target) => ({
      where: sentence('{0}; then choose karl with /model', '~/.pi/agent/models.json'),
      settings: writeJson({ providers: { karl: piProvider(target) } }),
    }),
  },
  cline: {
    title: 'Cline CLI',
    command: 'cline',
    package: 'cline',
    plan: ({ address, token, model = '', folder }) => {
      const provider = 'openai-compatible';
      const settings = { provider, apiKey: token, model, baseUrl: `${address}/v1` };
      const saved = { settings, updatedAt: new Date().toISOString(), tokenSource: 'manual' };
      return {
        // A background process would outlive the gateway and serve later runs with its settings.
        environment: {
          CLINE_PROVIDER_SETTINGS_PATH: `${folder}/providers.json`,
          CLINE_SESSION_BACKEND_MODE: 'local',
        },
        words: ['--compaction', 'off'],
        files: {
          'providers.json': { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: saved } },
        },
      };
    },
    copy: ({ address, token, model }) => ({
      where: sentence('a terminal'),
      settings: `cline auth --provider openai --baseurl ${address}/v1 --apikey ${token} --modelid ${quote(model)}\ncline --compaction off\n`,
    }),
  },
  qwen: {
    title: 'Qwen Code',
    command: 'qwen',
    package: '@qwen-code/qwen-code',
    plan: ({ address, token, model = '', folder }) => ({
      environment: {
        OPENAI_BASE_URL: `${address}/v1`,
        OPENAI_API_KEY: token,
        OPENAI_MODEL: model,
        QWEN_CODE_SYSTEM_SETTINGS_PATH: `${folder}/settings.json`,
      },
      files: {
        'settings.json': {
          security: { auth: { selectedType: 'openai' } },
          model: qwenModel(model),
        },
      },
    }),
    copy: ({ address, token, model }) => ({
      where: '~/.qwen/settings.json',
      settings: writeJson({
        security: { auth: { selectedType: 'openai', baseUrl: `${address}/v1`, apiKey: token } },
        model: qwenModel(model),
      }),
    }),
  },
  gemini: {
    title: 'Gemini CLI',
    command: 'gemini',
    package: '@google/gemini-cli',
    upstream: 'https://generativelanguage.googleapis.com/v1beta',
    problem: findOtherLogin,
    plan: ({ address, token, model, keepsKey }) => {
      const { GEMINI_CLI_CUSTOM_HEADERS: headers, GOOGLE_API_KEY, GEMINI_API_KEY } = process.env;
      const own = GEMINI_API_KEY ?? GOOGLE_API_KEY ?? '';
      return {
        environment: {
          GOOGLE_GEMINI_BASE_URL: address,
          GEMINI_API_KEY: keepsKey ? own : token,
          // Where its settings choose no way to log in, only this one takes an address and asks nothing.
          GOOGLE_GENAI_USE_VERTEXAI: 'true',
          GOOGLE_VERTEX_BASE_URL: address,
          GOOGLE_API_KEY: keepsKey ? own : token,
          GOOGLE_CLOUD_PROJECT: '',
          GOOGLE_CLOUD_LOCATION: '',
          ...(keepsKey && { GEMINI_CLI_CUSTOM_HEADERS: withHeader(headers, token, ', ') }),
          ...(model !== undefined && { GEMINI_MODEL: model }),
        },
      };
    },
  },
  copilot: {
    title: 'Copilot CLI',
    command: 'copilot',
    package: '@github/copilot',
    plan: ({ address, token, model = '' }) => ({
      environment: {
        COPILOT_PROVIDER_BASE_URL: `${address}/v1`,
        COPILOT_PROVIDER_API_KEY: token,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_MODEL: model,
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(ADVERTISED),
        COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(OUTPUT),
        COPILOT_OFFLINE: 'true',
      },
    }),
    copy: 'in a shell',
  },
  cn: {
    title: "Continue's cn",
    command: 'cn',
    package: '@continuedev/cli',
    plan: ({ address, token, model = '', folder }) => ({
      environment: {},
      words: ['--config', `${folder}/config.yaml`],
      // JSON is YAML.
      files: {
        'config.yaml': {
          name: 'Karl',
          version: '1.0.0',
          schema: 'v1',
          models: [continueModel({ address, token, model })],
        },
      },
    }),
    copy: (target) => ({
      where: sentence('{0}, under models:', '~/.continue/config.yaml'),
      settings: `  - ${JSON.stringify(continueModel(target))}\n`,
    }),
  },
};

/** The table with the provider in Codex's settings. */
const PROVIDER = 'model_providers.karl';

function codexSettings({ address, model }: Pick<WrapTarget, 'address' | 'model'>) {
  return {
    model_provider: 'karl',
    ...(model !== undefined && { model }),
    model_context_window: ADVERTISED,
    model_auto_compact_token_limit: ADVERTISED,
    [`${PROVIDER}.name`]: 'Karl',
    [`${PROVIDER}.base_url`]: `${address}/v1`,
    [`${PROVIDER}.wire_api`]: 'responses',
  };
}

function openCodeProvider({ address, token, model }: CopyTarget) {
  const options = { baseURL: `${address}/v1`, apiKey: token };
  const models = { [model]: { name: model, limit: { context: ADVERTISED, output: OUTPUT } } };
  return { karl: { npm: '@ai-sdk/openai-compatible', name: 'Karl', options, models } };
}

function piProvider({ address, token, model }: CopyTarget) {
  const models = [{ id: model, name: model, contextWindow: ADVERTISED, maxTokens: OUTPUT, ...PI_MODEL }];
  return { baseUrl: `${address}/v1`, apiKey: token, api: 'openai-completions', models };
}

const qwenModel = (name: string) => ({ name, generationConfig: { contextWindowSize: ADVERTISED } });

function continueModel({ address, token, model }: CopyTarget) {
  return {
    ...{ name: model, provider: 'openai', model, apiBase: `${address}/v1`, apiKey: token },
    ...{ roles: ['chat', 'edit', 'apply'], capabilities: ['tool_use'] },
    defaultCompletionOptions: { contextLength: ADVERTISED, maxTokens: OUTPUT },
  };
}

/** The command that starts an agent whose plan is only an environment. */
function forShell({ command, plan }: WrappedAgent, target: CopyTarget): CopiedSettings {
  const { environment } = plan({ ...target, keepsKey: false, folder: '' });
  const set = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
  return { where: sentence('a POSIX shell such as bash or zsh'), settings: `${[...set, command].join(' ')}\n` };
}

function writeJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Quotes a model's id for a shell, since it may contain any character. */
function quote(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** With a Google login, Gemini CLI asks a server of Google's that the gateway cannot replace. */
function findOtherLogin(): Phrase | undefined {
  const file = path.join(process.env.GEMINI_CLI_HOME ?? homedir(), '.gemini', 'settings.json');
  const settings = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const type = /"selectedType"\s*:\s*"([^"]*)"/.exec(settings)?.[1];
  if (type === undefined || type === 'gemini-api-key' || type === 'vertex-ai') return undefined;
  return sentence(
    'Gemini CLI is set to log in with “{0}” ({1}), which bypasses the gateway: enter /auth in it and choose an API key.',
    type,
    file,
  );
}

/** The user's own headers for an agent, and the gateway's token. */
function withHeader(own: string | undefined, token: string, between: string): string {
  return [...(own === undefined ? [] : [own]), `${TOKEN_HEADER}: ${token}`].join(between);
}

/** What an agent's process needs; valid until `remove` is called. */
export interface PreparedAgent extends Required<Pick<WrapPlan, 'environment' | 'words'>> {
  /** Removes the files that were written for it. */
  readonly remove: () => void;
}

/** Writes the files that an agent reads to find the gateway, for this user only, into a temporary folder. */
export function prepareAgent(agent: WrappedAgent, target: Omit<WrapTarget, 'folder'>): PreparedAgent {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-agent-'));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const { environment, words = [], files = {} } = agent.plan({ ...target, folder });
    for (const [file, content] of Object.entries(files))
      fs.writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content), {
        mode: 0o600,
      });
    return { environment, words, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The agents for an editor whose gateway has the user's key: how each is started and prepared, and what hinders it. */
export function listAgents() {
  return Object.entries(AGENTS).map(([name, agent]) => ({
    name,
    title: agent.title,
    package: agent.package,
    program: findProgram(agent.command),
    problem: agent.problem?.(),
    copy: agent.copy === 'in a shell' ? (target: CopyTarget) => forShell(agent, target) : agent.copy,
    prepare: (gateway: CopyTarget) => prepareAgent(agent, { ...gateway, keepsKey: false }),
  }));
}

/** The file of a program on the search path; undefined if it is not there. */
function findProgram(command: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders)
    for (const ending of endings) {
      const file = path.join(folder, `${command}${ending}`);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        if (fs.statSync(file).isFile()) return file;
      } catch {
        // It is not there or not executable: the next folder may have it.
      }
    }
  return undefined;
}
