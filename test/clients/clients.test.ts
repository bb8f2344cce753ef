import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { listAgents } from '../../src/adapters/agents/agents.ts';
import type { Gateway } from '../../src/adapters/gateway/gateway.ts';
import { ThreadFiles } from '../../src/adapters/node/threadFiles.ts';
import type { Words } from '../../src/core/phrase.ts';
import type { ThreadStore } from '../../src/core/session/threads/threadStore.ts';
import { Upstream } from '../../src/engine/upstream.ts';
import { inEnglish } from '../../src/language/language.ts';
import { installApart } from '../vscode/setup/install.mjs';
import { root } from '../vscode/setup/root.ts';
import { AI_SDK, LANGCHAIN, WRAPPED_AGENTS, type WrappedAgent } from './programs.ts';
import { assertPrinted, DONE, type ScriptedModel, SUBTASK, startModel, TASK, type Task } from './scriptedModel.ts';

const TOKEN = 'gateway-token';

describe('clients of others at the gateway, with a model that refuses what is longer than its window', () => {
  let model: ScriptedModel;
  let folder: string;
  let steps: number;

  /** A history of more than four windows. */
  async function open(window: number, lines: number, more: Pick<Task, 'api' | 'pause'> = {}): Promise<void> {
    steps = Math.ceil((window * 4.5) / (lines * 14.5));
    model = await startModel({ window, steps, lines, ...more });
  }

  async function openGateway(store?: ThreadStore): Promise<Gateway> {
    const upstream = new Upstream({ baseUrl: model.url, key: undefined, layers: [], store });
    const onBug = (error: unknown) => assert.fail(String(error));
    const gateway = await upstream.startGateway({ port: 0, token: TOKEN, onBug });
    assert.ok(gateway.ok);
    return gateway.value;
  }

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-clients-'));
  });
  afterEach(async () => {
    await model.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function run(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
    const [program = '', ...rest] = words;
    const cwd = path.join(folder, 'work');
    fs.mkdirSync(cwd, { recursive: true });
    const PATH = [folder, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
    const child = spawn(program, rest, {
      cwd,
      env: { ...process.env, PATH, ...environment, PWD: cwd },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.equal(code, 0, said + complaints + model.faults.join('\n'));
    return said;
  }

  function check(said: string, delegates = false): void {
    assert.deepEqual(model.faults, []);
    assert.ok(said.includes(DONE), said);
    // The first may ask for too much output, where the server counts more than Karl: the agent is told nothing of it.
    assert.ok(model.refused <= 1, `${model.refused} requests were refused`);
    assert.equal(model.asked, steps + 1 + (delegates ? 3 : 0));
  }

  for (const [name, program] of [
    ['the AI SDK', AI_SDK],
    ['LangChain', LANGCHAIN],
  ] as const)
    for (const stream of ['yes', 'no'])
      it(`${name} finishes its task, ${stream === 'yes' ? '' : 'not '}streaming`, async () => {
        const home = installApart(root, 'clients');
        await open(16_384, 110);
        const gateway = await openGateway();
        try {
          const file = path.join(home, `${name.replaceAll(' ', '')}.mjs`);
          fs.writeFileSync(file, program);
          check(await run([process.execPath, file], { URL: gateway.url, TOKEN, STREAM: stream }));
        } finally {
          await gateway.close();
        }
      });

  /** Puts the agent's program into the folder of the run; undefined, and says why, when its package cannot be had. */
  function install(agent: WrappedAgent): true | undefined {
    let home: string;
    try {
      home = installApart(root, `clients-${agent.command}`);
    } catch (error) {
      console.log(`${agent.name} cannot be had: ${String(error)}`);
      return undefined;
    }
    const program = path.join(home, 'node_modules', agent.program);
    assert.ok(fs.existsSync(program), `the package has no program for this platform: ${program}`);
    fs.symlinkSync(program, path.join(folder, agent.command));
    for (const [file, content] of Object.entries(agent.settings ?? {})) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), JSON.stringify(content));
    }
    return true;
  }

  for (const agent of WRAPPED_AGENTS)
    for (const api of agent.apis)
      it(`${agent.name} finishes its task under karl wrap, with a server of ${api}`, async function () {
        if (install(agent) === undefined) return this.skip();
        await open(agent.window, Math.ceil(agent.window / 128), { api, pause: agent.pause });
        const wrapped = [path.join(root, 'src/karl.ts'), 'wrap', '--upstream', model.url, '--model', 'scripted'];
        const words = [process.execPath, ...wrapped, agent.command, ...agent.words];
        check(await run(words, agent.environment(folder)));
        assertPrinted(path.join(folder, 'work'), steps);
        assert.ok(model.rewritten >= 4 && model.rewritten <= steps / 2, `rewritten ${model.rewritten} times`);
      });

  for (const agent of WRAPPED_AGENTS.filter(({ command }) => command !== 'gemini'))
    it(`the copied settings lead ${agent.command} to the gateway`, async function () {
      if (install(agent) === undefined) return this.skip();
      steps = 3;
      model = await startModel({ window: 100_000, steps, lines: 20, api: agent.apis[0] ?? 'chat' });
      const gateway = await openGateway();
      const address = gateway.url.replace(/\/v1$/, '');
      const copy = listAgents().find(({ title }) => title === agent.name)?.copy;
      const copied = copy?.({ address, token: TOKEN, model: 'scripted' }).settings ?? assert.fail('nothing to copy');
      const [file, before = ''] = agent.file ?? [];
      const words = [...agent.words.slice(0, -1), ...(agent.choice ?? []), ...agent.words.slice(-1)];
      try {
        if (file !== undefined) {
          fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
          fs.writeFileSync(path.join(folder, file), `${before}${copied}`);
        }
        const command = file === undefined ? ['sh', '-c', `${copied.trimEnd()} "$@"`, 'sh'] : [agent.command];
        check(await run([...command, ...words], agent.environment(folder)));
      } finally {
        await gateway.close();
      }
    });

  for (const [name, what, expected] of [
    ['claude', 'its sub-agent', [TASK, SUBTASK]],
    ['opencode', 'no request for a title', [TASK]],
  ] as const)
    it(`${name} has a conversation of its own, and ${what}`, async function () {
      const agent = WRAPPED_AGENTS.find(({ command }) => command === name);
      const startable = listAgents().find((one) => one.name === name);
      assert.ok(agent !== undefined && startable !== undefined);
      if (install(agent) === undefined) return this.skip();
      const delegates = name === 'claude';
      steps = 4;
      model = await startModel({ window: 100_000, steps, lines: 20, api: agent.apis[0] ?? 'chat', delegates });
      const onProblem = (problem: Words) => assert.fail(inEnglish(problem));
      const store = new ThreadFiles({ root: path.join(folder, 'karl'), now: () => Date.now(), onProblem });
      const gateway = await openGateway(store);
      const address = gateway.url.replace(/\/v1$/, '');
      const { environment, words, remove } = startable.prepare({ address, token: TOKEN, model: 'scripted' });
      try {
        const all = { ...agent.environment(folder), ...environment };
        check(await run([agent.command, ...words, ...agent.words], all), delegates);
      } finally {
        remove();
        await gateway.close();
      }
      assert.equal(model.beside > 0, name === 'opencode');
      const listed = await store.list();
      assert.ok(listed.ok);
      // OpenCode writes quotes around what it was given as one word.
      const titles = listed.value.map(({ title }) => title.replace(/^"/, ''));
      assert.deepEqual(titles.sort(), [...expected].sort());
      assert.ok(listed.value.every(({ client }) => client === agent.name));
    });
});
