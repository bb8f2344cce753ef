import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import OpenAI from 'openai';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { textReply } from '../../adapters/server/reply.ts';
import { declaredSettings } from '../../manifest.ts';
import { installNode, runNpm } from '../setup/install.mjs';
import { packageEngine } from '../setup/packageEngine.ts';
import { root } from '../setup/root.ts';

/** What the examples of the README import as `./agent.js`: a model and a tool that answer from a script. */
const AGENT = `
import { countTokens } from '@karl-budget/engine';
const definition = { type: 'function', function: { name: 'read_log', parameters: { type: 'object' } } };
export const tools = [definition];
export const runTool = async () => 'all is well\\n'.repeat(50) + 'error TS2304: Cannot find name foo.';
const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
const answer = (messages, message) => ({ usage: { prompt_tokens: countTokens(messages) }, message });
export async function askModel({ messages, max_tokens }) {
  if (max_tokens !== undefined) return answer(messages, { role: 'assistant', content: '- Line 3 says that part 3 of the build took 9 seconds in all. [t7]' });
  const results = messages.filter((message) => message.role === 'tool').map((message) => message.content);
  if (results.length === 0) return answer(messages, { role: 'assistant', content: null, tool_calls: [call('a', 'read_log', {})] });
  if (results.length === 1) return answer(messages, { role: 'assistant', content: null, tool_calls: [call('b', 'karl_recall', { query: 't3' })] });
  return answer(messages, { role: 'assistant', content: 'It broke with ' + /error \\w+/.exec(results[1])[0] });
}
export async function askSmallModel({ messages }) {
  const tokens = countTokens(messages);
  if (tokens <= 2048) return { message: { role: 'assistant', content: 'Yes, in ' + messages.length + ' messages.' } };
  const message = "This model's maximum context length is 2048 tokens. However, your messages resulted in " + tokens + ' tokens.';
  throw Object.assign(new Error(message), { status: 400, code: 'context_length_exceeded' });
}
`;

/** The versions of Node on which everything is tried. */
const MAJORS = [20, 22] as const;

/** Makes a model write the note of a compaction, and prints the outcome. */
const NOTE = `
import { openConversation } from '@karl-budget/engine';
const profile = { id: 'small', contextWindow: 8192, completionReserve: 512 };
const conversation = openConversation({ profile, strategy: 'karl', summarize: async () => 'The numbers were noted one by one.' });
for (let at = 0; at < 60; at += 1)
  conversation.append([{ role: at % 2 === 0 ? 'user' : 'assistant', content: 'Noted number ' + at + '. '.repeat(50) + 'word '.repeat(80) }]);
const report = await conversation.compact();
console.log(report.kind, report.receipt?.model ?? report.message);
`;

/** Each way between the engine and a client of the openai package, without a cast. */
const WITH_OPENAI = `
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { countTokens, openConversation, recallTool, type Summarize } from '@karl-budget/engine';
const client = new OpenAI({ apiKey: 'none' });
const tools: ChatCompletionTool[] = [{ type: 'function', function: { name: 'read_log' } }];
const summarize: Summarize = async ({ messages, maxTokens, signal }) => {
  const { choices, usage } = await client.chat.completions.create({ model: 'm', messages, max_tokens: maxTokens }, { signal });
  return { text: choices[0]?.message.content ?? '', complete: choices[0]?.finish_reason !== 'length', usage };
};
const conversation = openConversation({ profile: { id: 'm', contextWindow: 8192 }, tools, summarize });
const first: ChatCompletionMessageParam[] = [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }];
conversation.append(first);
const recall = recallTool(conversation);
conversation.configure({ tools: [...tools, recall.definition] });
const reply = await client.chat.completions.create({ model: 'm', messages: conversation.view(), tools: [...tools, recall.definition] });
conversation.reportUsage(reply.usage);
for (const { message } of reply.choices) conversation.append([message]);
const sent: ChatCompletionMessageParam[] = conversation.view();
console.log(countTokens(sent));
// @ts-expect-error: there is no such role
conversation.append([{ role: 'usr', content: 'Hello.' }]);
`;

/** What each example prints, in the order of the README. */
const PRINTED: readonly (readonly [language: string, printed: RegExp])[] = [
  ['js', /^It broke with error TS2304\n\d+ of \d+ tokens are used \(\w+\)\n$/],
  ['js', /^Yes, in 3 messages\.\n$/],
  ['js', /^compacted: \d{5} tokens became \d{4,5}\n$/],
  [
    'js',
    /^compacted in \d+ ms\n\[ 'heuristic replaced \d+' \]\nt19 I noted 81\.\ntrue true\nmessage 0: content is missing\n$/,
  ],
  ['cjs', /^\d \d\n$/],
  ['ts', /^nothing-to-compact: .* o200k_base server undefined 0 1 other fetch failed\n$/],
];

describe('the npm package of the engine, outside the repository', () => {
  let folder: string;
  /** By major version: the oldest that the engine promises to run on, and the one after it. */
  const nodes = new Map<number, string>();
  const installed = () => path.join(folder, 'node_modules/@karl-budget/engine');
  const examples = () => {
    const text = fs.readFileSync(path.join(installed(), 'README.md'), 'utf8');
    return [...text.matchAll(/^```(js|cjs|ts)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
      language,
      code,
    }));
  };
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  before(() => {
    for (const major of MAJORS) nodes.set(major, installNode(root, major));
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-engine-'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    fs.writeFileSync(path.join(folder, 'agent.js'), AGENT);
    runNpm(packageEngine(), ['pack', '--pack-destination', folder]);
    const [tarball = ''] = fs.globSync('*.tgz', { cwd: folder });
    runNpm(folder, ['install', '--offline', path.join(folder, tarball)]);
    for (const [index, { language, code }] of examples().entries())
      fs.writeFileSync(path.join(folder, `example${index}.${language}`), code);
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('brings nothing else with it', () => {
    assert.deepEqual(fs.readdirSync(path.join(folder, 'node_modules')).sort(), [
      '.bin',
      '.package-lock.json',
      '@karl-budget',
    ]);
    const files = fs.readdirSync(installed()).sort();
    assert.deepEqual(files, [
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.txt',
      'engine.mjs',
      'gateway.mjs',
      'karl.mjs',
      'mcp.mjs',
      'package.json',
      'ranks.bin',
      'types',
    ]);
  });

  it('has as many examples as are run here', () => {
    const languages = examples().map(({ language }) => language);
    const printed = PRINTED.map(([language]) => language);
    assert.deepEqual(languages, printed);
  });

  for (const [index, [language, printed]] of PRINTED.entries()) {
    // Older ones run no TypeScript without a flag; the compiler has seen that example already.
    const majors = language === 'ts' ? [undefined] : MAJORS;
    for (const major of majors)
      it(`example ${index + 1} of its README runs (${language}, Node ${major ?? 24})`, () => {
        const node = major === undefined ? process.execPath : (nodes.get(major) ?? assert.fail());
        assert.match(run(node, `example${index}.${language}`), printed);
      });
  }

  for (const major of MAJORS)
    it(`asks the model for its note on Node ${major}`, () => {
      fs.writeFileSync(path.join(folder, 'note.js'), NOTE);
      assert.equal(run(nodes.get(major) ?? assert.fail(), 'note.js'), 'compacted small\n');
    });

  for (const major of MAJORS)
    it(`has a gateway that runs on Node ${major}`, async () => {
      const server = await ProviderServer.start();
      server.enqueue(textReply('Hello from behind.'));
      const program = path.join(installed(), 'gateway.mjs');
      const gateway = spawn(nodes.get(major) ?? assert.fail(), [program, '--upstream', server.baseUrl]);
      const [line] = (await once(gateway.stdout, 'data')) as [Buffer];
      const { url, token } = JSON.parse(line.toString()) as { url: string; token: string };
      const client = new OpenAI({ baseURL: url, apiKey: token, maxRetries: 0 });
      const messages = [{ role: 'user' as const, content: 'hello' }];
      const answer = await client.chat.completions.stream({ model: 'scripted', messages }).finalContent();
      gateway.kill();
      await server.close();
      assert.equal(answer, 'Hello from behind.');
    });

  it('is typed for a program that checks its libraries too', () => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022'],
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      skipLibCheck: false,
      noEmit: true,
    };
    fs.symlinkSync(path.join(root, 'node_modules/openai'), path.join(folder, 'node_modules/openai'), 'junction');
    fs.writeFileSync(path.join(folder, 'withOpenai.ts'), WITH_OPENAI);
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    run(process.execPath, path.join(root, 'node_modules/typescript/bin/tsc'), '-p', folder);
  });

  it('says what is missing when a bundle has its code alone', () => {
    fs.mkdirSync(path.join(folder, 'bundle'));
    fs.copyFileSync(path.join(installed(), 'engine.mjs'), path.join(folder, 'bundle/engine.mjs'));
    fs.writeFileSync(
      path.join(folder, 'bundle/count.js'),
      "import { countTokens } from './engine.mjs';\ntry { countTokens('one'); } catch (error) { console.log(error.message); }\n",
    );
    assert.match(run(process.execPath, 'bundle/count.js'), /^ranks\.bin is not in .*bundle.*: copy it there/);
  });

  it('uses every name that it exports in an example, and documents it', () => {
    const types = path.join(installed(), 'types');
    const door = fs.readFileSync(path.join(types, 'engine.d.ts'), 'utf8');
    const reexported = [...door.matchAll(/^export (?:type )?\{(.+?)\}/gm)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    );
    const declared = [...door.matchAll(/^export (?:declare )?(?:function|interface|type|class) (\w+)/gm)];
    const names = [...reexported, ...declared.map(([, name = '']) => name)];
    assert.ok(names.length > 20, names.join(', '));
    const used = new Set(examples().flatMap(({ code }) => code.match(/\w+/g) ?? []));
    const unused = names.filter((name) => !used.has(name));
    assert.deepEqual(unused, []);
    const all = fs.globSync('**/*.d.ts', { cwd: types }).map((file) => fs.readFileSync(path.join(types, file), 'utf8'));
    const documented = new Set(
      all.flatMap((text) =>
        [...text.matchAll(/\*\/\s*\nexport (?:declare )?(?:function|interface|type|class) (\w+)/g)].map(
          ([, name]) => name,
        ),
      ),
    );
    const undocumented = names.filter((name) => !documented.has(name));
    assert.deepEqual(undocumented, []);
  });

  it('names no setting of the extension', () => {
    const text = fs.readFileSync(path.join(installed(), 'engine.mjs'), 'utf8');
    const settings = Object.keys(declaredSettings());
    const named = settings.filter((name) => text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '').includes(name));
    assert.deepEqual(named, []);
  });
});
