import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { call, factsOf, human, model } from './script.ts';

const QUESTION = 'Which store for the sessions?';
const labels = (...list: string[]) => list.map((label) => ({ label, description: 'why' }));

function decisions(...messages: readonly (ChatMessage | ChatMessage[])[]): (readonly [string, string | undefined])[] {
  return factsOf(...messages)
    .filter((fact) => fact.class === 'decision' && fact.supersededAt === undefined)
    .map((fact) => [fact.value, fact.anchor] as const);
}

describe('answers to tools that ask', () => {
  for (const [shape, messages] of [
    [
      'questions and answers in a sentence',
      call(
        'AskUserQuestion',
        { questions: [{ question: QUESTION, header: 'Store', options: labels('Ruby', 'Topaz') }] },
        `User has answered your questions: "${QUESTION}"="Topaz". You can now continue.`,
      ),
    ],
    ['a choice', call('ask_user', { question: QUESTION, choices: ['Ruby', 'Topaz'] }, 'User selected: Topaz')],
    [
      'an element',
      call('ask_followup_question', { question: QUESTION, options: '["Ruby","Topaz"]' }, '<answer>\nTopaz\n</answer>'),
    ],
    [
      'suggestions',
      call(
        'ask_followup_question',
        { question: QUESTION, follow_up: [{ text: 'Ruby' }, { text: 'Topaz' }] },
        '<user_message>\nTopaz\n</user_message>',
      ),
    ],
    [
      'answers by heading',
      call(
        'askQuestions',
        { questions: [{ header: 'Store', question: QUESTION, options: labels('Ruby', 'Topaz') }] },
        '{"answers":{"Store":{"selected":["Topaz"],"freeText":null}}}',
      ),
    ],
    [
      'answers by id',
      call(
        'request_user_input',
        { questions: [{ id: 's1', question: QUESTION, options: labels('Ruby', 'Topaz') }] },
        '{"answers":{"s1":{"answers":["Topaz"]}}}',
      ),
    ],
    [
      'an id of the option',
      call(
        'AskQuestion',
        {
          questions: [
            {
              id: 'q1',
              prompt: QUESTION,
              options: [
                { id: 'a', label: 'Ruby' },
                { id: 'b', label: 'Topaz' },
              ],
            },
          ],
        },
        'Responses:\n- q1: b',
      ),
    ],
    ['a number', call('prompt_user', { prompt: QUESTION, choices: ['Ruby', 'Topaz'] }, 'User chose: 2')],
    [
      'a form',
      call(
        'elicit',
        { message: QUESTION, requestedSchema: { properties: { store: { enum: ['Ruby', 'Topaz'] } } } },
        '{"action":"accept","content":{"store":"Topaz"}}',
      ),
    ],
    [
      'tool use in text',
      [
        model(
          `<ask_followup_question>\n<question>${QUESTION}</question>\n<follow_up>\n<suggest>Ruby</suggest>\n<suggest>Topaz</suggest>\n</follow_up>\n</ask_followup_question>`,
        ),
        human(`[ask_followup_question for 'x'] Result:\n<answer>\nTopaz\n</answer>`),
      ],
    ],
    [
      'a tool of any name whose result is an option',
      call('fragen', { question: QUESTION, options: ['Ruby', 'Topaz'] }, 'Topaz'),
    ],
  ] as const) {
    it(`are decisions with what was not taken: ${shape}`, () => {
      assert.deepEqual(decisions(...messages), [[`${QUESTION} → Topaz`, 'Ruby']]);
    });
  }

  it('are kept in the words of the human when they are none of the options', () => {
    const asked = call(
      'ask_user',
      { question: QUESTION, choices: ['Ruby', 'Topaz'] },
      'User responded: a signed cookie',
    );
    assert.deepEqual(decisions(...asked), [[`${QUESTION} → a signed cookie`, undefined]]);
  });

  it('renew the answer to the same question', () => {
    const ask = (answer: string) => call('ask_user', { question: QUESTION, choices: ['Ruby', 'Topaz'] }, answer);
    assert.deepEqual(decisions(...ask('User selected: Ruby'), ...ask('User selected: Topaz')), [
      [`${QUESTION} → Topaz`, 'Ruby'],
    ]);
  });

  it('are none where nobody answered or nothing was asked', () => {
    for (const messages of [
      call('ask_user', { question: QUESTION, choices: ['Ruby', 'Topaz'] }, 'User dismissed the question'),
      call('ask_user', { question: QUESTION, choices: ['Ruby', 'Topaz'] }),
      call('search', { query: 'ruby?', options: ['case', 'word'] }, 'case.ts: word'),
      call('TaskUpdate', { text: 'x', choices: ['Ruby', 'Topaz'] }, 'Updated: Topaz'),
    ]) {
      assert.deepEqual(decisions(...messages), []);
    }
  });
});
