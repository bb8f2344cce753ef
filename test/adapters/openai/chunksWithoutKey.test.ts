import assert from 'node:assert/strict';
import { chunksWithoutKey, chunkWithoutKey } from '../../../src/adapters/openai/chunksWithoutKey.ts';
import { ReplyReader } from '../../../src/adapters/openai/replyReader.ts';
import { resolveProfile } from '../../../src/core/profile/resolve.ts';
import type { AnswerChunk } from '../../../src/core/session/modelClient.ts';

const KEY = 'sk-proj-ABCDEFGHIJKLMNOPQRSTUVWX0123456789';
const [START, LAST] = [KEY.slice(0, -1), KEY.slice(-1)];

function say(delta: object, finish_reason: string | null = null): AnswerChunk {
  return { id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason }] };
}

/** What is passed on, and how many chunks had come at that time. */
async function pass(chunks: readonly AnswerChunk[], key = KEY, ending?: Error) {
  let came = 0;
  async function* stream() {
    for (const chunk of chunks) {
      came += 1;
      yield chunk;
    }
    if (ending !== undefined) throw ending;
  }
  const out: AnswerChunk[] = [];
  const at: number[] = [];
  let thrown: unknown;
  try {
    for await (const chunk of chunksWithoutKey(stream(), key)) {
      out.push(chunk);
      at.push(came);
    }
  } catch (error) {
    thrown = error;
  }
  return { out, at, thrown };
}

function messageOf(chunks: readonly AnswerChunk[]) {
  const { profile } = resolveProfile({ model: 'm', baseUrl: 'http://127.0.0.1:1/v1' });
  const reader = new ReplyReader(profile, () => undefined);
  for (const chunk of chunks) reader.take(chunk);
  const reply = reader.finish();
  assert.ok(reply?.ok);
  return reply.value.message;
}

describe('a key in the chunks of an answer', () => {
  const call = (id: string, args: string, index: number | undefined = 0) => ({
    ...(index !== undefined && { index }),
    id,
    type: 'function',
    function: { name: `run_${id}`, arguments: args },
  });

  it('is removed together with the log probabilities that spell it out, and those after it', async () => {
    const spell = (token: string): AnswerChunk => ({
      choices: [{ index: 0, delta: { content: token }, logprobs: { content: [{ token, logprob: -1, bytes: [1] }] } }],
    });
    const pieces = ['The', ' key', ' is', ' ', ...(KEY.match(/.{1,5}/g) ?? []), ' today', '.'];
    const { out } = await pass([...pieces.map(spell), say({}, 'stop')]);
    const tokens = out.flatMap(({ choices }) =>
      (choices as { logprobs?: { content: { token: string }[] } | null }[]).flatMap((choice) =>
        (choice.logprobs?.content ?? []).map(({ token }) => token),
      ),
    );
    assert.deepEqual(tokens, ['The', ' key', ' is', ' ']);
    const [whole] = [...pieces.map(spell)];
    const choice = {
      index: 0,
      message: { content: `It is ${KEY}.` },
      logprobs: { content: pieces.map((token) => ({ token })) },
    };
    assert.deepEqual(chunkWithoutKey({ choices: [choice, { index: 1 }] }, KEY).choices, [
      { index: 0, message: { content: 'It is ***.' }, logprobs: null },
      { index: 1 },
    ]);
    assert.equal(chunkWithoutKey(whole ?? assert.fail(), KEY), whole);
  });

  it('is removed with the log probabilities of a later chunk, even before its end; in its choice only', async () => {
    const spelled = (index: number, delta: object, tokens: readonly string[]) => ({
      index,
      delta,
      logprobs: { content: tokens.map((token) => ({ token, bytes: [...Buffer.from(token)] })) },
    });
    const tokens = KEY.match(/.{1,5}/g) ?? [];
    const other = { choices: [spelled(1, { content: 'hm' }, ['hm'])] };
    const late = { choices: [spelled(1, {}, ['hm']), spelled(0, {}, tokens)] };
    const hidden = { choices: [late.choices[0], { ...late.choices[1], logprobs: null }] };
    const { out } = await pass([say({ content: START }), late, say({ content: `${LAST} y` }), other, late]);
    assert.deepEqual(out, [say({ content: '' }), hidden, say({ content: '*** y' }), other, hidden]);
    const call = (args: string) => say({ tool_calls: [{ index: 0, function: { arguments: args } }] });
    assert.deepEqual((await pass([call(`"${KEY}"`), late])).out.at(-1), hidden);
    assert.equal((await pass([say({ content: 'fine' }), late])).out.at(-1), late);
  });

  it('leaves calls alone that share an index', async () => {
    const calls = [call('a', '{"p":"a"}'), call('b', '{"p":"b"}')];
    const chunks = [say({ tool_calls: calls }), say({}, 'tool_calls')];
    const { out } = await pass(chunks);
    assert.deepEqual(out, chunks);
    assert.deepEqual(messageOf(out), messageOf(chunks));
  });

  it('gives each of the calls that share an index its own end back, in one chunk and in several', async () => {
    const ends = [call('a', '{"p":"sk-proj'), call('b', '{"p":"b sk-pro')];
    const more = { tool_calls: [{ index: 0, function: { arguments: 'X"}' } }] };
    for (const chunks of [
      [say({ tool_calls: ends }), say(more), say({}, 'tool_calls')],
      [...ends.map((one) => say({ tool_calls: [one] })), say(more), say({}, 'tool_calls')],
      [say({ tool_calls: ends }), say({}, 'tool_calls')],
      [
        say({ tool_calls: [ends[0], { index: 0, id: 'b', function: { name: 'b' } }] }),
        say(more),
        say({}, 'tool_calls'),
      ],
      [...ends.map((one) => say({ tool_calls: [one] })), say({}, 'tool_calls')],
    ])
      assert.deepEqual(messageOf((await pass(chunks)).out), messageOf(chunks));
  });

  const between = {
    nothing: {},
    reasoning: { reasoning_content: 'hm' },
    'an empty text': { content: '' },
    'a call': { tool_calls: [call('a', '{}')] },
  };
  for (const [what, delta] of Object.entries(between))
    it(`is found where ${what} comes between its pieces`, async () => {
      const chunks = [say({ content: `x ${START}` }), say(delta), say({ content: `${LAST} y` }), say({}, 'stop')];
      const { out, at } = await pass(chunks);
      assert.deepEqual(at, [1, 2, 3, 4]);
      assert.ok(!JSON.stringify(out).includes('proj'));
      assert.equal(messageOf(out).content, 'x *** y');
    });

  it('is found in the arguments of a call, where another call comes between', async () => {
    const piece = (index: number, args: string) => say({ tool_calls: [{ index, function: { arguments: args } }] });
    const begun = say({ tool_calls: [call('a', `{"k":"${START}`), call('b', '{"k":', 1)] });
    const { out } = await pass([begun, piece(1, '1}'), piece(0, `${LAST}"}`), say({}, 'tool_calls')]);
    assert.ok(!JSON.stringify(out).includes('proj'));
    assert.deepEqual(
      messageOf(out).tool_calls?.map((one) => one.function.arguments),
      ['{"k":"***"}', '{"k":1}'],
    );
  });

  it('holds back only the end of its own text, however much else comes meanwhile', async () => {
    const thoughts = Array.from({ length: 500 }, (_, at) => say({ reasoning_content: `thought ${at} ` }));
    const chunks = [say({ content: 'see sk-proj' }), ...thoughts, say({}, 'stop')];
    const { out, at } = await pass(chunks);
    assert.deepEqual(out.slice(1, 501), thoughts);
    assert.deepEqual(
      at.slice(0, 501),
      Array.from({ length: 501 }, (_, index) => index + 1),
    );
    assert.equal(messageOf(out).content, 'see sk-proj');
  });

  it('lets go of what was held back before the answer ends, in the form in which it came', async () => {
    const part = { type: 'text', text: 'see sk-proj' };
    const end = say({}, 'stop');
    const { out, at } = await pass([say({ role: 'assistant', content: [part] }), end, say({ content: 'sk-proj' })]);
    assert.deepEqual(out, [
      say({ role: 'assistant', content: [{ ...part, text: 'see ' }] }),
      say({ content: [{ ...part, text: 'sk-proj' }] }),
      end,
      say({ content: '' }),
      say({ content: 'sk-proj' }),
    ]);
    assert.deepEqual(at, [1, 2, 2, 3, 3]);
    const last = [say({ content: 'see sk-proj' }, 'stop')];
    assert.deepEqual((await pass(last)).out, last);
  });

  it('loses nothing of a stream that breaks', async () => {
    const cut = new Error('cut');
    const { out, thrown } = await pass([say({ content: `${KEY} and sk-proj` }), say({})], KEY, cut);
    assert.deepEqual(out, [say({ content: '*** and ' }), say({}), say({ content: 'sk-proj' })]);
    assert.equal(thrown, cut);
  });

  describe('that begins like the name of the model, of a call or of a role', () => {
    const LOCAL = 'qwen-local-secret-key-123';
    const chunk = (content: string) => ({ ...say({ role: 'qwen', content }), id: 'qwen', model: 'qwen' });
    const chunksOf = (count: number) => Array.from({ length: count }, (_, at) => chunk(`word${at} `));

    it('lets every chunk pass at once, as it came', async () => {
      const named = { ...call('qwen', '{}'), function: { name: 'qwen', arguments: '{}' } };
      const chunks = [...chunksOf(20), say({ tool_calls: [named] }), say({}, 'stop')];
      const { out, at } = await pass(chunks, LOCAL);
      assert.ok(out.every((one, index) => one === chunks[index]));
      assert.deepEqual(
        at,
        chunks.map((_, index) => index + 1),
      );
      const echoed = await pass([{ ...chunk('x'), model: `qwen ${LOCAL}` }], LOCAL);
      assert.deepEqual(echoed.out, [{ ...chunk('x'), model: 'qwen ***' }]);
    });

    it('takes work in proportion to the chunks', async () => {
      const [few, many] = [await charactersRead(chunksOf(2_000)), await charactersRead(chunksOf(8_000))];
      assert.ok(few > 0);
      assert.ok(many / few < 5, `${few} characters for 2000 chunks, ${many} for 8000`);
    });

    /** How many characters are searched for the key. */
    async function charactersRead(chunks: readonly AnswerChunk[]): Promise<number> {
      let read = 0;
      const { exec } = RegExp.prototype;
      RegExp.prototype.exec = function (text) {
        read += text.length - this.lastIndex;
        return exec.call(this, text);
      };
      try {
        await pass(chunks, LOCAL);
      } finally {
        RegExp.prototype.exec = exec;
      }
      return read;
    }
  });
});
