import assert from 'node:assert/strict';
import { EnvelopeChunks } from '../../../src/adapters/openai/envelopeChunks.ts';
import { ReplyReader } from '../../../src/adapters/openai/replyReader.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import type { AnswerChunk } from '../../../src/core/session/modelClient.ts';

const CALL = ['```', 'tool_call', '\n{"name": "look", ', '"arguments": {}}\n```'];

const spell = (token: string) => ({ content: [{ token, logprob: -1 }] });

function say(content: string | undefined, token = content, finish_reason: string | null = null): AnswerChunk {
  const delta = content === undefined ? {} : { content };
  return { choices: [{ index: 0, delta, logprobs: token === undefined ? null : spell(token), finish_reason }] };
}

/** The texts of an answer that are shown, each with the tokens that spell it out. */
function show(chunks: readonly AnswerChunk[]) {
  const { profile } = resolveProfile({ model: 'm', baseUrl: 'http://127.0.0.1:1/v1' });
  const shown = new EnvelopeChunks();
  const reader = new ReplyReader({ profile: { ...profile, tools: false }, messages: [], tools: [] }, (delta) =>
    shown.takeDelta(delta),
  );
  const out: AnswerChunk[] = [];
  for (const chunk of chunks) {
    reader.take(chunk);
    const one = shown.show(chunk);
    if (one !== undefined) out.push(one);
  }
  const reply = reader.finish({ isDone: true, isClean: true });
  assert.ok(reply?.ok);
  return [...out, ...shown.end(reply.value)].flatMap(({ choices }) =>
    (choices as { delta?: Text; message?: Text; logprobs: ReturnType<typeof spell> | null }[]).map(
      ({ delta, message, logprobs }) => [(delta ?? message)?.content, logprobs?.content[0]?.token],
    ),
  );
}

interface Text {
  readonly content?: string;
}

describe('the answer of a model that writes its calls as text', () => {
  it('is shown without the calls, and without log probabilities, which may spell them out', () => {
    const texts = ['I look. ', '', '', '', '', '', undefined];
    const chunks = [say('I look. '), ...CALL.map((piece) => say(piece)), say('', '', 'stop')];
    assert.deepEqual(
      show(chunks),
      texts.map((text) => [text, undefined]),
    );
    const message = { role: 'assistant', content: `I look.\n\n${CALL.join('')}` };
    const whole = { choices: [{ index: 0, message, logprobs: spell('```'), finish_reason: 'stop' }] };
    assert.deepEqual(show([whole]), [['I look.', undefined]]);
  });

  it('has what was held back because it might begin a call', () => {
    const chunks = [say('a '), say('`'), say('b'), say('` c'), say(undefined, undefined, 'stop')];
    assert.deepEqual(
      show(chunks).map(([text]) => text),
      ['a ', '', '`b', '` c', '', undefined],
    );
  });
});
