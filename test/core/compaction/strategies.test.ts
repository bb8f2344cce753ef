import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { assistant, converse, reads, reasonOf, scripted, system, user } from '../conversation/kit.ts';

const NOTES = scripted('Done: the parts of a larger file were read.');

function whole(conversation: Conversation): number[] {
  const view = new Set(conversation.request());
  return conversation.transcript.messages.filter((message) => view.has(message.wire)).map((message) => message.id);
}

/** `count` turns of a request, a read and an answer. */
function turns(count: number, lines = 30): ChatMessage[] {
  return Array.from({ length: count }, (_, number) => [
    user(`Request ${number}.`),
    ...reads(1, lines, number),
    assistant(`Part ${number} is read.`),
  ]).flat();
}

describe('karl', () => {
  it('keeps the last 10 messages; one note of the model replaces the rest', async () => {
    const conversation = converse([system('You read the parts of a larger file.'), ...reads(20), user('And now?')], {
      summarizer: NOTES,
    });
    const result = await conversation.compact({ trigger: 'command', strategy: 'karl' });
    assert.equal(result.kind, 'compacted');
    // 41 messages after the prompt; the last 10 begin inside a call with its result, which stays whole.
    assert.deepEqual(whole(conversation), [0, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41]);
    assert.match(
      String(conversation.request()[1]?.content),
      /\[t1-30\] 30 messages\nSummary by the model of \[t1-30\], as of t30; later messages take precedence:\nDone: the parts of a larger file were read\./,
    );
  });

  it('is due at 50 messages of the view', () => {
    const small = Array.from({ length: 49 }, (_, number) => (number % 2 === 0 ? user('go on') : assistant('ok')));
    const conversation = converse(small, { strategy: 'karl', summarizer: NOTES });
    assert.equal(conversation.due(), undefined);
    conversation.append([assistant('ok')]);
    assert.equal(conversation.due(), 'message-count');
    assert.equal(converse([...small, ...small], { strategy: 'adaptive' }).due(), undefined, 'for karl only');
  });

  it('has nothing to do when there are no more messages than it keeps', async () => {
    const result = await converse(reads(5), { summarizer: NOTES }).compact({ trigger: 'command', strategy: 'karl' });
    assert.equal(reasonOf(result), 'too-few-messages');
  });
});

describe('sandwich', () => {
  it('keeps the top 20 % and the bottom 30 % by tokens, in whole blocks', async () => {
    const messages = reads(40);
    const conversation = converse(messages, { summarizer: NOTES });
    const total = conversation.viewTokens();
    const result = await conversation.compact({ trigger: 'command', strategy: 'sandwich' });
    assert.equal(result.kind, 'compacted');
    const kept = whole(conversation);
    const share = (ids: number[]) =>
      ids.reduce((sum, id) => sum + conversation.tokensOf(messages[id] ?? user('')).tokens, 0) / total;
    const gap = kept.findIndex((id, index) => id !== index);
    const top = share(kept.slice(0, gap));
    const bottom = share(kept.slice(gap));
    assert.ok(top > 0.17 && top <= 0.2, `top ${top}`);
    assert.ok(bottom > 0.27 && bottom <= 0.3, `bottom ${bottom}`);
    assert.ok(kept.length % 2 === 0, 'no call is parted from its result');
  });

  it('keeps the head of the first run in the second, and its note word for word', async () => {
    const conversation = converse(reads(40), { summarizer: NOTES });
    await conversation.compact({ trigger: 'command', strategy: 'sandwich', targetTokens: 9000 });
    const after = conversation.request();
    const note = after.findIndex((message) => String(message.content).startsWith('<karl-history'));
    const head = after.slice(0, note + 1);
    conversation.append(reads(40, 30, 100));
    const second = await conversation.compact({ trigger: 'command', strategy: 'sandwich', targetTokens: 9000 });
    assert.equal(second.kind, 'compacted');
    assert.deepEqual(conversation.request().slice(0, note + 1), head);
    assert.match(String(conversation.request()[note + 1]?.content), /karl-history/);
  });
});

it('heuristic drops the oldest blocks until the target holds, and no more', async () => {
  const conversation = converse([system('You are an agent.'), ...reads(30), user('And now?')]);
  const result = await conversation.compact({ trigger: 'command', strategy: 'heuristic', targetTokens: 8000 });
  assert.ok(result.kind === 'compacted' && result.reachedTarget && result.receipt.promise === 'handles-only');
  assert.ok(result.receipt.tokensAfter > 7000, `${result.receipt.tokensAfter} tokens: it dropped too much`);
  const kept = whole(conversation);
  const newest = Array.from({ length: kept.length - 1 }, (_, index) => 61 - index).reverse();
  assert.deepEqual(kept, [0, ...newest]);
});

describe('extractive', () => {
  it('keeps the newest turns that fit; the rest becomes notes', async () => {
    const conversation = converse(turns(20));
    const result = await conversation.compact({ trigger: 'command', strategy: 'extractive', targetTokens: 4000 });
    assert.ok(result.kind === 'compacted' && result.reachedTarget);
    // Short closing reports of the earlier turns may stay real messages.
    const kept = whole(conversation);
    const turn = kept.findIndex((id, index) => id % 4 === 0 && kept.length - index === 80 - id);
    assert.ok(turn >= 0 && kept.length - turn > 8, kept.join(' '));
  });

  it('has nothing to cut in a single turn', async () => {
    const result = await converse([user('Read all.'), ...reads(30)]).compact({
      trigger: 'command',
      strategy: 'extractive',
      targetTokens: 2000,
    });
    assert.equal(reasonOf(result), 'single-turn');
  });
});
