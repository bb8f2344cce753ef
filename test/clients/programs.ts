/** What every client in this folder tells its model first. */
const TASK = 'Print every part of the table, one after the other, then say that you are done.';

/** What a program's tool gives back for one step, some 1,600 tokens. */
const TOOL = `
const run = (command) => Array.from({ length: 110 }, (_, i) => 'value ' + i + ' of ' + command + ' is computed from the table of sums').join('\\n');
const { URL: baseURL, TOKEN: apiKey } = process.env;
`;

/** The AI SDK's own loop over tools; streaming, then whole. Prints the last text of each. */
export const AI_SDK = `
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
${TOOL}
const model = createOpenAICompatible({ name: 'karl', baseURL, apiKey })('scripted');
const bash = tool({ description: 'Runs a command.', inputSchema: z.object({ command: z.string() }), execute: async ({ command }) => run(command) });
const request = { model, prompt: '${TASK}', tools: { bash }, stopWhen: stepCountIs(500), maxRetries: 0 };
if (process.env.STREAM === 'yes') {
  let text = '';
  for await (const piece of streamText({ ...request, onError: ({ error }) => { throw error; } }).textStream) text += piece;
  console.log(text);
} else console.log((await generateText(request)).text);
`;

/** A loop over LangChain's chat model. */
export const LANGCHAIN = `
import { ChatOpenAI } from '@langchain/openai';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
${TOOL}
const parameters = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
const bash = { type: 'function', function: { name: 'bash', description: 'Runs a command.', parameters } };
const model = new ChatOpenAI({ model: 'scripted', apiKey, configuration: { baseURL }, maxRetries: 0 }).bindTools([bash]);
const messages = [new HumanMessage('${TASK}')];
for (;;) {
  let reply;
  if (process.env.STREAM === 'yes') for await (const chunk of await model.stream(messages)) reply = reply === undefined ? chunk : reply.concat(chunk);
  else reply = await model.invoke(messages);
  messages.push(reply);
  if ((reply.tool_calls ?? []).length === 0) break;
  for (const call of reply.tool_calls) messages.push(new ToolMessage({ tool_call_id: call.id, content: run(call.args.command) }));
}
console.log(messages.at(-1).content);
`;

/** An agent of the terminal: how it is started, and which files it must find. */
export interface TerminalAgent {
  readonly name: string;
  /** Its command, in `node_modules/.bin`. */
  readonly program: string;
  /** Where the program is in `node_modules`; default: its start file. */
  readonly file?: string;
  readonly words: readonly string[];
  /** Tokens: its own prompt and tools must leave room in it. */
  readonly window: number;
  /** Text of its settings by path in its home, for the gateway's address. */
  readonly settings: (url: string, token: string) => Readonly<Record<string, string>>;
  /** Variables that lead it to that home, and keep it off the network. */
  readonly environment: (home: string) => Readonly<Record<string, string>>;
}

/** Agents that speak chat completions, as their own documentation sets them up. */
export const TERMINAL_AGENTS: readonly TerminalAgent[] = [
  {
    name: 'pi',
    program: 'pi',
    words: ['--provider', 'karl', '--model', 'scripted', '-p', TASK],
    window: 16_384,
    settings: (baseUrl, apiKey) => ({
      'models.json': JSON.stringify({
        providers: {
          karl: {
            baseUrl,
            api: 'openai-completions',
            apiKey,
            models: [{ id: 'scripted', contextWindow: 1_000_000, maxTokens: 4_096 }],
          },
        },
      }),
    }),
    environment: (home) => ({ PI_CODING_AGENT_DIR: home, PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  },
  {
    name: 'OpenCode',
    program: 'opencode',
    // Its own start file wants what an install script would have put there, and those never run here.
    file: `opencode-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}/bin/opencode`,
    words: ['run', '--model', 'karl/scripted', TASK],
    // Its prompt and tools alone have some 8,000 tokens.
    window: 32_768,
    settings: (baseURL, apiKey) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        permission: { bash: 'allow' },
        provider: {
          karl: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL, apiKey },
            models: { scripted: { limit: { context: 1_000_000, output: 4_096 } } },
          },
        },
      }),
    }),
    environment: (home) => ({
      HOME: home,
      XDG_CONFIG_HOME: `${home}/.config`,
      XDG_DATA_HOME: `${home}/.data`,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
  },
];

/** An agent that `karl wrap` starts. */
export interface WrappedAgent {
  readonly name: string;
  readonly command: string;
  /** Where its program may be in `node_modules`: install scripts never run here. */
  readonly programs: readonly string[];
  readonly words: readonly string[];
  /** Tokens: its own prompt and tools must leave room in it. */
  readonly window: number;
  /** Its tool for commands, and what that calls the command. */
  readonly tool: RegExp;
  readonly argument: 'command' | 'cmd';
  readonly environment: (home: string) => Readonly<Record<string, string>>;
}

/** Agents of each API. */
export const WRAPPED_AGENTS: readonly WrappedAgent[] = [
  {
    name: 'Claude Code',
    command: 'claude',
    programs: [`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`],
    words: ['-p', TASK, '--dangerously-skip-permissions'],
    window: 40_960,
    tool: /^Bash$/,
    argument: 'command',
    environment: (home) => ({ HOME: home, IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }),
  },
  {
    name: 'Codex',
    command: 'codex',
    programs: ['.bin/codex'],
    words: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', TASK],
    window: 24_576,
    tool: /^(?:exec_command|shell|shell_command)$/,
    argument: 'cmd',
    environment: (home) => ({ CODEX_HOME: home }),
  },
  {
    name: 'pi',
    command: 'pi',
    programs: ['.bin/pi'],
    words: ['-p', TASK],
    window: 16_384,
    tool: /^bash$/,
    argument: 'command',
    environment: (home) => ({ HOME: home, PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  },
  {
    name: 'Gemini CLI',
    command: 'gemini',
    programs: ['.bin/gemini'],
    words: ['--yolo', '--skip-trust', '-p', TASK],
    window: 32_768,
    tool: /^run_shell_command$/,
    argument: 'command',
    environment: (home) => ({ GEMINI_CLI_HOME: home, GEMINI_TELEMETRY_ENABLED: 'false' }),
  },
];
