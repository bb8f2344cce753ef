import { TASK, type Task } from './scriptedModel.ts';

/** A program's tool for commands. */
const TOOL = `
import { execSync } from 'node:child_process';
const run = (command) => execSync(command, { encoding: 'utf8' });
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

/** An agent that `karl wrap` starts. */
export interface WrappedAgent {
  readonly name: string;
  readonly command: string;
  /** Where its program may be in `node_modules`: install scripts never run here. */
  readonly program: string;
  readonly words: readonly string[];
  /** Tokens: its own prompt and tools must leave room in it. */
  readonly window: number;
  /** Seconds that its commands wait at their end. */
  readonly pause?: number;
  /** The APIs of the servers that it works with. */
  readonly apis: readonly NonNullable<Task['api']>[];
  /** Keeps it to its own folder, and off the network. */
  readonly environment: (home: string) => Readonly<Record<string, string>>;
  /** The user's own settings, by their path in that folder. */
  readonly settings?: Readonly<Record<string, object>>;
  /** Where copied settings go in that folder, and what is before them there; absent: they are a command. */
  readonly file?: readonly [path: string, before?: string];
  /** The arguments that choose Karl's model among the user's own. */
  readonly choice?: readonly string[];
}

const system = process.platform === 'win32' ? 'windows' : process.platform;

/** The agents of README's table, and Gemini CLI, which takes no window: its settings are not offered for copying. */
export const WRAPPED_AGENTS: readonly WrappedAgent[] = [
  {
    name: 'Claude Code',
    command: 'claude',
    program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    words: ['-p', TASK, '--dangerously-skip-permissions'],
    window: 40_960,
    apis: ['messages', 'chat'],
    environment: (home) => ({ HOME: home, IS_SANDBOX: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }),
  },
  {
    name: 'Codex',
    command: 'codex',
    program: '.bin/codex',
    words: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', TASK],
    window: 32_768,
    apis: ['responses', 'chat'],
    environment: (home) => ({ CODEX_HOME: home }),
    file: ['config.toml'],
  },
  {
    name: 'pi',
    command: 'pi',
    program: '.bin/pi',
    words: ['-p', TASK],
    window: 16_384,
    apis: ['chat'],
    environment: (home) => ({ HOME: home, PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
    file: ['.pi/agent/models.json'],
    choice: ['--provider', 'karl', '--model', 'scripted'],
  },
  {
    name: 'OpenCode',
    command: 'opencode',
    program: `opencode-${system}-${process.arch}/bin/opencode`,
    words: ['run', TASK],
    window: 32_768,
    apis: ['chat'],
    environment: (home) => ({
      HOME: home,
      XDG_CONFIG_HOME: `${home}/.config`,
      XDG_DATA_HOME: `${home}/.data`,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    settings: { '.config/opencode/opencode.json': { share: 'disabled', permission: { bash: 'allow' } } },
    file: ['work/opencode.json'],
    choice: ['--model', 'karl/scripted'],
  },
  {
    name: 'Qwen Code',
    command: 'qwen',
    program: '.bin/qwen',
    words: ['--yolo', TASK],
    window: 40_960,
    // Qwen Code 0.24.4 loses what a command prints just before its end.
    pause: 0.2,
    apis: ['chat'],
    environment: (home) => ({ HOME: home }),
    file: ['.qwen/settings.json'],
  },
  {
    name: 'Cline CLI',
    command: 'cline',
    program: `@cline/cli-${system}-${process.arch}/bin/cline`,
    words: [TASK],
    window: 24_576,
    apis: ['chat'],
    environment: (home) => ({ HOME: home }),
  },
  {
    name: 'Copilot CLI',
    command: 'copilot',
    program: '.bin/copilot',
    words: ['-p', TASK, '--allow-all-tools'],
    window: 32_768,
    apis: ['chat'],
    environment: (home) => ({ HOME: home }),
  },
  {
    name: "Continue's cn",
    command: 'cn',
    program: '.bin/cn',
    words: ['-p', TASK, '--auto'],
    window: 16_384,
    apis: ['chat'],
    environment: (home) => ({ HOME: home }),
    file: ['.continue/config.yaml', 'name: Mine\nversion: 1.0.0\nschema: v1\nmodels:\n'],
  },
  {
    name: 'Gemini CLI',
    command: 'gemini',
    program: '.bin/gemini',
    words: ['--yolo', '--skip-trust', '-p', TASK],
    window: 32_768,
    apis: ['chat'],
    environment: (home) => ({ GEMINI_CLI_HOME: home, GEMINI_TELEMETRY_ENABLED: 'false' }),
  },
];
