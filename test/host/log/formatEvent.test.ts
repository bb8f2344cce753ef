import assert from 'node:assert/strict';
import type { CompactionResult, Receipt } from '../../../src/core/compaction/compaction.ts';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import type { ModelError } from '../../../src/core/model/classify.ts';
import { formatEvent, formatFields, formatLocalTime } from '../../../src/host/log/formatEvent.ts';
import { sentence, speak } from '../../../src/language/language.ts';

const at = Date.UTC(2026, 2, 1, 22, 59, 59, 120);
const context = { at, conversation: 'c-1', model: 'local/test', offsetMinutes: 60 };

const receipt: Receipt = {
  strategy: 'karl',
  aim: 'target',
  rungs: [],
  tokensBefore: 9000,
  tokensAfter: 4000,
  messages: { whole: 31, shortened: 0, replaced: 9 },
  summarized: 9,
  summaryCharacters: 1234,
  facts: [],
  rejected: ['PRIVATE FACT'],
  unverified: 0,
  promise: 'facts-in-view',
  prefixKept: 0.1,
  model: 'summary/model',
  modelCalls: 1,
  modelTokens: { input: 12_000, output: 400, cached: 3000 },
  modelCost: 0.00042,
  ms: 77,
};
const note = { role: 'user', content: 'PRIVATE NOTE TEXT' } as const;
const compacted: CompactionResult = {
  kind: 'compacted',
  reachedTarget: true,
  receipt,
  compaction: {
    id: 'k7',
    at: 0,
    strategy: 'karl',
    trigger: 'threshold',
    transcriptLength: 40,
    replacements: [{ range: { from: 1, to: 9 }, by: { kind: 'note', messages: [note] } }],
    receipt,
  },
};
const ended = (result: CompactionResult): KarlEvent => ({
  type: 'compaction-ended',
  trigger: 'threshold',
  result,
  tokensBefore: 9000,
  tokensAfter: 4000,
  overflowTokens: 0,
  ms: 77.4,
});

const lineOf = (event: KarlEvent) => formatEvent(event, context) ?? '';

describe('the log line of an event', () => {
  it('says everything about a compaction and nothing of its text', () => {
    const line = lineOf(ended(compacted));
    assert.equal(
      line,
      'time=2026-03-01T23:59:59.120+01:00 event=compaction-ended profile=local/test strategy=karl trigger=threshold messages=9 ' +
        'summary_characters=1234 model=summary/model saved_each=5000 read_anew=3100 model_calls=1 ' +
        'model_input_tokens=12000 model_output_tokens=400 model_cached_tokens=3000 cost_usd=0.000420 ' +
        'tokens_before=9000 tokens_after=4000 ms=77 outcome=compacted ' +
        'reached_target=true compaction=k7 conversation=c-1',
    );
    assert.doesNotMatch(line, /PRIVATE/);
  });

  it('names the reason of a run that changed nothing', () => {
    const error = { kind: 'summarizer-failed', message: 'the model said: PRIVATE' } as const;
    for (const [result, says] of [
      [
        { kind: 'skipped', strategy: 'sandwich', reason: 'cuts-meet', message: 'PRIVATE' },
        /profile=local\/test strategy=sandwich .*outcome=skipped reason=cuts-meet/,
      ],
      [{ kind: 'failed', strategy: 'karl', error }, /outcome=failed reason=summarizer-failed/],
      [{ kind: 'cancelled', strategy: 'karl' }, /outcome=cancelled/],
    ] as const) {
      const line = lineOf(ended(result));
      assert.match(line, says);
      assert.doesNotMatch(line, /PRIVATE/);
    }
  });

  it('names the kind of failure of a summary that was left out, and not its sentence', () => {
    const { model: _, ...unwritten } = receipt;
    const without: Receipt = { ...unwritten, withoutNote: 'PRIVATE', withoutNoteKind: 'summarizer-failed' };
    const line = lineOf(ended({ ...compacted, receipt: without }));
    assert.match(line, /without_summary=summarizer-failed .*model_calls=1/);
    assert.doesNotMatch(line, /PRIVATE| model=/);
  });

  it('leaves out what only the gauge needs', () => {
    assert.equal(formatEvent({ type: 'budget-changed' }, context), undefined);
    assert.equal(formatEvent({ type: 'messages-appended', from: 0, to: 3 }, context), undefined);
  });

  const failed = (error: Omit<ModelError, 'retryable'>): KarlEvent => {
    return { type: 'model-error', model: 'asked/model', error: { retryable: false, ...error } };
  };

  it('masks keys in error texts', () => {
    const evidence = 'Incorrect API key: sk-proj-abcdefghijklmnopqrstuvwx';
    assert.match(
      lineOf(failed({ kind: 'other', status: 401, evidence })),
      /model=asked\/model kind=other status=401 retryable=false reason="Incorrect API key: \*\*\*"/,
    );
  });

  it('is in English, whatever the user reads', () => {
    const said = 'nothing listens there';
    speak('de', { [said]: 'dort hört niemand zu' });
    const line = lineOf(failed({ kind: 'other', evidence: sentence(said) }));
    speak('en', {});
    assert.match(line, /reason="nothing listens there"/);
  });

  it('keeps no words of an error that may quote a message', () => {
    const evidence = 'Could not parse: my dear diary, the prompt is too long';
    const line = lineOf(failed({ kind: 'overflow', quoted: true, evidence, words: evidence }));
    assert.match(line, /kind=overflow .*reason=quoted/);
    assert.doesNotMatch(line, /diary/);
  });
});

describe('logfmt', () => {
  it('stays one line whatever a value contains', () => {
    const line = formatFields({ a: 'x\ny\r\u2028\u0085"z\\ =', b: '', c: 3, d: undefined, e: true, f: '\ud800' });
    assert.equal(line, 'a="x\\ny\\r\\u2028\\u0085\\"z\\\\ =" b="" c=3 e=true f=\ufffd');
    assert.equal(line.split(/[\n\r\u2028\u2029\u0085]/u).length, 1);
  });

  it('cuts a value that is too long to read', () => {
    assert.equal(formatFields({ reason: 'x'.repeat(5000) }).length, 'reason='.length + 300);
  });

  it('writes local time with its offset, also west of Greenwich and at half hours', () => {
    assert.equal(formatLocalTime(0, -210), '1969-12-31T20:30:00.000-03:30');
    assert.equal(formatLocalTime(0, 0), '1970-01-01T00:00:00.000+00:00');
  });
});
