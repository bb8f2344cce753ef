import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { factsOf, human, latest, model } from './script.ts';

const TEXT = (fact: { value: string; anchor?: string }): string => `${fact.value} ${fact.anchor ?? ''}`;

describe('decisions that are told with what spoke against the other', () => {
  for (const sentence of [
    'I considered wick for the mail queue, but it needs a daemon, so plank it is.',
    'Celery was tempting for the mail queue; still, it doubles the image, hence Dramatiq.',
    'Between wick and plank I picked plank: it is smaller.',
    '{T}: plank (rejected: wick, too old)'.replace('{T}', 'Mail queue'),
    'Postfach: Dramatiq (verworfen: Celery, zu schwer)',
    'Ich habe Celery erwogen, doch es braucht einen Dienst, daher Dramatiq.',
    'Für das Postfach setze ich auf plank und gegen wick.',
    'Zwischen plank und wick habe ich plank gewählt.',
    'Decisão: plank, e não wick, porque já o temos.',
    'Entre plank e wick, escolhi plank: é menor.',
    "J'ai envisagé wick, mais il est lent, donc plank.",
    'Ho considerato wick, ma è lento, quindi plank.',
    'Między plank a wick wybrałem plank.',
    'Я рассматривал Celery, но он тяжёлый, поэтому Dramatiq.',
    '{t}는 Dramatiq를 쓰고 Celery는 버립니다.'.replace('{t}', '메일 큐'),
    '邮件队列也考虑过 Celery，但它太重，所以用 Dramatiq。',
    '{t}には Celery も検討しましたが、重いので Dramatiq にします。'.replace('{t}', 'メール'),
  ]) {
    it(sentence, () => assert.deepEqual(latest('decision', model(`Read the code.\n\n${sentence}`)), [sentence]));
  }

  it('stand in a table that has a column for what was not taken', () => {
    const said =
      '| Topic | Chosen | Rejected |\n|---|---|---|\n| mail queue | plank | wick |\n\nThe rest:\n\n| a | b | c |';
    assert.deepEqual(latest('decision', model(said)), ['| mail queue | plank | wick |']);
  });

  it('none where a sentence only reports', () => {
    for (const told of [
      'I changed the parser, but the test fails, so I look at the lexer.',
      'The `Parser` calls `Lexer`, but `Lexer` throws, so `Parser` stops.',
      '- Parser: reads tokens (not comments)',
      'I considered the edge cases and they are covered.',
      'Between the Parser and the Lexer there is a queue.',
    ]) {
      assert.deepEqual(latest('decision', model(told)), [], told);
    }
  });
});

describe('a later decision', () => {
  for (const [before, after] of [
    [
      'For rate limiting I am going with plank instead of wick.',
      'Change of mind on rate limiting: Rollup replaces plank, since it is smaller.',
    ],
    [
      'Decision: plank for PDF export, wick is out.',
      'I revisited PDF export: dropping plank in favour of Typst, because it streams.',
    ],
    ['- Mail queue: Celery (rejected: wick)', '- Mail queue: Dramatiq (rejected: Celery, too heavy)'],
    [
      'Entscheidung: Celery für das Postfach, wick scheidet aus.',
      'Noch einmal zum Postfach: Celery fällt weg, stattdessen Dramatiq.',
    ],
    ['Para a fila vou usar Celery em vez de wick.', 'Mudei de ideia sobre a fila: Dramatiq substitui Celery.'],
    ['决定：邮件队列采用 Celery，排除 wick。', '重新考虑了邮件队列：放弃 Celery，改用 Dramatiq。'],
    ['메일 큐에는 wick 대신 Celery를 쓰겠습니다.', '메일 큐에 대해 생각을 바꿨습니다. Celery 대신 Dramatiq를 씁니다.'],
    ['I went with Celery rather than wick.', 'Change of mind: Dramatiq replaces Celery.'],
  ] as const) {
    it(`ends the one that it repeats: ${after}`, () => {
      const [old, ...newer] = factsOf(model(before), human('go on'), model(after)).filter(
        (f) => f.class === 'decision',
      );
      assert.equal(old?.supersededAt, 2);
      assert.equal(newer.at(-1)?.key, old?.key);
      assert.equal(newer.at(-1)?.supersededAt, undefined);
    });
  }

  for (const [before, after] of [
    ['For the session cache I use Redis over Memcached.', 'For the asset cache I use Varnish instead of Redis.'],
    ['For the cache I use Redis over Memcached.', 'For the cache of the thumbnails I use Varnish instead of Redis.'],
    ['Decision: Vitest, not Jest.', 'Decision: Playwright, not Cypress.'],
    ['后台任务用 Celery，不用 Dramatiq。', '搜索索引用 Solr，不用 Celery。'],
  ] as const) {
    it(`ends none about something else: ${after}`, () => {
      assert.deepEqual(latest('decision', model(before), human('go on'), model(after)), [before, after]);
    });
  }

  it('is read in time whatever the text is', () => {
    const names = 'x-'.repeat(140);
    const start = performance.now();
    factsOf(model(`We decided on ${names}. A`.repeat(200)), model(`I use a over ${'b '.repeat(50)}. `.repeat(300)));
    assert.ok(performance.now() - start < 5000);
  });

  it('names what was turned down', () => {
    const [fact] = factsOf(model('I went with Dramatiq rather than Celery.'));
    assert.ok(fact !== undefined && TEXT(fact).includes('Celery'));
  });
});

describe('what a decision is for, in brackets', () => {
  it('keeps two decisions of the same kind apart', () => {
    const facts = factsOf(
      model('We use cursor pagination (orders) instead of offset pagination.'),
      model('We take cursor pagination (invoices), not offset pagination.'),
    ).filter((fact) => fact.class === 'decision');
    assert.deepEqual(
      facts.map((fact) => fact.supersededAt),
      [undefined, undefined],
    );
  });
});

describe('a replacement that names what was taken before', () => {
  for (const [before, after] of [
    [
      'I considered Airflow for the audit API, but Temporal fits better, so I used that.',
      'After the review we replaced Temporal with Dagster for the audit API.',
    ],
    [
      'Wir nehmen Redis statt Memcached für den Cache von orders.',
      'Wir haben Redis im Cache von orders durch Valkey ersetzt.',
    ],
    [
      'Decisión: argon2id para la caché de invoice; se descartó bcrypt.',
      'Tras la revisión sustituimos argon2id por scrypt para la caché de invoice.',
    ],
    ['我们商定 billing 的存储采用 Biome，否决了 ESLint。', 'billing 的存储已从 Biome 换成 oxlint。'],
  ] as const) {
    it(`ends that decision: ${after}`, () => {
      const [old, now] = factsOf(model(before), model(after)).filter((fact) => fact.class === 'decision');
      assert.equal(old?.supersededAt, 1);
      assert.equal(now?.supersededAt, undefined);
    });
  }

  it('ends no decision about something else', () => {
    const facts = factsOf(
      model('We use Redis instead of Memcached for the cache of orders.'),
      model('After the review we replaced Redis with Valkey for the cache of invoices.'),
    ).filter((fact) => fact.class === 'decision');
    assert.equal(facts[0]?.supersededAt, undefined);
  });
});
