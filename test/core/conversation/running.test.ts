import assert from 'node:assert/strict';
import type { Summarizer } from '../../../src/core/compaction/summarizers/summarizer.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { CompactionAbout, ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { hangs, hangsForGood } from '../../laws/hostileSummarizers.ts';
import { asksForCheck, compact, converse, fill, logOf, reads, START, scripted, user, WORK, writeAhead } from './kit.ts';

/** A summarizer that answers once it is let go. */
function held(): { summarizer: Summarizer; letGo(): void; calls(): number } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  const write: Summarizer['write'] = async ({ messages }) => {
    if (asksForCheck(messages)) return { text: 'none', complete: true };
    calls += 1;
    await promise;
    return { text: 'Done: the import was fixed.', complete: true };
  };
  return { summarizer: { model: 'held', inputLimit: 32_000, write }, letGo: resolve, calls: () => calls };
}

const untilAsked = async (calls: () => number) => {
  while (calls() === 0) await new Promise((resolve) => setImmediate(resolve));
};

function waiting(options: Partial<ConversationOptions> = { strategy: 'karl' }) {
  const { summarizer, ...rest } = held();
  return { conversation: converse(WORK, { summarizer, ...options }), ...rest };
}

describe('while a compaction runs', () => {
  it('a second request joins the first', async () => {
    const { conversation, letGo, calls } = waiting();
    const first = conversation.compact({ trigger: 'command' });
    const second = conversation.compact({ trigger: 'threshold', strategy: 'heuristic' });
    await untilAsked(calls);
    letGo();
    assert.equal(await first, await second);
    assert.equal(conversation.compactions().length, 1);
    assert.equal(calls(), 1);
  });

  for (const own of [{ strategy: 'heuristic' }, { targetTokens: 500 }, { instructions: 'keep it' }] as const)
    it(`a command with ${Object.keys(own)} of its own runs after it`, async () => {
      const { conversation, letGo, calls } = waiting();
      const first = conversation.compact({ trigger: 'threshold' });
      const second = conversation.compact({ trigger: 'command', ...own });
      await untilAsked(calls);
      letGo();
      assert.equal((await first).kind, 'compacted');
      assert.notEqual(await second, await first);
    });

  it('whoever joined it has a run of their own when another ends it', async () => {
    const stop = new AbortController();
    const asked: AbortSignal[] = [];
    const summarizer: Summarizer = {
      model: 'held',
      inputLimit: 32_000,
      write: ({ messages, signal }) => {
        if (asksForCheck(messages)) return Promise.resolve({ text: 'none', complete: true });
        asked.push(signal);
        if (asked.length > 1) return Promise.resolve({ text: 'Done: the import was fixed.', complete: true });
        stop.abort();
        return Promise.reject(new Error('aborted'));
      },
    };
    const conversation = converse(WORK, { strategy: 'karl', summarizer });
    const first = conversation.compact({ trigger: 'threshold', signal: stop.signal });
    const others = [1, 2].map(() => conversation.compact({ trigger: 'threshold' }));
    assert.equal((await first).kind, 'cancelled');
    const [second, third] = await Promise.all(others);
    assert.equal(second?.kind, 'compacted');
    assert.equal(second, third);
    assert.deepEqual([asked.length, conversation.compactions().length], [2, 1]);
  });

  it('a signal that has aborted before ends it before the model is asked', async () => {
    const { conversation, letGo, calls } = waiting();
    const result = conversation.compact({ trigger: 'command', signal: AbortSignal.abort() });
    letGo();
    assert.equal((await result).kind, 'cancelled');
    assert.equal(calls(), 0);
  });

  for (const [what, meddle] of [
    ['a pin', (conversation: ReturnType<typeof converse>) => conversation.pin(5)],
    ['an undo', (conversation: ReturnType<typeof converse>) => conversation.undo()],
  ] as const) {
    it(`${what} makes its result void, and nothing else changes`, async () => {
      const { conversation, letGo, calls } = waiting({});
      await compact(conversation, { strategy: 'heuristic', targetTokens: 8000 });
      conversation.append([...reads(20, 20, 200), user('Again.')]);
      const run = conversation.compact({ trigger: 'command', strategy: 'karl' });
      await untilAsked(calls);
      meddle(conversation);
      const view = JSON.stringify(conversation.request());
      letGo();
      assert.equal((await run).kind, 'cancelled');
      assert.equal(JSON.stringify(conversation.request()), view);
    });
  }

  for (const [what, write] of [
    ['that listens', hangs],
    ['that does not listen', hangsForGood],
  ] as const) {
    it(`it can be cancelled, with a summarizer ${what}`, async () => {
      const stop = new AbortController();
      const asked = Promise.withResolvers<void>();
      const summarizer: Summarizer = {
        model: 'hangs',
        inputLimit: 8000,
        write: async (request) => {
          asked.resolve();
          const text = await write({ ...request, messages: [...request.messages] });
          return { text: String(text), complete: true };
        },
      };
      const conversation = converse(WORK, { strategy: 'karl', summarizer });
      const view = JSON.stringify(conversation.request());
      const run = conversation.compact({ trigger: 'command', signal: stop.signal });
      await asked.promise;
      stop.abort();
      assert.equal((await run).kind, 'cancelled');
      assert.equal(JSON.stringify(conversation.request()), view);
      await compact(conversation, { strategy: 'heuristic', targetTokens: 3000 });
    });
  }
});

describe('a fallback', () => {
  const fails: Summarizer = { model: 'gone', inputLimit: 8000, write: () => Promise.reject(new Error('503 gone')) };

  it('runs only when one is named', async () => {
    const conversation = converse(WORK, { strategy: 'karl', summarizer: fails });
    const result = await conversation.compact({ trigger: 'command' });
    assert.deepEqual(result, {
      kind: 'failed',
      strategy: 'karl',
      error: { kind: 'summarizer-failed', message: '503 gone' },
    });
    assert.deepEqual(conversation.request(), WORK);
  });

  it('is named by the result and the receipt', async () => {
    const conversation = converse(WORK, { strategy: 'karl', fallback: 'heuristic', summarizer: fails });
    const { fellBackFrom, receipt } = await compact(conversation);
    assert.deepEqual([fellBackFrom, receipt.fellBackFrom, receipt.strategy], ['karl', 'karl', 'heuristic']);
    assert.equal(receipt.fellBackBecause, '503 gone');
  });

  it('is not asked when there was nothing to do', async () => {
    const conversation = converse([user('hello')], { strategy: 'heuristic', fallback: 'adaptive' });
    const result = await conversation.compact({ trigger: 'threshold' });
    assert.ok(result.kind === 'skipped' && result.reason === 'already-under-target' && result.strategy === 'heuristic');
  });

  for (const strategy of ['karl', 'sandwich'] as const) {
    it(`${strategy} without a summarizer fails by name, and changes nothing`, async () => {
      const conversation = converse(WORK);
      const result = await conversation.compact({ trigger: 'command', strategy });
      assert.ok(result.kind === 'failed' && result.error.kind === 'no-summarizer');
      // A user without an editor has no settings: the editor offers its own remedy.
      assert.match(inEnglish(result.error.message), new RegExp(`^Strategy ${strategy} needs a model(?!.*karl\\.)`));
      assert.deepEqual(conversation.request(), WORK);
    });
  }
});

describe('a summary written ahead', () => {
  const answer = 'The import was fixed, and the parts were read one after the other.';

  it('is used by the run that needs it: the model is asked once, before the threshold', async () => {
    const summarizer = scripted(answer);
    const conversation = converse(START, { summarizer });
    fill(conversation, 0.5);
    conversation.prepare(new AbortController().signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(summarizer.asked.length, 0, 'not yet near the threshold');
    await writeAhead(conversation, () => summarizer.asked.length);
    fill(conversation, 0.85);
    const { receipt } = await compact(conversation, { trigger: 'threshold' });
    assert.deepEqual([receipt.model, receipt.modelCalls], ['scripted', 2], 'the summary and its check');
    assert.equal(summarizer.asked.length, 1);
    assert.ok(JSON.stringify(conversation.request()).includes(answer));
  });

  it('is waited for when it is still being written, and the event says so', async () => {
    const { summarizer, letGo, calls } = held();
    const conversation = converse(START, { summarizer });
    const waits: unknown[] = [];
    conversation.on((event) => event.type === 'compaction-started' && waits.push(event.waitsFor));
    await writeAhead(conversation, calls);
    const run = conversation.compact({ trigger: 'threshold' });
    letGo();
    assert.equal((await run).kind, 'compacted');
    assert.deepEqual([waits, calls()], [['summary'], 1]);
  });

  for (const [what, request, change] of [
    ['something has been pinned since', {}, (conversation: Conversation) => conversation.pin(5)],
    ['the run uses another strategy', { strategy: 'karl' }, () => undefined],
    ['the run has instructions', { instructions: 'keep part3' }, () => undefined],
  ] as const)
    it(`is not used when ${what}`, async () => {
      const summarizer = scripted(answer);
      const conversation = converse(START, { summarizer });
      await writeAhead(conversation, () => summarizer.asked.length);
      change(conversation);
      await conversation.compact({ trigger: 'command', ...request });
      assert.ok(summarizer.asked.length > 1);
    });

  it('that cannot be had is no failure: the run asks again', async () => {
    let calls = 0;
    const summarizer: Summarizer = {
      model: 'flaky',
      inputLimit: 32_000,
      write: async ({ messages }) => {
        if (asksForCheck(messages)) return { text: 'none', complete: true };
        calls += 1;
        if (calls === 1) throw new Error('503');
        return { text: answer, complete: true };
      },
    };
    const conversation = converse(START, { summarizer });
    await writeAhead(conversation, () => calls);
    assert.deepEqual([(await compact(conversation)).receipt.model, calls], ['flaky', 2]);
  });
});

/** A conversation whose work pauses; `onPause` gets the number of each pause. */
function pausing(onPause: (pause: number) => void) {
  let pauses = 0;
  return converse(WORK, {
    ports: {
      newId: () => 'run1',
      now: () => 0,
      elapsed: () => 0,
      pause: async () => {
        pauses += 1;
        onPause(pauses);
      },
    },
  });
}

it('a run that is stopped records nothing, be it at the last moment', async () => {
  let last = 0;
  const whole = pausing((pause) => {
    last = pause;
  });
  assert.equal((await whole.compact({ trigger: 'command' })).kind, 'compacted');
  const abort = new AbortController();
  const stopped = pausing((pause) => {
    if (pause === last) abort.abort();
  });
  const result = await stopped.compact({ trigger: 'command', signal: abort.signal });
  assert.equal(result.kind, 'cancelled');
  assert.deepEqual(stopped.compactions(), []);
});

describe('what is asked before a compaction', () => {
  it('is told what is about to run, and lets it run', async () => {
    const told: CompactionAbout[] = [];
    const conversation = converse(WORK, {
      beforeCompact: async (about) => {
        told.push(about);
        return undefined;
      },
    });
    const { used, limit } = conversation.budget();
    await compact(conversation, { strategy: 'heuristic', instructions: 'keep it' });
    assert.deepEqual(told, [
      {
        trigger: 'command',
        strategy: 'heuristic',
        model: 'test',
        instructions: 'keep it',
        tokens: { before: used.tokens, limit },
      },
    ]);
  });

  it('may say no: nothing changes, the reason is in the result and not in the log, the trigger waits for growth', async () => {
    const conversation = converse(START, { beforeCompact: async () => 'the secret release is under way' });
    const lines = logOf(conversation);
    fill(conversation, 0.85);
    const before = JSON.stringify(conversation.request());
    assert.equal(conversation.due(), 'threshold');
    assert.deepEqual(await conversation.compact({ trigger: 'threshold' }), {
      kind: 'skipped',
      strategy: 'adaptive',
      reason: 'vetoed',
      message: 'the secret release is under way',
    });
    assert.equal(JSON.stringify(conversation.request()), before);
    assert.equal(conversation.due(), undefined);
    assert.match(lines.join('\n'), /outcome=skipped reason=vetoed/);
    assert.doesNotMatch(lines.join('\n'), /secret/);
  });

  it('a veto keeps the prepared note for the next allowed run', async () => {
    let may = false;
    const summarizer = scripted('The import was fixed, and the parts were read one after the other.');
    const conversation = converse(START, {
      summarizer,
      beforeCompact: async () => (may ? undefined : 'not now'),
    });
    await writeAhead(conversation, () => summarizer.asked.length);
    assert.equal((await conversation.compact({ trigger: 'threshold' })).kind, 'skipped');
    may = true;
    await compact(conversation);
    assert.equal(summarizer.asked.length, 1);
  });
});
