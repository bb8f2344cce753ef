import assert from 'node:assert/strict';
import { assistant, tool, user } from '../../core/conversation/kit.ts';
import { writeFloor } from './floor.ts';
import { atomShare, takeExam } from './takeExam.ts';

const question = (...atoms: string[]) => ({ n: 1, kind: 'value', question: 'Which port does the ferry take?', atoms });

const MESSAGES = [
  user('Find the port of the ferry.'),
  ...tool('a', 'bash', { command: 'cat ports' }, `${'nothing\n'.repeat(200)}the ferry takes PORT-77`),
  assistant('The port is PORT-77.'),
  user('Thanks. Now the fares.'),
  assistant('I look at the fares.'),
];

describe("the reader's exam", () => {
  it('counts the atoms that stand in a text, however it is broken, escaped and written', () => {
    assert.equal(atomShare(question('say "No" twice', 'PORT-77'), 'he may Say \\"no\\"\\n twice'), 0.5);
  });

  it('finds the answers in the view, in what recall finds and in the floor', async () => {
    const exam = { session: 'ferry', cut: 4, questions: [question('port-77'), question('the fares')] };
    const { answers, fill } = await takeExam(exam, MESSAGES, { share: 0.5 });
    assert.deepEqual(
      answers.map(({ coverage, recall, floor }) => [coverage, recall, floor]),
      [
        [1, 1, 1],
        [0, 0, 0],
      ],
      'what stands behind the cut is not known',
    );
    assert.ok(fill > 0 && fill <= 1);
  });
});

describe('the floor', () => {
  it('has the words of the human before those of the agent, and both before what tools printed', () => {
    const tight = writeFloor(MESSAGES, 60);
    assert.ok(tight.includes('[t0] user\nFind the port') && tight.includes('[t4] user\nThanks.'));
    assert.ok(!tight.includes('nothing'));
    const wide = writeFloor(MESSAGES, 2000);
    const order = ['[t0] user', '[t1]', 'nothing', '[t3] assistant', '[t5] assistant'].map((part) =>
      wide.indexOf(part),
    );
    assert.deepEqual(
      order,
      order.toSorted((left, right) => left - right),
    );
    assert.ok(!order.includes(-1));
  });
});
