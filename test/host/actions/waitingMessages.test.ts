import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { WaitingMessages } from '../../../src/host/actions/waitingMessages.ts';
import { partsOf } from '../kit.ts';

describe('messages that wait', () => {
  let waiting: WaitingMessages;
  let order: string[];
  let isBusy: boolean;
  let open: string | undefined;
  beforeEach(() => {
    order = [];
    isBusy = false;
    open = 'one';
    waiting = new WaitingMessages(
      partsOf({
        get active() {
          return open === undefined ? undefined : { id: open, isBusy };
        },
      }),
      () => undefined,
    );
  });
  const texts = () => waiting.list.map(({ text }) => text);

  /** Sends a message that asks `dialog` before it is taken, and whose turn ends with `turn`. */
  function send(text: string, dialog: Promise<boolean>, turn: Promise<void> = Promise.resolve()): Promise<boolean> {
    return waiting.inTurn(waiting.add(text), async (taken) => {
      order.push(text);
      if (!(await dialog)) return false;
      taken();
      await turn;
      return true;
    });
  }

  it('are shown in order, with their attachments, until the agent takes them', async () => {
    const dialog = Promise.withResolvers<boolean>();
    const turn = Promise.withResolvers<void>();
    const first = send('one', dialog.promise, turn.promise);
    assert.equal(waiting.isHeld, true);
    const second = send('two', Promise.resolve(true));
    isBusy = true;
    waiting.attach(waiting.add('three'), [{ kind: 'file', path: 'a.ts', text: 'a' }]);
    assert.deepEqual(texts(), ['one', 'two', 'three']);
    const isQueueds = waiting.list.map(({ isQueued }) => isQueued);
    assert.deepEqual(isQueueds, [false, false, true]);
    assert.match(JSON.stringify(waiting.list[2]?.wire), /a\.ts/);
    await setImmediate();
    assert.deepEqual(order, ['one'], 'nothing is asked for a second message');
    dialog.resolve(true);
    assert.equal(await second, true, 'it waits until the first is taken, not for its answer');
    assert.deepEqual([order, texts()], [['one', 'two'], ['three']]);
    turn.resolve();
    assert.equal(await first, true);
  });

  it('belong to the conversation in which they were written, until they are moved to another', () => {
    const message = waiting.add('Hello.');
    open = 'two';
    assert.equal(message.of, 'one');
    waiting.moveTo(message, 'two');
    const conversations = waiting.list.map(({ of }) => of);
    assert.deepEqual(conversations, ['two']);
  });

  it('are not sent either when the first one is cancelled, and its dialog does not open again', async () => {
    const dialog = Promise.withResolvers<boolean>();
    const sent = [send('one', dialog.promise), send('two', dialog.promise), send('three', dialog.promise)];
    dialog.resolve(false);
    assert.deepEqual(await Promise.all(sent), [false, false, false]);
    assert.deepEqual([order, texts()], [['one'], []]);
    assert.equal(await send('four', Promise.resolve(true)), true, 'a later one is asked about anew');
  });

  it('come back to the composer after one that failed, and block nothing', async () => {
    const first = send('one', Promise.reject(new Error('The disk is full')));
    const second = send('two', Promise.resolve(true));
    await assert.rejects(first, /disk is full/);
    assert.equal(await second, false);
    assert.deepEqual([texts(), waiting.isHeld], [[], false]);
  });
});
