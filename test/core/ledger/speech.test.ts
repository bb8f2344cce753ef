import assert from 'node:assert/strict';
import { isStated } from '../../../src/core/ledger/stated.ts';
import { blocksOf, call, factsOf, findFact, human, latest, model } from './script.ts';

describe('constraints', () => {
  for (const sentence of [
    'Never touch the generated folder.',
    'The public API must stay compatible with version 2.',
    "Don't add new dependencies.",
    'Do not force-push to main.',
    'Keep the bundle under 200 kB.',
    'Bitte ändere niemals die Datei config/prod.yaml.',
    'Verwende ausschließlich die Standardbibliothek.',
    '不要修改 legacy 目录下的任何文件。',
    'Ne modifie jamais le schéma de la base.',
    'Nunca borres los registros antiguos.',
    'Никогда не трогай папку vendor.',
    'テストを必ず実行してください。',
    'Non modificare mai lo schema.',
    'Raak de map legacy nooit aan.',
    'Nigdy nie zmieniaj tego pliku.',
    'Ändra aldrig i mappen legacy.',
    'I want examples in Python, not JavaScript.',
    'Ich möchte Beispiele in Python statt in JavaScript.',
  ]) {
    it(`explicit: ${sentence}`, () => {
      const fact = findFact(factsOf(human(`Hello there. ${sentence}`)), 'constraint', sentence);
      assert.ok(fact);
    });
  }

  const about: readonly (readonly [what: string, text: string, ...rules: string[]])[] = [
    [
      'the sentence before it',
      'We have a queue in Redis. It was slow last week. Never flush it in production! The dashboard shows the load.',
      'It was slow last week. Never flush it in production!',
    ],
    ['the line before it', 'Budget cap: $912\nNever exceed it.', 'Budget cap: $912 Never exceed it.'],
    [
      'the sentence before its paragraph',
      'Hi there.\nThe budget cap is $912 total.\n\nNever exceed it.',
      'The budget cap is $912 total. Never exceed it.',
    ],
    ['what is said in a language without spaces', '预算上限是912美元。绝不超过它。', '预算上限是912美元。绝不超过它。'],
    [
      'not where a rule is before it',
      'The cap is $912. Never exceed it. Always ask before you spend.',
      'The cap is $912. Never exceed it.',
      'Always ask before you spend.',
    ],
    [
      'the end of a long sentence before it',
      `The page is slow${', and nobody knows why'.repeat(14)}, and the cap of this whole year is $912. Never exceed it.`,
      `and nobody knows why${', and nobody knows why'.repeat(10)}, and the cap of this whole year is $912. Never exceed it.`,
    ],
    [
      'the item before it in a list',
      '- The budget cap is $912 total.\n- Never exceed it.\n- Always ask.',
      'The budget cap is $912 total. - Never exceed it.',
      'Always ask.',
    ],
    ['nothing before code', 'The cap is $912.\n```\ncap()\n```\nNever exceed 912.', 'Never exceed 912.'],
  ];
  for (const [what, text, ...rules] of about) {
    it(`keeps what it is about: ${what}`, () => {
      const [block] = blocksOf(human(text));
      assert.deepEqual(latest('constraint', human(text)), rules);
      for (const fact of factsOf(human(text))) assert.ok(isStated(fact, String(block?.messages[0].text)));
    });
  }

  it('cuts an endless sentence at a word within 300 characters', () => {
    const [value = ''] = latest('constraint', human(`Never change ${'the file and '.repeat(80)}`));
    assert.ok(value.length <= 300 && value.length > 250);
    assert.match(value, /(?:the|file|and)$/);
  });

  for (const sentence of [
    'Do you always sort them?',
    "I don't know what happened.",
    'const a = { must: [1], b: (x) => x };',
    "We probably don't need it any more.",
    "We don't have tests yet, and they still don't use the cache.",
    'That must have worked, it shouldn’t happen again.',
    'This means that hooks can never be removed.',
    'The doc must:',
    'Ce n’est pas grave.',
    'Use it, no problem.',
    '1535: the values must be of one class',
  ]) {
    it(`none in: ${sentence}`, () => assert.deepEqual(latest('constraint', human(sentence)), []));
  }

  it('ends at the full stops of each script, and not inside a link', () => {
    const chinese = '\u4f60\u597d\uff01\u4e0d\u8981\u4fee\u6539\u6d4b\u8bd5\uff1b\u8c22\u8c22\u3002';
    assert.deepEqual(latest('constraint', human(chinese)), [chinese.slice(0, -3)]);
    const link = 'Never call https://x.test/a?b=1;c=2 in tests.';
    assert.deepEqual(latest('constraint', human(link)), [link]);
  });

  it('belongs to the human: neither the model nor a client sets rules', () => {
    const client = human('<system-reminder>Never say this.</system-reminder>');
    assert.deepEqual(latest('constraint', model('You must never do this.'), client), []);
  });

  it("stands beside the words that lift it: both are the human's, in their order", () => {
    for (const [rule, lifted] of [
      ['Never edit the file schema/users.sql.', 'You may now edit the file schema/users.sql.'],
      ['Bitte ändere niemals die Datei schema/users.sql.', 'Die Regel zu schema/users.sql gilt nicht mehr.'],
      ['不要修改数据库迁移文件。', '现在可以修改数据库迁移文件了。'],
    ] as const)
      assert.deepEqual(latest('constraint', human(rule), model('ok'), human(lifted)), [rule, lifted]);
  });

  it('is also what was said when a call was declined', () => {
    const said =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n";
    const declined = call('Edit', { file_path: 'a.ts' }, `${said}Never push from here.`);
    const [rule] = factsOf(declined).filter((fact) => fact.class === 'constraint');
    assert.deepEqual([rule?.value, rule?.at], ['Never push from here.', 1]);
    assert.deepEqual(latest('constraint', call('Bash', { command: 'cat x' }, `${said}Never push from here.`)), []);
    assert.deepEqual(latest('constraint', call('Edit', {}, `${said}You may now push from here.`)), []);
  });

  it('keeps its numbers: a list mark is followed by a space', () => {
    const figure = '2.6 s is at most what it may take, never more.';
    assert.deepEqual(latest('constraint', human(figure)), [figure]);
    const marked = human('2. Never push.\n- [ ] Never merge.');
    assert.deepEqual(latest('constraint', marked), ['Never push.', 'Never merge.']);
  });
});
