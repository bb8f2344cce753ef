import assert from 'node:assert/strict';
import type { CompactionAbout } from '../../../src/core/conversation/conversationOptions.ts';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import { formatEvent } from '../../../src/core/events/format.ts';
import { assistant, converse, fill, reads, scripted, system, user } from './kit.ts';

const WORK = [system('You are an agent.'), user('Fix the import.'), ...reads(20), assistant('Done.'), user('And now?')];

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
    const result = await conversation.compact({ trigger: 'command', strategy: 'heuristic', instructions: 'keep it' });
    assert.equal(result.kind, 'compacted');
    assert.deepEqual(told, [
      {
        trigger: 'command',
        strategy: 'heuristic',
        model: 'test',
        instructions: 'keep it',
        usedTokens: used.tokens,
        limitTokens: limit,
      },
    ]);
  });

  it('may say no: nothing changes, the reason is in the result and not in the log, the trigger waits for growth', async () => {
    const start = [system('You are an agent.'), user('Fix the import.')];
    const conversation = converse(start, { beforeCompact: async () => 'the secret release is under way' });
    const lines: string[] = [];
    const log = (event: KarlEvent) => lines.push(formatEvent(event, { at: 0, conversation: 'c', model: 'm' }) ?? '');
    conversation.on(log);
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

  it('a note that was written ahead for adaptive is not used by another strategy', async () => {
    const summarizer = scripted('The import was fixed, and the parts were read one after the other.');
    const conversation = converse([system('You are an agent.'), user('Fix the import.')], { summarizer });
    fill(conversation, 0.75);
    conversation.prepare(new AbortController().signal);
    while (summarizer.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await conversation.compact({ trigger: 'command', strategy: 'karl' });
    assert.ok(summarizer.asked.length > 1);
  });

  it('that says no leaves a note that was written ahead for the run that may', async () => {
    let may = false;
    const summarizer = scripted('The import was fixed, and the parts were read one after the other.');
    const conversation = converse([system('You are an agent.'), user('Fix the import.')], {
      summarizer,
      beforeCompact: async () => (may ? undefined : 'not now'),
    });
    fill(conversation, 0.75);
    conversation.prepare(new AbortController().signal);
    while (summarizer.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await conversation.compact({ trigger: 'threshold' })).kind, 'skipped');
    may = true;
    assert.equal((await conversation.compact({ trigger: 'command' })).kind, 'compacted');
    assert.equal(summarizer.asked.length, 1);
  });
});
