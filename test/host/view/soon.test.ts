import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Soon } from '../../../src/host/view/soon.ts';

describe('the snapshots of the view', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('are made once for all that happens within 50 milliseconds, with the last of it, and only when something happens', () => {
    let made = 0;
    const soon = new Soon(() => {
      made += 1;
    }, 50);
    for (let time = 0; time < 1000; time += 1) {
      soon.ask();
      mock.timers.tick(1);
    }
    assert.equal(made, 20);
    mock.timers.tick(50);
    mock.timers.tick(1000);
    assert.equal(made, 20);
    soon.ask();
    soon.dispose();
    mock.timers.tick(1000);
    assert.equal(made, 20);
  });
});
