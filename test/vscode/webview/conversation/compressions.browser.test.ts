import assert from 'node:assert/strict';
import { namesOf, readText, styleOf, useWebview } from '../page.ts';
import { agentsOwn, compression, compressions, message } from '../sample.ts';

describe('a compression in the conversation', () => {
  const web = useWebview();

  it('says when, from how much to how much, by what and what was kept', async () => {
    await web.draw({ entries: [compressions({ ...compression, model: 'qwen3' })] });
    const words = await readText(web.page.locator('karl-compression article'));
    const parts = ['Compressed', '11.9k → 6.9k', '83% → 48%', 'adaptive, qwen3', 'Threshold reached', compression.kept];
    for (const part of parts) assert.ok(words.includes(part), `${part} is in ${words}`);
    await web.press(/^Details/);
    const details = await readText(web.page.locator('karl-compression .receipt'));
    assert.equal(details, compression.receipt.join('\n'));
  });

  it('is undone, opened as originals and as changes; its summary is asked for once it is wanted', async () => {
    await web.draw({ entries: [compressions(compression)] });
    for (const name of [/^Undo/, /^Originals/, /^Changes/, /^Summary/]) await web.press(name);
    assert.deepEqual(await web.asked(), ['undo c2', 'show-replaced c2', 'diff c2', 'expand sc2']);
    await web.post({ type: 'expanded', key: 'sc2', texts: ['## Open\n- the refresh token [t20-22]'] });
    const summary = web.page.locator('karl-compression karl-note');
    assert.equal(await readText(summary), 'Open\nthe refresh token [t20-22]');
    assert.equal(await styleOf(summary, 'userSelect'), 'text');
    const grown = [compressions({ ...compression, locked: 'Karl is busy. Wait or press Stop.' })];
    await web.draw({ entries: grown });
    assert.equal(await readText(summary), 'Open\nthe refresh token [t20-22]', 'it stays with the next snapshot');
  });

  it('of another agent says what its summary lacks, which can be restored, copied for the agent and rescued', async () => {
    await web.draw({ entries: [compressions(agentsOwn)] });
    const words = await readText(web.page.locator('karl-compression article'));
    for (const part of ['Compressed by Claude Code', '152k → 9.8k', agentsOwn.kept, '3 messages restored'])
      assert.ok(words.includes(part), `${part} is in ${words}`);
    await web.press(/^What it lacks/);
    assert.deepEqual(await namesOf(web.page.locator('.unsaid [role=group]')), ['Rules', 'Changed files', 'Errors']);
    await web.press('Restore message: Amounts are whole cents.');
    await web.press('Restore all: Errors');
    await web.press(/^t31/);
    await web.press(/^Copy as Message/);
    await web.press('Rescue…');
    assert.deepEqual((await web.intents()).slice(-5), [
      { type: 'change', act: 'restored', ids: [12] },
      { type: 'change', act: 'restored', ids: [35, 38] },
      { type: 'show-original', from: 31, to: 31 },
      { type: 'copy-restored', id: 'c2' },
      { type: 'rescue' },
    ]);
    const names = await namesOf(web.page.getByRole('button', { name: /^Restore/ }));
    assert.ok(!names.some((name) => name?.includes('migrations')), 'what is in the window need not be restored');
  });

  it('of another agent has nothing to copy before something is restored, and offers nothing once it is undone', async () => {
    const { agent } = agentsOwn;
    await web.draw({ entries: [compressions({ ...agentsOwn, agent: agent && { ...agent, restored: 0 } })] });
    assert.equal(await web.page.getByRole('button', { name: /^Copy as Message/ }).count(), 0);
    assert.equal(await web.page.getByRole('button', { name: 'Rescue…' }).count(), 1);
    await web.draw({ entries: [compressions({ ...agentsOwn, undone: true })] });
    assert.match(await readText(web.page.locator('karl-compression header')), /^Compressed by Claude Code, undone/);
    await web.press(/^What it lacks/);
    assert.equal(await web.page.getByRole('button', { name: /^(?:Copy as|Rescue|Restore)/ }).count(), 0);
  });

  it('whose place another has taken can be read, and says why it cannot be redone', async () => {
    await web.draw({ entries: [compressions({ ...compression, undone: true, superseded: true })] });
    const words = await readText(web.page.locator('karl-compression article'));
    assert.match(words, /^Compression undone[\s\S]*A later compression or change has taken its place\./);
    assert.equal(await web.page.getByRole('button', { name: /^Redo/ }).count(), 0);
    await web.press(/^Summary/);
    assert.deepEqual(await web.asked(), ['expand sc2']);
    const replaced = { ...compression, id: 'c1', before: 99_000, undone: true, superseded: true } as const;
    await web.draw({ entries: [compressions(replaced, compression)] });
    assert.match(
      await readText(web.page.locator('karl-compressions summary')),
      /Compressed 2 times, 1 in effect[\s\S]*11\.9k → 6\.9k/,
    );
  });

  const second = '2026-03-04T15:40:05.000Z';
  for (const { undone, more, name, word, way } of [
    {
      ...{ undone: false, more: [second], name: /^Undo and 2 later: Compressed, /, word: 'Undo and 2 later' },
      way: /\nUndoes also what builds on this one: .*:01:00, .*:40:05$/,
    },
    {
      ...{ undone: true, more: [], name: /^Redo and 1 later: Compression undone, /, word: 'Redo and 1 later' },
      way: /\nRedoes also what was undone with this one: .*$/,
    },
  ])
    it(`says before what else goes along: ${word}`, async () => {
      const takesAlong = ['2026-03-04T15:01:00.000Z', ...more];
      await web.draw({ entries: [compressions({ ...compression, undone, takesAlong })] });
      const button = web.page.getByRole('button', { name });
      assert.equal((await readText(button)).trim(), word);
      assert.match((await button.getAttribute('title')) ?? '', way);
    });

  it('that cannot be undone says why', async () => {
    await web.draw({ entries: [compressions({ ...compression, locked: 'Karl is busy. Wait or press Stop.' })] });
    const undo = web.page.getByRole('button', { name: /^Undo/ });
    assert.equal(await undo.isDisabled(), true);
    assert.equal(await undo.getAttribute('title'), 'Karl is busy. Wait or press Stop.');
  });

  it('is one row with the others of its turn, with what they did together', async () => {
    const runs = [
      { ...compression, id: 'a', before: 13_800, after: 9_000 },
      { ...compression, id: 'b', before: 12_000, after: 7_400 },
      { ...compression, id: 'c', undone: true },
    ];
    await web.draw({ entries: [compressions(...runs)] });
    const row = web.page.locator('karl-compressions');
    assert.match(await readText(row.locator('summary')), /Compressed 3 times, 2 in effect\s+13\.8k → 7\.4k/);
    assert.equal(await row.locator('karl-compression').count(), 0);
    const chevron = row.locator('summary .chevron svg');
    const folded = await chevron.boundingBox();
    await row.locator('summary').click();
    await row.locator('karl-compression').nth(2).waitFor();
    assert.deepEqual(await chevron.boundingBox(), folded, 'turned where it is');
    assert.equal(await row.locator('karl-compression').count(), 3);
    await row.locator('karl-compression').nth(1).getByRole('button', { name: /^Undo/ }).click();
    assert.deepEqual(await web.asked(), ['undo b']);
  });

  it('has figures of its turn only where they are those of what is in effect', async () => {
    const at = (id: string, before: number, after: number, undone: boolean) => {
      return { ...compression, id, before, after, undone, kept: `${id} kept.` };
    };
    const row = web.page.locator('karl-compressions section');
    const show = async (a: boolean, b: boolean, c: boolean) => {
      const runs = [at('a', 13_800, 7_100, a), at('b', 7_100, 3_800, b), at('c', 3_800, 2_000, c)];
      await web.draw({ entries: [compressions(...runs)] });
      return (await readText(row)).replaceAll(/\s+/g, ' ').trim();
    };
    assert.equal(await show(true, false, true), 'Compressed 3 times, 1 in effect');
    assert.equal(await show(false, true, false), 'Compressed 3 times, 2 in effect');
    assert.equal(await show(true, true, true), 'Compressed 3 times, 0 in effect');
    assert.match(await show(false, true, true), /^Compressed 3 times, 1 in effect 13\.8k → 7\.1k .* a kept\.$/);
    assert.match(await show(false, false, true), /^Compressed 3 times, 2 in effect 13\.8k → 3\.8k .* b kept\.$/);
    await row.locator('summary').click();
    assert.match(await readText(row.locator('karl-compression article').nth(1)), /7\.1k → 3\.8k/, 'each has its own');
  });

  it('has a name of its own, and each of its controls, also beside one of the same minute', async () => {
    const times = ['2026-03-04T14:32:07.000Z', '2026-03-04T14:32:41.000Z'];
    const runs = times.flatMap((at, index) => {
      const run = { ...compression, at } as const;
      const byHand = { isManual: true, strategy: 'manual', trigger: 'dropped', hasSummary: false };
      return [
        { ...run, id: `r${index}` },
        { ...run, id: `m${index}`, ...byHand },
      ];
    });
    const rows = [compressions(...runs), compressions({ ...compression, id: 'z', at: '2026-03-04T14:33:00.000Z' })];
    await web.draw({ entries: rows });
    await web.page.locator('karl-compressions summary').click();
    await web.page.locator('karl-compression').nth(4).waitFor();
    const named = web.page.locator('karl-compressions section, karl-compression button');
    const names = await namesOf(named);
    // Two rows; of a compression five controls, of a change by hand four.
    assert.equal(names.length, 2 + 3 * 5 + 2 * 4, String(names));
    assert.deepEqual([...new Set(names)], names);
    assert.ok(
      names.some((name) => /^Undo: Compressed, .*:\d\d:41$/.test(name ?? '')),
      String(names),
    );
    const articles = await namesOf(web.page.locator('karl-compression article'));
    assert.equal(new Set(articles).size, 5, String(articles));
  });

  it('by hand, several in a turn, is not called a compression, and none speaks for the others', async () => {
    const byHand = { ...compression, isManual: true, strategy: 'manual', kept: 'Nothing else was changed.' } as const;
    const runs = [
      { ...byHand, id: 'a', trigger: 'dropped', before: 9_000, after: 8_000 },
      { ...byHand, id: 'b', trigger: 'restored', before: 8_000, after: 8_500 },
    ];
    await web.draw({ entries: [compressions(...runs)] });
    const row = web.page.locator('karl-compressions section');
    assert.match(await readText(row), /^Changed by you 2 times\s+9k → 8\.5k\s+\S+ → \S+\s*$/);
    await row.locator('summary').click();
    const undo = row.getByRole('button', { name: /^Undo: Dropped, / }).first();
    assert.match((await undo.getAttribute('title')) ?? '', /^Take back this change alone/);
    await web.draw({ entries: [compressions({ ...compression, kept: '45 kept.' }, ...runs)] });
    assert.match(await readText(row), /^Compressed · Changed by you 2 times.*45 kept\.\s*$/s);
    assert.match(
      (await row.getAttribute('aria-label')) ?? '',
      /^Compressed · Changed by you 2 times, .*\d\d:\d\d:\d\d$/,
    );
  });

  it('is found from the top of the view: the newest, then the one before', async () => {
    const text = 'words that fill a line. '.repeat(30);
    const filler = (from: number) =>
      Array.from({ length: 20 }, (_, index) => message({ id: from + index, role: 'assistant', text }));
    const run = (id: string, transcriptLength: number) => compressions({ ...compression, id, transcriptLength });
    const entries = [...filler(0), run('a', 20), ...filler(20), run('b', 40), ...filler(40)];
    await web.draw({ entries, compressions: [20, 40] });
    for (const index of [1, 0, 1]) {
      await web.press(/2 compressions/);
      await web.page.locator('karl-compressions').nth(index).and(web.page.locator('.found')).waitFor();
      assert.ok(await web.page.locator('karl-compressions').nth(index).isVisible());
    }
    assert.deepEqual(
      (await web.intents()).map((intent) => (intent.type === 'reveal' ? intent.id : intent.type)),
      [39, 19, 39],
    );
    await web.draw({ entries: [...entries, run('c', 60)], compressions: [20, 40, 60] });
    await web.press(/3 compressions/);
    assert.deepEqual(await web.lastIntent(), { type: 'reveal', id: 59 }, 'a new one comes first');
    const fork = { id: 'fork', title: 'Fork', model: 'qwen3-coder-30b' };
    const shown = { entries: [...entries, run('c', 60)], compressions: [20, 40, 60] };
    await web.draw({ conversation: fork, ...shown });
    await web.press(/3 compressions/);
    assert.deepEqual(await web.lastIntent(), { type: 'reveal', id: 59 }, 'the newest of a fork comes first');
  });
});
