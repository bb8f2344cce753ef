import assert from 'node:assert/strict';
import {
  DEFAULT_THRESHOLDS,
  deriveBudget,
  targetTokens,
  triggerTokens,
  UNBOUNDED,
} from '../../../src/core/model/budget.ts';
import { learn, UNCALIBRATED } from '../../../src/core/model/calibration.ts';
import { type ModelProfile, windowAround } from '../../../src/core/model/profile.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import { PROFILE } from '../conversation/kit.ts';

const USED = { tokens: 10, source: 'counted' } as const;

describe('the budget', () => {
  it('is the window without the reserve', () => {
    const { window, reserve, limit } = deriveBudget(PROFILE, USED);
    assert.deepEqual([window, reserve, limit], [10_000, 1000, 9000]);
  });

  it('is the input limit where the provider states a lower one', () => {
    assert.equal(deriveBudget({ ...PROFILE, inputLimit: 7000 }, USED).limit, 7000);
    assert.equal(deriveBudget({ ...PROFILE, inputLimit: 20_000 }, USED).limit, 9000);
  });

  it('has no limit where nobody stated a window, nor where a server accepted more than was stated', () => {
    const { contextWindow: _, ...unknown } = PROFILE;
    for (const [profile, accepted] of [
      [unknown, 0],
      [unknown, 31_000],
      [PROFILE, 12_000],
    ] as const) {
      const budget = deriveBudget(profile as ModelProfile, USED, { accepted });
      assert.deepEqual([budget.limit, budget.windowSource, budget.accepted], [UNBOUNDED, 'unknown', accepted]);
    }
    assert.equal(deriveBudget(PROFILE, USED, { accepted: 10_500 }).windowSource, 'profile');
  });

  it('trusts an error more than the profile', () => {
    const { window, windowSource, limit } = deriveBudget(PROFILE, USED, { learned: { tokens: 4000, source: 'error' } });
    assert.deepEqual([window, windowSource, limit], [4000, 'error', 3000]);
  });

  it('leaves prompts a quarter of the window, however large a reserve is', () => {
    assert.equal(deriveBudget({ ...PROFILE, completionReserve: 50_000 }, USED).limit, 2500);
  });
});

describe('the window of a model that states only an input limit', () => {
  const limitOf = (profile: ModelProfile, input: number) =>
    deriveBudget(profile, USED, { learned: { tokens: windowAround(profile, input), source: 'server' } }).limit;

  it('leaves all of that to prompts, whatever the reserve is', () => {
    const { profile } = resolveProfile('some-model');
    for (const input of [1000, 12_000, 12_003, 128_000, 229_376, 1_000_000]) {
      assert.equal(limitOf(profile, input), input);
      assert.equal(limitOf({ ...profile, outputLimit: 900, completionReserve: 900 }, input), input);
      assert.equal(limitOf({ ...profile, completionReserve: 5000 }, input), input);
    }
  });
});

describe('thresholds', () => {
  const room = (fixed = 0, unread = 0) => ({ limit: 10_000, fixed, unread });

  it('start at the lower of the fraction and the absolute number', () => {
    assert.equal(triggerTokens({ fraction: 0.8, target: 0.5 }, room()), 8000);
    assert.equal(triggerTokens({ fraction: 0.8, target: 0.5, tokens: 5000 }, room()), 5000);
    assert.equal(triggerTokens({ fraction: 0.8, target: 0.5, tokens: 9000 }, room()), 8000);
  });

  it('aim below where they start, always', () => {
    assert.equal(targetTokens(DEFAULT_THRESHOLDS, room()), 5000);
    assert.equal(targetTokens({ fraction: 0.3, target: 0.9 }, room()), 2700);
  });

  it('are fractions of what is left beside the part that no run may change; an absolute number is not', () => {
    assert.equal(triggerTokens(DEFAULT_THRESHOLDS, room(6000)), 9200);
    assert.equal(targetTokens(DEFAULT_THRESHOLDS, room(6000)), 8000);
    assert.equal(triggerTokens({ ...DEFAULT_THRESHOLDS, tokens: 7000 }, room(6000)), 7000);
  });

  it('let a run go deeper where the newest round is large, and wait for the limit where that gains too little', () => {
    const triggers = [1, 500, 1500].map((unread) => triggerTokens(DEFAULT_THRESHOLDS, room(4000, unread)));
    assert.deepEqual(triggers, [8800, 8800, 10_000]);
    const targets = [1, 500, 1000].map((unread) => targetTokens(DEFAULT_THRESHOLDS, room(4000, unread)));
    assert.deepEqual(targets, [7001, 7250, 5700]);
    assert.equal(triggerTokens({ ...DEFAULT_THRESHOLDS, tokens: 5000 }, room(1000, 3000)), 5000);
  });
});

describe('calibration', () => {
  it('follows what the server reports', () => {
    let state = UNCALIBRATED;
    for (let report = 0; report < 20; report += 1) state = learn(state, 1200, 1000).state;
    assert.ok(Math.abs(state.factor - 1.2) < 0.001);
    const moved = learn(state, 1400, 1000);
    assert.equal(moved.verdict, 'learned');
    assert.ok(moved.state.factor > 1.2 && moved.state.factor < 1.4);
  });

  it('ignores outliers and prompts too small to say anything', () => {
    assert.deepEqual(learn(UNCALIBRATED, 9000, 1000), { state: UNCALIBRATED, verdict: 'outlier' });
    assert.deepEqual(learn(UNCALIBRATED, 300, 100), { state: UNCALIBRATED, verdict: 'too-small' });
    assert.deepEqual(learn(UNCALIBRATED, 0, 1000), { state: UNCALIBRATED, verdict: 'outlier' }, 'unknown is never 0');
    assert.deepEqual(learn(UNCALIBRATED, Number.NaN, 1000), { state: UNCALIBRATED, verdict: 'outlier' });
    assert.deepEqual(learn(UNCALIBRATED, 90_000, 100), { state: UNCALIBRATED, verdict: 'outlier' });
  });

  it('recognises a server that dropped part of the prompt', () => {
    assert.deepEqual(learn(UNCALIBRATED, 2048, 9000), { state: UNCALIBRATED, verdict: 'truncated' });
  });
});
