import assert from 'node:assert/strict';
import { assistant, tool, user } from '../../core/conversation/kit.ts';
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

  it('finds the answers in the view and in what recall finds', async () => {
    const exam = { session: 'ferry', cut: 4, questions: [question('port-77'), question('the fares')] };
    const { answers, fill } = await takeExam(exam, MESSAGES, { share: 0.5 });
    assert.deepEqual(
      answers.map(({ coverage, recall }) => [coverage, recall]),
      [
        [1, 1],
        [0, 0],
      ],
      'what stands behind the cut is not known',
    );
    assert.ok(fill > 0 && fill <= 1);
  });
});
