import assert from 'node:assert/strict';
import type { ActiveConversation } from '../../../src/host/conversations/activeConversation.ts';
import { aroundMessage, fromMessage } from '../../../src/host/present/entries.ts';
import { presentPages } from '../../../src/host/present/presenter.ts';
import type { CompactionMode } from '../../../src/host/settings/settingRules.ts';
import { useFolder } from '../../adapters/folder.ts';
import { assistant, converse, user } from '../../core/conversation/kit.ts';
import { openActive } from '../kit.ts';

describe('the pages of the view', () => {
  const folder = useFolder();
  let active: ActiveConversation;
  let isBusy: boolean;
  beforeEach(async () => {
    isBusy = false;
    const conversation = converse(Array.from({ length: 200 }, () => [user('Go on.'), assistant('Done.')]).flat());
    active = await openActive(folder(), conversation, () => isBusy);
  });
  afterEach(() => active.close());

  const [sideBar, tab] = [{}, {}];
  const given = () => ({ revision: 1, active, mode: 'automatic', attachments: [], waiting: [], notices: [] }) as const;
  const present = () => presentPages([sideBar, tab], given());
  /** For each page, how many messages come before its first one and after its last one. */
  const parts = () => present().map(({ earlier, later }) => `${earlier}-${later}`);

  it('show a message that waits only in the conversation that it was written in', () => {
    const waiting = ['one', 'two', undefined].map((of) => ({
      key: `waiting of ${of}`,
      ...(of !== undefined && { of }),
      text: 'Hello.',
      attachments: [],
      wire: user('Hello.'),
      isQueued: false,
    }));
    const [state] = presentPages([], { ...given(), waiting });
    const keys = state.entries.map(({ key }) => key);
    assert.deepEqual(keys.slice(-2), ['waiting of one', 'waiting of undefined']);
    assert.ok(!keys.includes('waiting of two'));
  });

  it('offer Not Now in a preview where Karl compresses by itself or asks, in place of the question', () => {
    Object.assign(active, { preview: { state: {}, stop: () => undefined } });
    const offered = (mode: CompactionMode) => presentPages([], { ...given(), mode })[0].preview?.notNow;
    assert.deepEqual([offered('automatic'), offered('ask'), offered('manual')], ['automatic', 'ask', undefined]);
    const question = { id: 'compress?', severity: 'info', text: 'Compress?', actions: [], canDismiss: false } as const;
    assert.deepEqual(presentPages([], { ...given(), notices: [question] })[0].notices, []);
    Object.assign(active, { other: { sentence: 'A conversation of pi.', lastReply: () => undefined } });
    assert.equal(offered('automatic'), undefined);
  });

  it('each have the part where their reader is', () => {
    active.shown.set(sideBar, aroundMessage(50));
    assert.deepEqual(parts(), ['30-70', '360-0']);
    active.shown.set(tab, fromMessage(340));
    active.shown.delete(sideBar);
    assert.deepEqual(parts(), ['360-0', '340-0']);
  });

  it('begin at the end of the other side together', () => {
    active.shown.set(tab, fromMessage(10));
    active.show('request');
    assert.deepEqual(parts(), ['360-0', '360-0']);
    active.shown.set(tab, fromMessage(10));
    active.show('history');
    active.shown.set(sideBar, aroundMessage(50));
    assert.deepEqual(parts(), ['30-70', '360-0']);
  });

  it('are where they were after what fills the window was shown', () => {
    active.shown.set(tab, fromMessage(10));
    active.show('contents');
    active.show('history');
    assert.equal(parts()[1], '10-90');
    active.show('request');
    active.shown.set(tab, fromMessage(20));
    active.show('contents');
    active.show('request');
    assert.match(parts()[1] ?? '', /^20-/);
    active.show('contents');
    active.show(active.shows);
    assert.equal(active.shows, 'request', 'as after a message was sent from there');
    assert.match(parts()[1] ?? '', /^20-/);
  });

  it('say that a request is prepared before it is sent', () => {
    isBusy = true;
    const [{ activity }] = present();
    assert.deepEqual(activity, { kind: 'model', label: 'Preparing the request' });
  });

  it('get one snapshot where they show the same', () => {
    const [first, second] = present();
    assert.equal(first, second);
  });
});
