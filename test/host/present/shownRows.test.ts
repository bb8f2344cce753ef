import assert from 'node:assert/strict';
import type { Shown } from '../../../src/host/present/entries.ts';
import { atEnd, NEWEST, withEarlier, withMessage } from '../../../src/host/present/shownRows.ts';
import { given, present } from './kit.ts';

const conversation = given({ messages: Array.from({ length: 500 }, () => ({ role: 'user', content: 'Go on.' })) });
const rows = (shown: Shown) => present(conversation, { shown }).entries.length;

describe('the rows that are shown', () => {
  it('are the newest, more at request, all from a message that is gone to, and the newest again at the end', () => {
    assert.equal(rows(NEWEST), 60);
    assert.equal(rows(withEarlier(NEWEST)), 120);
    const revealed = withMessage(withEarlier(NEWEST), 0);
    assert.equal(rows(revealed), 500);
    assert.equal(rows(atEnd(revealed)), 120);
  });

  it('are more at each request for earlier ones, wherever the reader has gone', () => {
    assert.equal(rows(withMessage(NEWEST, 200)), 300);
    assert.equal(rows(withEarlier(withMessage(NEWEST, 200))), 360);
    assert.equal(rows(withEarlier(withMessage(NEWEST, 495))), 120);
  });
});
