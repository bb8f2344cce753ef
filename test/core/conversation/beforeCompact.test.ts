import assert from 'node:assert/strict';
import type { CompactionAbout } from '../../../src/core/conversation/conversationOptions.ts';
import { compact, converse, fill, logOf, START, scripted, WORK, writeAhead } from './kit.ts';

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

  it('a note that was written ahead for adaptive is not used by another strategy', async () => {
    const summarizer = scripted('The import was fixed, and the parts were read one after the other.');
    const conversation = converse(START, { summarizer });
    await writeAhead(conversation, () => summarizer.asked.length);
    await conversation.compact({ trigger: 'command', strategy: 'karl' });
    assert.ok(summarizer.asked.length > 1);
  });

  it('that says no leaves a note that was written ahead for the run that may', async () => {
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
