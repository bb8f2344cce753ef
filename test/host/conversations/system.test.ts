import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { NODE_PORTS as engine } from '../../../src/adapters/node/slices.ts';
import { CONVERSATION_PORTS as host, soon } from '../../../src/host/conversations/system.ts';

describe('the ids of compactions', () => {
  for (const [where, { newId }] of Object.entries({ host, engine }))
    it(`cannot be guessed (${where})`, () => {
      const ids = Array.from({ length: 20 }, newId);
      for (const id of ids) assert.match(id, /^[0-9a-f]{12}$/);
      assert.equal(new Set(ids).size, ids.length);
    });
});

describe('the snapshots of the view', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('are made once for all changes within 50 milliseconds, with the newest state, and only after a change', () => {
    let made = 0;
    const snapshots = soon(() => {
      made += 1;
    }, 50);
    for (let time = 0; time < 1000; time += 1) {
      snapshots.ask();
      mock.timers.tick(1);
    }
    assert.equal(made, 20);
    mock.timers.tick(50);
    mock.timers.tick(1000);
    assert.equal(made, 20);
    snapshots.ask();
    snapshots.dispose();
    mock.timers.tick(1000);
    assert.equal(made, 20);
  });
});
