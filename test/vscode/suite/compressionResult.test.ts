import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CompactionError, CompactionResult, RunRecord, Trigger } from '../../../src/core/compaction/compaction.ts';
import { announceResult } from '../../../src/host/notices/compressionResult.ts';
import { Notices } from '../../../src/host/notices/notices.ts';
import { sentence } from '../../../src/language/language.ts';
import { makeNotices, partsOf } from '../../host/kit.ts';
import { COMPACTION, RECEIPT } from '../../host/present/kit.ts';

describe('the result of a compression', () => {
  const repeated: unknown[] = [];
  const announce = (announcer: Notices, result: CompactionResult, trigger: Trigger): void =>
    announceResult(result, trigger, {
      ...{ id: 'one', parts: partsOf({ shown: () => 'one' }), announcer },
      own: { again: (inPlaceOf) => repeated.push(inPlaceOf) },
    });
  /** What the visible view says and offers. */
  const told = (result: CompactionResult, trigger: Trigger = 'command') => {
    const notices = makeNotices();
    announce(notices, result, trigger);
    return notices.states.map(({ text, actions }) => [text, ...actions.map(({ label }) => label)]);
  };
  const failed = (error: CompactionError): CompactionResult => ({ kind: 'failed', strategy: 'sandwich', error });
  const message = sentence('Strategy {0} needs a model to write its summaries, and none is set.', 'sandwich');
  const compaction = { ...COMPACTION, receipt: RECEIPT } as RunRecord;
  const compacted = { kind: 'compacted', compaction, receipt: RECEIPT, reachedTarget: true } as const;

  it('repeats the reason of the hook that stopped it', () => {
    const stopped = {
      kind: 'skipped',
      strategy: 'adaptive',
      reason: 'vetoed',
      message: 'A release is under way.',
    } as const;
    const text =
      'The hook karl.hooks.beforeCompact stopped the compression (threshold reached): A release is under way.';
    assert.deepEqual(told(stopped, 'threshold'), [[text, 'Open Settings']]);
  });

  it('says why a strategy that needs a model cannot run without one, and offers another', () => {
    const why =
      'Nothing was compressed (sandwich): Strategy sandwich needs a model to write its summaries, and none is set.';
    assert.deepEqual(told(failed({ kind: 'no-summarizer', message })), [[why, 'Select Model…', 'Other Strategy…']]);
  });

  it('says that the summary is missing, and repeats the run in its place', () => {
    const notices = makeNotices();
    const unwritten = { kind: 'summarizer-failed', message: sentence('The server failed.') } as const;
    announce(notices, { ...compacted, unwritten }, 'command');
    assert.match(notices.states[0]?.text ?? '', /^Compressed without a summary by the model\. The server failed\.$/);
    notices.press('compression', 'Retry');
    assert.deepEqual(repeated, ['abc']);
  });

  it('is a notification with its figures while the view is hidden; the visible view shows it itself', () => {
    assert.deepEqual(told(compacted), []);
    const notified: unknown[] = [];
    const hidden = { isVisible: false, onDidHide: new vscode.EventEmitter<void>().event, refresh: () => undefined };
    announce(
      new Notices(hidden, async (_, text, labels) => void notified.push([text, ...labels])),
      compacted,
      'command',
    );
    const figures = 'Compressed: 12,400 → 5,900 tokens, 83% → 39% of the budget.';
    assert.deepEqual(notified, [[figures, 'Undo', 'Show']]);
  });
});
