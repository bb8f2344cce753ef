import assert from 'node:assert/strict';
import type { Shown } from '../../../src/host/present/entries.ts';
import { aroundMessage, fromMessage, NEWEST } from '../../../src/host/present/shownRows.ts';
import type { ViewState } from '../../../src/protocol/viewState.ts';
import { given, present } from './kit.ts';

const conversation = given({ messages: Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'Go on.' })) });

/** The first row, the number of rows, and how many messages come before and after them. */
function window({ entries, earlier, later }: ViewState) {
  return [entries[0]?.key, entries.length, earlier, later];
}

const shown = (part: Shown) => window(present(conversation, { shown: part }));

describe('the rows that are shown', () => {
  it('are the newest at the end, and as many as a page can bear from where the reader is, in any conversation', () => {
    assert.deepEqual(shown(NEWEST), ['m9960', 40, 9960, 0]);
    assert.deepEqual(shown(fromMessage(9940)), ['m9940', 60, 9940, 0]);
    assert.deepEqual(shown(fromMessage(0)), ['m0', 300, 0, 9700]);
    assert.deepEqual(shown(fromMessage(9700)), ['m9700', 300, 9700, 0]);
    assert.deepEqual(shown(aroundMessage(500)), ['m480', 300, 480, 9220]);
    assert.deepEqual(shown(aroundMessage(3)), ['m0', 300, 0, 9700]);
  });

  it('are those of the end when no message is that far on', () => {
    assert.deepEqual(shown(fromMessage(10_000)), ['m9700', 300, 9700, 0]);
    assert.deepEqual(shown(aroundMessage(99_999)), ['m9700', 300, 9700, 0]);
  });

  it('include a reply that streams in only when they reach the end', () => {
    const streaming = { text: 'I look', reasoning: '', calls: [], tokens: 2 };
    const last = (part: Shown) => present(conversation, { shown: part, streaming }).entries.at(-1)?.key;
    assert.equal(last(NEWEST), 'm10000');
    assert.equal(last(fromMessage(0)), 'm299');
  });
});
