import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { installApart } from '../vscode/setup/install.mjs';
import { root } from '../vscode/setup/root.ts';
import { WRAPPED_AGENTS, type WrappedAgent } from './programs.ts';
import { DONE, type ScriptedModel, startModel, TASK, type Task } from './scriptedModel.ts';

const MODEL = 'scripted';

/** An agent that is driven past its window and cannot get out by itself. */
interface StuckAgent extends Pick<WrappedAgent, 'name' | 'command' | 'program'> {
  readonly api: NonNullable<Task['api']>;
  /** Tokens: its own prompt and tools must leave room in it. */
  readonly window: number;
  /** How it is given a prompt. */
  readonly words: string;
  /** The command that Karl printed, so that it runs without a terminal and with a prompt. */
  readonly goOn: (resume: string) => string;
  /** Text of its settings by path in its home, and its variables, for the address of its provider. */
  readonly settings?: (origin: string) => Readonly<Record<string, string>>;
  readonly environment?: (origin: string) => Readonly<Record<string, string>>;
}

const WITHOUT_QUESTIONS = {
  claude: '--dangerously-skip-permissions',
  codex: '--skip-git-repo-check --dangerously-bypass-approvals-and-sandbox',
  gemini: '--yolo --skip-trust --model gemini-2.5-pro',
  pi: `--provider own --model ${MODEL}`,
};

/** What `WRAPPED_AGENTS` says about an agent. */
function wrapped(called: string) {
  const { name, command, program } = WRAPPED_AGENTS.find((agent) => agent.command === called) ?? assert.fail(called);
  return { name, command, program };
}

const AGENTS: readonly StuckAgent[] = [
  {
    ...wrapped('claude'),
    api: 'messages',
    window: 50_000,
    words: `${WITHOUT_QUESTIONS.claude} -p`,
    goOn: (resume) => `${resume} ${WITHOUT_QUESTIONS.claude} -p 'Go on.'`,
    environment: (ANTHROPIC_BASE_URL) => ({
      ANTHROPIC_BASE_URL,
      ANTHROPIC_AUTH_TOKEN: 'key',
      DISABLE_AUTO_COMPACT: '1',
      IS_SANDBOX: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  {
    ...wrapped('codex'),
    api: 'responses',
    window: 30_000,
    words: `exec ${WITHOUT_QUESTIONS.codex}`,
    goOn: (resume) => `${resume.replace('codex resume', 'codex exec resume')} ${WITHOUT_QUESTIONS.codex} 'Go on.'`,
    settings: (origin) => ({
      '.codex/config.toml': [
        `model = "${MODEL}"`,
        'model_provider = "own"',
        'model_context_window = 1000000',
        '[model_providers.own]',
        'name = "own"',
        `base_url = "${origin}/v1"`,
        'wire_api = "responses"',
        'env_key = "OWN_KEY"',
      ].join('\n'),
    }),
    environment: () => ({ OWN_KEY: 'key' }),
  },
  {
    ...wrapped('pi'),
    api: 'chat',
    window: 20_480,
    words: `${WITHOUT_QUESTIONS.pi} -p`,
    goOn: (resume) => `${resume} ${WITHOUT_QUESTIONS.pi} -p 'Go on.'`,
    settings: (origin) => ({
      '.pi/agent/settings.json': JSON.stringify({ compaction: { enabled: false } }),
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          own: {
            baseUrl: `${origin}/v1`,
            api: 'openai-completions',
            apiKey: 'key',
            models: [{ id: MODEL, contextWindow: 1_000_000, maxTokens: 1_024 }],
          },
        },
      }),
    }),
    environment: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  },
  {
    ...wrapped('opencode'),
    api: 'chat',
    window: 40_960,
    words: `run --model own/${MODEL}`,
    goOn: (resume) => `${resume.replace('opencode --session', `opencode run --model own/${MODEL} --session`)} 'Go on.'`,
    settings: (origin) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        compaction: { auto: false },
        permission: { bash: 'allow' },
        provider: {
          own: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${origin}/v1`, apiKey: 'key' },
            models: { [MODEL]: { limit: { context: 1_000_000, output: 4_096 } } },
          },
        },
      }),
    }),
    environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  },
  {
    ...wrapped('gemini'),
    api: 'gemini',
    window: 40_000,
    words: `${WITHOUT_QUESTIONS.gemini} -p`,
    goOn: (resume) => `${resume} ${WITHOUT_QUESTIONS.gemini} -p 'Go on.'`,
    settings: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      }),
    }),
    environment: (GOOGLE_GEMINI_BASE_URL) => ({ GOOGLE_GEMINI_BASE_URL, GEMINI_API_KEY: 'key' }),
  },
];

describe('agents whose sessions are longer than the window of their model', function () {
  // Each runs twice, with some thirty requests.
  this.timeout(900_000);
  let folder: string;
  let model: ScriptedModel;
  let task: Task;
  let origin: string;

  beforeEach(() => {
    // As the agents see it: they file sessions under the real path of the folder.
    folder = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'karl-rescue-')));
    for (const name of ['home', 'work', 'bin']) fs.mkdirSync(path.join(folder, name));
  });
  afterEach(async () => {
    await model.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Installs an agent and starts its provider. Each part has some 1,600 tokens; four are left when the window is full. */
  async function prepare(agent: StuckAgent): Promise<void> {
    const program = path.join(installApart(root, `clients-${agent.command}`), 'node_modules', agent.program);
    fs.symlinkSync(program, path.join(folder, 'bin', agent.command));
    task = { window: agent.window, steps: Number.POSITIVE_INFINITY, lines: 110, api: agent.api };
    model = await startModel(task);
    origin = model.url.replace(/\/v1$/, '');
    for (const [name, content] of Object.entries(agent.settings?.(origin) ?? {})) {
      const file = path.join(folder, 'home', name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
    }
  }

  async function run(agent: StuckAgent, command: string) {
    const [home, work, bin] = ['home', 'work', 'bin'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    const search = [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
    const child = spawn(command, {
      shell: true,
      cwd: work,
      // No variable of whoever runs the test: agents read settings from many of them.
      env: { PATH: search, HOME: home, USERPROFILE: home, PWD: work, ...agent.environment?.(origin) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { said, complaint, code: code as number | null };
  }

  const karl = (agent: StuckAgent, words: string) =>
    run(agent, `node '${path.join(root, 'src', 'karl.ts')}' rescue --window ${agent.window} --json ${words}`);

  /** Has the agent work until its provider refuses what it sends. */
  async function getStuck(agent: StuckAgent): Promise<void> {
    await prepare(agent);
    const { said } = await run(agent, `${agent.command} ${agent.words} '${TASK}'`);
    assert.ok(model.refused > 0, said);
    task.steps = model.taken.length + 4;
  }

  /** The task is finished in a request that began with a history of the work before. */
  async function finish(agent: StuckAgent, command: string): Promise<void> {
    const [refused, done] = [model.refused, model.taken.length];
    const { said, complaint, code } = await run(agent, command);
    assert.equal(code, 0, said + complaint);
    assert.match(said, new RegExp(`${DONE.replace('.', '\\.')}\\s*$`), complaint);
    assert.equal(model.refused, refused, 'nothing more was too long');
    const lines = fs
      .readFileSync(path.join(folder, 'work', 'parts.txt'), 'utf8')
      .trim()
      .split('\n');
    assert.deepEqual(
      lines,
      Array.from({ length: task.steps }, (_, at) => String(at + 1)),
    );
    const first = model.taken[done] ?? '';
    assert.match(first, /<karl-history|lines left out/, 'the session was compressed');
    for (const kept of [TASK, `value 110 of part ${done} is computed`])
      assert.ok(first.includes(kept), `${kept} is not in the first request:\n${first.slice(0, 5_000)}`);
  }

  for (const agent of AGENTS)
    it(`${agent.name} goes on with the session that karl rescue wrote, and finishes its task`, async () => {
      await getStuck(agent);
      const { said, complaint, code } = await karl(agent, '');
      assert.equal(code, 0, complaint);
      const { resume, file } = JSON.parse(said) as { resume: string; file: string };
      await finish(agent, agent.goOn(resume));
      if (agent.command === 'opencode') fs.rmSync(file);
    });

  it('an agent whose sessions cannot be written goes on with a hand-over prompt', async () => {
    const agent = AGENTS.find(({ command }) => command === 'pi') as StuckAgent;
    await getStuck(agent);
    const { said, complaint } = await karl(agent, '--for markdown');
    const { file } = JSON.parse(said || '{}') as { file?: string };
    assert.ok(file !== undefined, complaint);
    await finish(agent, `${agent.command} ${agent.words} "$(cat '${file}')"`);
  });
});
