import assert from 'node:assert/strict';
import { assistant, converse, reads, system, tool, user } from '../conversation/kit.ts';

const SOURCE = Array.from({ length: 40 }, (_, line) => `export const value${line} = ${line * 3};`);
SOURCE[20] = '  const lease = openLease(harbourId); // never longer than a tide';
const FILE = SOURCE.map((line, index) => `${index + 1}→${line}`).join('\n');

const MESSAGES = [
  system('You are an agent. The harbourmaster is asleep.'),
  user('Find out why the ferries are late.'),
  ...tool('a', 'Read', { file_path: 'src/harbour/lease.ts' }, FILE),
  assistant('Ferries are late because the lease of the berth ends with the tide, before the boat has docked.'),
  ...tool('b', 'Read', { file_path: 'src/harbour/lease.ts' }, FILE),
  ...tool('c', 'bash', { command: 'git log' }, 'a1 ferries\nb2 late ferries\nc3 unrelated text about ferries'),
  assistant('Shall I lengthen the lease, or ask the pilots first?'),
  user('The latter.'),
  ...tool('d', 'bash', { command: 'grep -rn setPilotMail src' }, 'src/pilots/mail.ts:9: setPilotMail(mail)'),
  ...reads(30),
  assistant('The pilots answered: the lease must last two tides.'),
];

describe('recall by words', () => {
  const conversation = converse(MESSAGES);
  const search = (query: string, room?: number) => conversation.recall({ query, ...(room !== undefined && { room }) });
  const handles = async (query: string) => (await search(query)).found.map(({ handle }) => handle);

  it('puts what was said before what was printed', async () => {
    const talk = converse([
      ...tool('a', 'bash', { command: 'cat log' }, 'Northerly wind: anchor drags.'),
      assistant('Anchor drags: northerly wind.'),
      user('Drags anchor, northerly wind?'),
    ]);
    const { found } = await talk.recall({ query: 'anchor wind' });
    const handles = found.map(({ handle }) => handle);
    assert.deepEqual(handles, ['t2', 't3', 't1']);
  });

  it('says with each excerpt what it is', async () => {
    const { found } = await search('openLease');
    const headings = found.map(({ handle, what }) => `${handle} ${what}`);
    assert.deepEqual(headings, ['t6 read src/harbour/lease.ts · 40 lines']);
  });

  it('shows the passage with the words, and from which line on it can be opened', async () => {
    const [found] = (await search('openLease')).found;
    assert.ok(found?.text.includes('openLease(harbourId)') && found.text.length < 800, found?.text);
    const [late] = (await search('value35')).found;
    assert.equal(late?.text, `… line 23:\n${FILE.split('\n').slice(22).join('\n')}`);
  });

  it('finds a short answer by what it answers, and shows that', async () => {
    const { found } = await search('lengthen the lease or ask the pilots?');
    const answer = found.find(({ handle }) => handle === 't10');
    assert.match(answer?.text ?? '', /^\(to the agent's: .*ask the pilots first\?\)\nThe latter\.$/);
  });

  it('puts first what has a quoted phrase, or the whole query, word for word', async () => {
    assert.equal((await handles('ferries "unrelated text" lease tide late'))[0], 't8');
    assert.equal((await handles('text about ferries'))[0], 't8');
    assert.equal((await handles('(mail)'))[0], 't12', 'signs count in a phrase');
  });

  it('says which of the words occur nowhere', async () => {
    assert.equal((await search('ferries late lengthened')).notice, undefined);
    const { notice, found } = await search('setPilotMail lengthen zanzibar');
    assert.equal(notice, 'Not in this conversation: zanzibar.');
    assert.equal((await search('etPilotM setPilotMail')).notice, undefined, 'a part of a word that is shown');
    assert.ok(found.some(({ handle }) => handle === 't12'));
  });

  it('is not misled by function words, in any language', async () => {
    const talk = converse([
      ...Array.from({ length: 34 }, (_, day) => user(`Was hat er denn an dem Tag ${day} in der Stadt gemacht?`)),
      ...Array.from({ length: 40 }, (_, day) => assistant(`Wetterbericht ${day}: Regen, Sonne, Wind.`)),
      user('Fähre legte um neun ab.'),
      assistant('Notiert.'),
    ]);
    const { found } = await talk.recall({ query: 'Was hat er denn an dem Tag in der Stadt zur Fähre gehört?' });
    assert.equal(found[0]?.handle, 't74');
  });

  it('finds what was said next to the words', async () => {
    const talk = converse([
      user('How deep is the harbour basin?'),
      assistant('Nine fathoms.'),
      ...Array.from({ length: 30 }, (_, day) => assistant(`Nothing happened on day ${day}.`)),
    ]);
    const { found } = await talk.recall({ query: 'harbour basin deep nothing', room: 140 });
    assert.match(found.map(({ text }) => text).join('\n'), /Nine fathoms/);
  });

  it('gives first what the view lacks', async () => {
    const log = `The sluice gate is jammed.\n${'a line of the log\n'.repeat(1_200)}`;
    const talk = converse([
      user('Go.'),
      ...tool('a', 'bash', { command: 'cat log' }, log),
      ...reads(20),
      user('Why?'),
      assistant('The sluice gate is jammed: the sluice gate motor is burnt.'),
    ]);
    const first = async () => (await talk.recall({ query: 'sluice gate jammed' })).found[0]?.handle;
    assert.notEqual(await first(), 't2');
    assert.equal((await talk.compact({ trigger: 'command', targetTokens: 1_500 })).kind, 'compacted');
    assert.equal(await first(), 't2');
  });

  it('is never empty without saying so', async () => {
    for (const query of ['zanzibar nowhere', '   ', '→ ←', 'zanzibar '.repeat(1_000)]) {
      const { found, notice } = await search(query);
      assert.deepEqual(found, [], query);
      assert.match(notice ?? '', /^Nothing found for .* in \d+ messages\. Try /, query);
      assert.ok((notice ?? '').length < 500, 'what was asked is repeated in part');
    }
  });

  it('does not search the prompt: it is always in the view', async () => {
    assert.deepEqual(await handles('asleep'), []);
  });

  it('within some handles names no message but theirs, also where others say the same', async () => {
    const listed = (id: string) =>
      tool(id, 'run', { command: 'ls docks' }, 'The zebra crossing is at line 5.\n'.repeat(5));
    const talk = converse([system('You help.'), user('Look.'), ...listed('a'), assistant('Seen.'), ...listed('b')]);
    const { found, notice } = await talk.recall({ query: 't2-3 "zebra crossing"' });
    assert.deepEqual([found.map(({ handle }) => handle), notice], [['t3'], undefined]);
  });

  it('says how many messages it found, and names the best of those that it does not show', async () => {
    const { notice, found } = await search('compute export const part value lease ferries', 1_500);
    const [, all, others = ''] = /The best of (\d+) messages; others: (.*)\.$/.exec(notice ?? '') ?? [];
    assert.ok(Number(all) > found.length && others.split(', ').length <= 8, notice);
    assert.ok(!found.some(({ handle }) => others.split(', ').includes(handle)));
  });

  it('stays within its room', async () => {
    const size = async (room?: number) => {
      const { found, notice = '' } = await search('compute export const part value lease ferries', room);
      assert.ok(found.length > 0);
      return [notice, ...found.map(({ handle, what, text }) => `[${handle} ${what}]\n${text}`)].join('\n').length;
    };
    assert.ok((await size()) <= 8000);
    for (const room of [100, 200, 700]) assert.ok((await size(room)) <= room, `${room}`);
  });

  it('finds what was said since the last search', async () => {
    const growing = converse([user('Count the gulls.')]);
    const find = async () => (await growing.recall({ query: 'gulls' })).found.map(({ handle }) => handle);
    assert.deepEqual(await find(), ['t0']);
    growing.append([assistant('There are nine gulls.')]);
    assert.deepEqual((await find()).sort(), ['t0', 't1']);
  });

  it('answers searches that run at once, each in full', async () => {
    const fresh = converse(MESSAGES, {
      ports: {
        newId: () => 'run',
        now: () => 0,
        elapsed: () => performance.now() * 1e6, // every step pauses
        pause: () => new Promise((resolve) => setImmediate(resolve)),
      },
    });
    const queries = ['ferries late', 'openLease', 'lengthening'];
    const together = await Promise.all(queries.map((query) => fresh.recall({ query })));
    assert.deepEqual(together, await Promise.all(queries.map((query) => search(query))));
  });
});
