import assert from 'node:assert/strict';
import { UsageMeter } from '../../../src/core/conversation/usageMeter.ts';
import { inEnglish } from '../../../src/language/language.ts';

const counted = (tokens: number) => ({ tokens, source: 'counted' }) as const;

/** A meter after requests that were counted as `tokens` and reported as these. */
function meterAfter(tokens: number, ...reports: readonly number[]): UsageMeter {
  const meter = new UsageMeter();
  for (const prompt_tokens of reports) {
    meter.noteRequest(tokens);
    meter.report({ prompt_tokens });
  }
  return meter;
}

describe('the usage meter', () => {
  it('takes the reported figure for the request that was sent, and scales what came since', () => {
    const meter = meterAfter(1_000, 1_100);
    assert.deepEqual(meter.scale(counted(1_000)), { tokens: 1_100, source: 'reported' });
    assert.deepEqual(meter.scale(counted(1_500)), { tokens: 1_650, source: 'counted' });
  });

  it('continues where the newest report ended when the view is changed, taken back, or opened again', () => {
    const meter = meterAfter(1_000, 1_400);
    meter.noteRequest(10_000);
    meter.report({ prompt_tokens: 10_000 });
    meter.forgetRequest();
    assert.equal(meter.scale(counted(9_900)).tokens, 9_900, 'less was sent: the figure is lower');
    assert.equal(meter.scale(counted(10_000)).tokens, 10_000, 'an undo gives the figure from before');
    const opened = new UsageMeter();
    opened.calibration = meter.calibration;
    assert.equal(opened.scale(counted(10_000)).tokens, 10_000);
  });

  it('says once that a server drops part of the prompt', () => {
    const meter = new UsageMeter();
    const report = () => {
      meter.noteRequest(20_000);
      return meter.report({ prompt_tokens: 4_096 });
    };
    assert.match(inEnglish(report().message ?? ''), /4,096 prompt tokens for a request of about 20,000/);
    assert.equal(report().message, undefined);
  });

  it('finds where a server cuts prompts: reports that stay while requests grow; nothing else shows it', () => {
    const windowsOf = (counted: readonly number[], reported: readonly number[], cached: readonly number[] = []) => {
      const meter = new UsageMeter();
      return counted.map((tokens, at) => {
        meter.noteRequest(tokens);
        const prompt_tokens_details = { cached_tokens: cached[at] ?? 0 };
        return meter.report({ prompt_tokens: reported[at] ?? 0, prompt_tokens_details }).window;
      });
    };
    const windows = windowsOf([3_000, 5_000, 9_000, 17_682], [3_100, 4_096, 4_060, 4_096]);
    assert.deepEqual(windows, [undefined, undefined, 4_096, 4_096]);
    const isFound = (...reports: Parameters<typeof windowsOf>) => windowsOf(...reports).at(-1) !== undefined;
    assert.ok(!isFound([3_000, 6_000, 12_000], [3_900, 7_800, 15_600]), 'it counts more');
    assert.ok(!isFound([5_000, 9_000, 14_000, 20_000], [5_000, 900, 1_100, 800]), 'it leaves out what was cached');
    const leftOut = windowsOf([20_000, 26_000, 46_000, 66_000, 86_000], [20_000, 6_000, 20_000, 20_000, 20_000]);
    assert.deepEqual(new Set(leftOut), new Set([undefined]), 'however alike the figures are');
    const cached = [0, 4_000, 9_000, 0];
    assert.ok(!isFound([5_000, 9_000, 14_000, 20_000], [5_000, 5_000, 5_000, 20_000], cached), 'and says so');
    assert.ok(!isFound([300, 600, 1_200], [300, 300, 300]), 'too little to say anything');
  });

  it('knows sooner when it knows how the server counts', () => {
    const meter = meterAfter(10_000, 10_200, 10_100);
    meter.noteRequest(14_000);
    assert.match(inEnglish(meter.report({ prompt_tokens: 8_192 }).message ?? ''), /dropped part/);
    assert.equal(meterAfter(14_000, 8_192).calibration.reports, 1, 'a first report may be of another way of counting');
  });

  it('adds cached tokens where the server leaves them out of the prompt', () => {
    const meter = new UsageMeter();
    for (const prompt_tokens of [10_300, 1_300]) {
      meter.noteRequest(10_000);
      assert.equal(meter.report({ prompt_tokens, prompt_tokens_details: { cached_tokens: 9_000 } }).message, undefined);
      assert.equal(meter.scale(counted(10_000)).tokens, 10_300);
    }
  });
});
