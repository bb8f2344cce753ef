import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { call, factsOf, human, model } from './script.ts';

/** The to-dos that hold at the end, each with its state. */
function todos(...messages: readonly (ChatMessage | ChatMessage[])[]): string[] {
  return factsOf(...messages)
    .filter((fact) => fact.class === 'todo' && fact.supersededAt === undefined)
    .map((fact) => `${fact.state}: ${fact.value}`);
}

describe('to-dos in prose', () => {
  const WORK = 'Give parse_rows a timeout';

  for (const [label, state] of [
    ['Still to do', 'open'],
    ['All that remains', 'open'],
    ['**Not finished yet**', 'open'],
    ['Parked for later', undefined],
    ['Saved for later', 'deferred'],
    ['On hold', 'deferred'],
    ['Steht noch aus', 'open'],
    ['Reste à faire', 'open'],
    ['Queda por hacer', 'open'],
    ['Manca ancora', 'open'],
    ['Nog te doen', 'open'],
    ['Ещё осталось', 'open'],
    ['Jeszcze do zrobienia', 'open'],
    ['まだ残っているタスク', 'open'],
    ['以后再处理', 'deferred'],
    ['나중에 할 일', 'deferred'],
    ['Blocked by the release', 'blocked'],
    ['No longer needed', 'cancelled'],
    ['The callback', undefined],
    ['Note', undefined],
  ] as const) {
    it(`${label} says ${state ?? 'nothing of a to-do'}`, () =>
      assert.deepEqual(
        todos(model(`I looked at it. ${label}: ${WORK}.`)),
        state === undefined ? [] : [`${state}: ${WORK}`],
      ));
  }

  for (const [news, state] of [
    [`All done now: ${WORK}.`, 'done'],
    [`${WORK} – erledigt.`, 'done'],
    [`I have finished “${WORK}”.`, 'done'],
    [`- ${WORK}: terminé`, 'done'],
    [`✅ ${WORK}`, 'done'],
    [`먼저 봅니다. ${WORK.toLowerCase()}: 끝냈습니다.`, 'done'],
    [`Das war die Stelle. „${WORK}“ ist jetzt abgeschlossen.`, 'done'],
    ['The timeout that parse_rows was to give is done; the tests pass.', 'done'],
    [`Put off until later: ${WORK}`, 'deferred'],
    [`${WORK}: no longer needed.`, 'cancelled'],
    [`Reopened: ${WORK}`, 'open'],
    [`Once “${WORK}” is done we can ship.`, 'open'],
    ['Give parse_cells a timeout: done.', 'open'],
  ] as const) {
    it(`the newest state holds: ${news}`, () =>
      assert.deepEqual(todos(human(`still open: ${WORK}`), model(news)), [`${state}: ${WORK}`]));
  }

  it('a list below a label is a list of to-dos', () => {
    assert.deepEqual(
      todos(
        model('Tests pass.\n\n## What is left\n\n1. Rename the flag\n2. Write the guide\n\nThat is all.\n- a remark'),
      ),
      ['open: Rename the flag', 'open: Write the guide'],
    );
  });

  it('what was done without having been a to-do is none', () => {
    assert.deepEqual(todos(model('The migration is done. Everything is finished now.')), []);
    assert.deepEqual(todos(model('Still open: nothing.')), []);
  });

  it('a list tool ends only what it named itself', () => {
    const list = (status: string) => call('TodoWrite', { todos: [{ content: 'Write the guide', status }] }, 'ok');
    assert.deepEqual(todos(list('pending'), model(`Still open: ${WORK}.`), list('completed')), [
      `open: ${WORK}`,
      'completed: Write the guide',
    ]);
    assert.deepEqual(todos(list('pending'), model('Finished now: write the guide.')), ['done: Write the guide']);
  });
});

describe('to-dos in files', () => {
  const shell = (text: string) => call('exec_command', { cmd: `cat > notes/TODO.md <<'EOF'\n${text}\nEOF` }, '');

  it('an older writing of the same file ends', () => {
    assert.deepEqual(todos(shell('- [ ] rename the flag\n- [ ] write the guide'), shell('- [x] rename the flag')), [
      'done: rename the flag',
    ]);
  });

  it('an edit renews what it touches and takes off what it removes', () => {
    const first = call(
      'write_file',
      { path: 'TODO.md', content: '- [ ] rename the flag\n- [ ] write the guide\n- [ ] ship' },
      'ok',
    );
    const edit = call(
      'edit',
      {
        path: 'TODO.md',
        old_string: '- [ ] rename the flag\n- [ ] write the guide',
        new_string: '- [x] rename the flag',
      },
      'ok',
    );
    assert.deepEqual(todos(first, edit), ['open: ship', 'done: rename the flag']);
  });
});
