import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Gateway } from '../../src/adapters/gateway/gateway.ts';
import { Upstream } from '../../src/engine/upstream.ts';
import { installApart } from '../vscode/setup/install.mjs';
import { root } from '../vscode/setup/root.ts';
import { AI_SDK, LANGCHAIN, TERMINAL_AGENTS, WRAPPED_AGENTS } from './programs.ts';
import { DONE, type ScriptedModel, startModel } from './scriptedModel.ts';

const TOKEN = 'gateway-token';

describe('clients of others at the gateway, with a model that refuses what is longer than its window', () => {
  let model: ScriptedModel;
  let gateway: Gateway;
  let folder: string;

  /** A history of more than four windows. `lines`: of the output of a step, some 14 tokens each. */
  async function open(window: number, tool = /^bash$/, argument = 'command', lines = 110): Promise<number> {
    const steps = Math.ceil((window * 4.5) / (lines * 14.5));
    const command = (step: number) =>
      // Gemini CLI runs nothing with a command in a command.
      `seq -f "value %g of part ${step} is computed from the table of sums" ${lines}; echo ${step} >> parts.txt`;
    const call = (step: number) => ({
      [argument]: command(step),
      ...(argument === 'command' && { description: `Prints part ${step}` }),
    });
    model = await startModel({ window, steps, tool, call });
    const upstream = new Upstream({ baseUrl: model.server.baseUrl, key: undefined, layers: [] });
    const onBug = (error: unknown) => assert.fail(String(error));
    const started = await upstream.startGateway({ port: 0, token: TOKEN, onBug });
    assert.ok(started.ok);
    gateway = started.value;
    return steps;
  }

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-clients-'));
  });
  afterEach(async () => {
    await gateway.close();
    await model.server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function run(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
    const [program = '', ...rest] = words;
    const bin = path.dirname(process.execPath);
    const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}`, ...environment };
    const child = spawn(program, rest, {
      cwd: folder,
      env: { ...env, PWD: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.equal(code, 0, said + complaints);
    return said;
  }

  function check(said: string, steps: number): void {
    assert.match(said, new RegExp(`${DONE.replace('.', '\\.')}\\s*$`));
    const agentRequests = model.chats().filter(({ body }) => (body.tools?.length ?? 0) > 1);
    assert.equal(agentRequests.length - model.refused(), steps + 1);
    assert.ok(model.refused() <= 1, `${model.refused()} requests were refused`);
  }

  for (const [name, program] of [
    ['the AI SDK', AI_SDK],
    ['LangChain', LANGCHAIN],
  ] as const)
    for (const stream of ['yes', 'no'])
      it(`${name} finishes its task, ${stream === 'yes' ? '' : 'not '}streaming`, async () => {
        const home = installApart(root, 'clients');
        const steps = await open(16_384);
        const file = path.join(home, `${name.replaceAll(' ', '')}.mjs`);
        fs.writeFileSync(file, program);
        check(await run([process.execPath, file], { URL: gateway.url, TOKEN, STREAM: stream }), steps);
      });

  for (const agent of TERMINAL_AGENTS)
    it(`${agent.name} finishes its task`, async () => {
      const home = installApart(root, `clients-${agent.program}`);
      const steps = await open(agent.window);
      const settings = fs.mkdtempSync(path.join(tmpdir(), 'karl-home-'));
      for (const [name, content] of Object.entries(agent.settings(gateway.url, TOKEN))) {
        fs.mkdirSync(path.dirname(path.join(settings, name)), { recursive: true });
        fs.writeFileSync(path.join(settings, name), content);
      }
      const program = path.join(home, 'node_modules', agent.file ?? `.bin/${agent.program}`);
      check(await run([program, ...agent.words], agent.environment(settings)), steps);
      const lines = fs.readFileSync(path.join(folder, 'parts.txt'), 'utf8').trim().split('\n');
      assert.equal(lines.length, steps);
      fs.rmSync(settings, { recursive: true, force: true });
    });

  for (const agent of WRAPPED_AGENTS)
    it(`${agent.name} finishes its task under karl wrap`, async function () {
      let home: string;
      try {
        home = installApart(root, `clients-${agent.command}`);
      } catch (error) {
        console.log(`${agent.name} cannot be had: ${String(error)}`);
        return this.skip();
      }
      const steps = await open(agent.window, agent.tool, agent.argument, 220);
      const settings = fs.mkdtempSync(path.join(tmpdir(), 'karl-home-'));
      const found = agent.programs.map((one) => path.join(home, 'node_modules', one)).find((one) => fs.existsSync(one));
      assert.ok(found !== undefined, 'the package has no program for this platform');
      fs.symlinkSync(found, path.join(settings, agent.command));
      const wrapped = [
        path.join(root, 'src/karl.ts'),
        'wrap',
        '--upstream',
        model.server.baseUrl,
        '--dialect',
        'chat',
        '--model',
        'scripted',
      ];
      const environment = {
        ...agent.environment(settings),
        PATH: [settings, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      };
      check(await run([process.execPath, ...wrapped, agent.command, ...agent.words], environment), steps);
      assert.equal(model.refused(), 0);
      const lines = fs.readFileSync(path.join(folder, 'parts.txt'), 'utf8').trim().split('\n');
      assert.deepEqual(
        lines,
        Array.from({ length: steps }, (_, step) => String(step + 1)),
      );
      fs.rmSync(settings, { recursive: true, force: true });
    });
});
