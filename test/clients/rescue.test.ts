import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { listAgents, type PreparedAgent } from '../../src/adapters/agents/agents.ts';
import { installApart } from '../vscode/setup/install.mjs';
import { root } from '../vscode/setup/root.ts';
import { WRAPPED_AGENTS, type WrappedAgent } from './programs.ts';
import { assertPrinted, DONE, type ScriptedModel, startModel, TASK, type Task } from './scriptedModel.ts';

/** An agent that is driven past its window and cannot get out by itself. */
interface StuckAgent {
  readonly command: string;
  readonly api: NonNullable<Task['api']>;
  /** Tokens: its own prompt and tools must leave room in it. */
  readonly window: number;
  /**
   * The command that Karl printed, so that it runs without a terminal and with a prompt; `words`: those that lead it to its
   * provider.
   */
  readonly goOn: (resume: string, words: string) => string;
  /** Settings that keep it from compacting by itself, by their path in its home. */
  readonly settings?: Readonly<Record<string, object>>;
}

const AGENTS: readonly StuckAgent[] = [
  {
    command: 'claude',
    api: 'messages',
    window: 50_000,
    goOn: (resume) => `${resume} --dangerously-skip-permissions -p 'Go on.'`,
  },
  {
    command: 'codex',
    api: 'responses',
    window: 30_000,
    goOn: (resume, words) =>
      `${resume.replace('codex resume', `codex ${words} exec resume`)} --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox 'Go on.'`,
  },
  {
    command: 'pi',
    api: 'chat',
    window: 32_768,
    goOn: (resume, words) => `${resume} ${words} -p 'Go on.'`,
    settings: { '.pi/agent/settings.json': { compaction: { enabled: false } } },
  },
  {
    command: 'opencode',
    api: 'chat',
    window: 40_960,
    goOn: (resume) => `${resume.replace('opencode --session', 'opencode run --session')} 'Go on.'`,
    settings: {
      '.config/opencode/opencode.json': {
        compaction: { auto: false },
        permission: { bash: 'allow' },
        share: 'disabled',
      },
    },
  },
  {
    command: 'gemini',
    api: 'gemini',
    window: 40_000,
    goOn: (resume) => `${resume} --yolo --skip-trust -p 'Go on.'`,
  },
];

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

describe('agents whose sessions are longer than the window of their model', function () {
  // Each runs twice, with some thirty requests.
  this.timeout(900_000);
  let folder: string;
  let model: ScriptedModel;
  let task: Task;
  let wrapped: WrappedAgent;
  /** As Karl starts it, with its provider in the place of the gateway. */
  let prepared: PreparedAgent;

  beforeEach(() => {
    // As the agents see it: they file sessions under the real path of the folder.
    folder = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'karl-rescue-')));
    for (const name of ['home', 'work', 'bin']) fs.mkdirSync(path.join(folder, name));
  });
  afterEach(async () => {
    await model.close();
    prepared.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Installs an agent and starts its provider. Each part has some 1,600 tokens; four are left when the window is full. */
  async function prepare(agent: StuckAgent): Promise<void> {
    const { command, window, api, settings = {} } = agent;
    wrapped = WRAPPED_AGENTS.find((one) => one.command === command) ?? assert.fail(command);
    const program = path.join(installApart(root, `clients-${command}`), 'node_modules', wrapped.program);
    fs.symlinkSync(program, path.join(folder, 'bin', command));
    task = { window, steps: Number.POSITIVE_INFINITY, lines: 110, api };
    model = await startModel(task);
    const startable = listAgents().find(({ name }) => name === command) ?? assert.fail(command);
    prepared = startable.prepare({ address: model.url.replace(/\/v1$/, ''), token: 'key', model: 'scripted' });
    for (const [name, content] of Object.entries(settings)) {
      const file = path.join(folder, 'home', name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify(content));
    }
  }

  async function run(command: string) {
    const home = path.join(folder, 'home');
    const work = path.join(folder, 'work');
    const search = [path.join(folder, 'bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
    const child = spawn(command, {
      shell: true,
      cwd: work,
      // No variable of whoever runs the test: agents read settings from many of them.
      env: {
        ...{ PATH: search, HOME: home, USERPROFILE: home, PWD: work },
        ...wrapped.environment(home),
        ...prepared.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { said, complaint, code: code as number | null };
  }

  const karl = (words: string) =>
    run(`node '${path.join(root, 'src', 'karl.ts')}' rescue --window ${task.window} --json ${words}`);
  const words = () => prepared.words.map(quote).join(' ');

  /** Has the agent work until its provider refuses what it sends. */
  async function getStuck(agent: StuckAgent): Promise<void> {
    await prepare(agent);
    const { said } = await run(`${agent.command} ${words()} ${wrapped.words.map(quote).join(' ')}`);
    assert.ok(model.refused > 0, said);
    task.steps = model.taken.length + 4;
  }

  /** The task is finished in a request that began with a history of the work before. */
  async function finish(command: string): Promise<void> {
    const [refused, done] = [model.refused, model.taken.length];
    const { said, complaint, code } = await run(command);
    assert.equal(code, 0, said + complaint);
    assert.match(said, new RegExp(`${DONE.replace('.', '\\.')}\\s*$`), complaint);
    assert.equal(model.refused, refused, 'nothing more was too long');
    assertPrinted(path.join(folder, 'work'), task.steps);
    const first = model.taken[done] ?? '';
    assert.match(first, /<karl-history|lines left out/, 'the session was compressed');
    for (const kept of [TASK, `value 110 of part ${done} is computed`])
      assert.ok(first.includes(kept), `${kept} is not in the first request:\n${first.slice(0, 5_000)}`);
  }

  for (const agent of AGENTS)
    it(`${agent.command} goes on with the session that karl rescue wrote, and finishes its task`, async () => {
      await getStuck(agent);
      const { said, complaint, code } = await karl('');
      assert.equal(code, 0, complaint);
      const { resume, file } = JSON.parse(said) as { resume: string; file: string };
      await finish(agent.goOn(resume, words()));
      if (agent.command === 'opencode') fs.rmSync(file);
    });

  it('an agent whose sessions cannot be written goes on with a hand-over prompt', async () => {
    const agent = AGENTS.find(({ command }) => command === 'pi') as StuckAgent;
    await getStuck(agent);
    const { said, complaint } = await karl('--for markdown');
    const { file } = JSON.parse(said || '{}') as { file?: string };
    assert.ok(file !== undefined, complaint);
    await finish(`pi ${words()} -p "$(cat '${file}')"`);
  });
});
