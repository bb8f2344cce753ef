import assert from 'node:assert/strict';
import type { ConversationFigures } from '../../../src/core/conversation/figures.ts';
import { type ConversationChoice, presentChoice } from '../../../src/host/present/words.ts';

const now = new Date();
const NINE = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 9, 5).getTime();
const LONG_AGO = new Date(2024, 10, 20, 14, 32).getTime();

const FIGURES: ConversationFigures = {
  at: 5,
  model: 'm',
  used: 43_000,
  usedSource: 'counted',
  limit: 100_000,
  window: 110_000,
  windowSource: 'server',
  reserve: 10_000,
  trigger: 80_000,
  compressions: 2,
  last: { at: LONG_AGO, before: 81_000, after: 40_000 },
};

const present = (choice: Partial<ConversationChoice>, isOpen = false) =>
  presentChoice({ id: 'c1', title: 'Invoices', updatedAt: NINE, ...choice }, isOpen);

describe('a conversation in the list', () => {
  it('says which agent, how full, and when it was compressed and used last: the time of today, or the day too', () => {
    assert.deepEqual(present({ client: 'Cline', figures: FIGURES }), {
      label: 'Invoices',
      description: 'Cline',
      detail: '43% of 100,000 tokens · compressed 2 times, last Nov 20, 14:32 · used 09:05',
    });
    assert.deepEqual(present({ bytes: 12_800 }, true), {
      label: 'Invoices',
      description: 'open now',
      detail: 'used 09:05 · 13 kB',
    });
    assert.equal(present({ client: '' }).description, 'another agent');
  });

  it('shows icons in titles and in names of agents as text', () => {
    const { label, description } = present({ title: '$(trash) mine', client: '$(account) you' });
    assert.ok(!`${label}${description}`.includes('$('));
  });
});
