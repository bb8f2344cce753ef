import assert from 'node:assert/strict';
import { findFigures } from '../../../src/core/ledger/read/figures.ts';
import { factsOf, model } from './script.ts';

/** Figures of a dialogue: value, and the message that ended it. */
function figures(...said: readonly string[]): string[] {
  return factsOf(...said.map(model))
    .filter((fact) => fact.class === 'number')
    .map((fact) => (fact.supersededAt === undefined ? fact.value : `${fact.value} until ${fact.supersededAt}`));
}

describe('a figure that a sentence gives as what was', () => {
  for (const [sentence, now] of [
    ['I raised DB_TIMEOUT to 456 (was 3471).', '456'],
    ['DB_TIMEOUT is 456 instead of 3471.', '456'],
    ['456 ms p99 latency, down from 3471 ms.', '456 ms'],
    ['The pool went from 40 to 64.', '64'],
    ['We moved it from port 5432 to port 6432.', '6432'],
    ['flush_rows: 400 → 650', '650'],
    ['The wait is not 30 s but 45 s.', '45 s'],
    ['Wir haben von 40 auf 64 erhöht.', '64'],
    ['Jetzt sind es 64 statt 40.', '64'],
    ["J'ai porté la limite de 40 à 64.", '64'],
    ['Subí el límite de 40 a 64.', '64'],
    ['Лимит поднят с 40 до 64.', '64'],
    ['上限从 40 调到 64。', '64'],
    ['上限を40から64に変更しました。', '64'],
  ] as const) {
    it(`is not its newest state: ${sentence}`, () => {
      assert.deepEqual(
        findFigures(sentence).flatMap((figure) => (figure.past ? [] : [figure.value])),
        [now],
      );
    });
  }

  for (const sentence of ['It was 40.', 'Startup was 900 ms, shutdown was 200 ms.', 'Use ports 8000 and 9000.']) {
    it(`all count when none replaces another: ${sentence}`, () => {
      assert.ok(findFigures(sentence).every((figure) => !figure.past));
    });
  }
});

describe('a newer figure of the same thing', () => {
  for (const [before, after] of [
    ['DB_TIMEOUT clocks in at 5732 ms.', 'Got DB_TIMEOUT down to 4371.'],
    ['Tuned tail latency: 4658.', 'Got tail latency down to 455.'],
    ['The staging port is 8123.', 'We moved staging to port 8200.'],
    ['Got http.keepalive down to 7591.', 'http.keepalive must not exceed 3676.'],
    ['The bundle is 1.8 MB.', 'The bundle size went from 1.8 MB to 1.6 MB.'],
    ['We have 118 tests.', 'There are 131 tests now.'],
    ['超时时间设为 3000 毫秒。', '我们把超时时间从 3000 毫秒调到 5000 毫秒。'],
    [
      'The cold start of mail-pool is 410 ms.',
      'New figure from operations: the cold start of mail-pool has been 380 ms since May.',
    ],
    ['We see 115 MB for the footprint of tab-cli.', 'I was wrong, the footprint of tab-cli is 140 MB.'],
    [
      'Ich messe 2211 für die Zahl der Handles in feed-api.',
      'Die Zahl der Handles in feed-api ist 1397; vorhin war es der Debug-Build.',
    ],
    ['mail-pool 的冷启动时间是 715 毫秒', '更正一下，mail-pool 的冷启动时间其实是 232 毫秒。'],
    ['메모리 사용량은 지금 658MB입니다.', '다시 재 보니 메모리 사용량은 317MB입니다.'],
    ['Use 340 for LOCK_TTL.', 'Change of plan: LOCK_TTL goes to 560.'],
  ] as const) {
    it(`ends the older one: ${after}`, () => {
      const [old, now, ...rest] = figures(before, after);
      assert.match(old ?? '', / until 1$/);
      assert.doesNotMatch(now ?? '', /until/);
      assert.deepEqual(rest, []);
    });
  }

  for (const [one, other] of [
    ['The search tail latency is 320 ms.', 'The upload tail latency is 510 ms.'],
    ['The staging port is 8123.', 'The production port is 8124.'],
    ['The cold start of mail-pool is 410 ms.', 'The cold start of feed-api is 380 ms.'],
    ['The footprint of mail-pool is 410 MB.', 'The image size of mail-pool is 380 MB.'],
    ['parse_config has 30 callers.', 'parse_config takes 120 ms.'],
    ['src/config.ts has 30 lines.', 'src/config.ts has 12 exports.'],
    ['Retries for uploads: 15', 'Retries for downloads: 16'],
  ] as const) {
    it(`does not end the figure of another thing: ${other}`, () => {
      assert.ok(figures(one, other).every((figure) => !figure.includes('until')));
    });
  }

  it('keeps two measures of one name that one message gives', () => {
    assert.deepEqual(figures('parse_config has 30 callers. parse_config takes 120 ms.'), ['30', '120 ms']);
  });
});
