import assert from 'node:assert/strict';
import { counterFor } from '../../src/engine/counters.ts';
import { openConversation, type Summarize } from '../../src/engine.ts';
import { PROFILE, reads, system, user } from '../core/conversation/kit.ts';

const MESSAGES = [system('You are an agent.'), user('Fix it.'), ...reads(30), user('And now?')];

function open(summarize: Summarize) {
  const conversation = openConversation({
    profile: PROFILE,
    strategy: 'karl',
    summarize,
    summaryProfile: { ...PROFILE, id: 'slow', timeoutMs: 50 },
  });
  conversation.append(MESSAGES);
  return conversation;
}

describe('a function that summarizes', () => {
  it('and never answers has failed after the time limit of its profile, and is told to stop', async () => {
    let stopped: AbortSignal | undefined;
    const conversation = open(({ signal }) => {
      stopped = signal;
      return new Promise(() => undefined);
    });
    const report = await conversation.compact();
    assert.equal(report.reason, 'summarizer-failed');
    assert.equal(report.message, 'The summarizer did not answer within 50 ms (timeoutMs of the profile slow).');
    assert.equal(stopped?.aborted, true);
    assert.deepEqual(conversation.view(), MESSAGES);
  });

  it('and gives no text has failed, and the report says so', async () => {
    const report = await open(async () => undefined as unknown as string).compact();
    assert.equal(report.message, 'summarize must return a text, or an object with one, not undefined');
  });

  it('and says that its text is cut is asked for the rest, and fails when that is cut too', async () => {
    let asked = 0;
    const report = await open(async () => {
      asked += 1;
      return { text: 'The parts were read.\nThe part that', complete: false };
    }).compact();
    assert.equal(asked, 2);
    assert.match(report.message ?? '', /cut at its limit of \d+ tokens twice/);
  });
});

it('the counter is made once for each encoding', () => {
  assert.equal(counterFor('cl100k_base'), counterFor('cl100k_base'));
  assert.notEqual(counterFor('cl100k_base'), counterFor('o200k_base'));
});
