import assert from 'node:assert/strict';
import { namesOf, readText, styleOf, useWebview } from '../page.ts';
import { agentsOwn, compressed, compression, message } from '../sample.ts';

describe('a compression in the conversation', () => {
  const web = useWebview();

  it('says when, from how much to how much, by what and what was kept', async () => {
    await web.draw({ entries: [compressed({ ...compression, model: 'qwen3' })] });
    const words = await readText(web.page.locator('karl-compression article'));
    const parts = ['Compressed', '11.9k → 6.9k', '83% → 48%', 'adaptive, qwen3', 'Threshold reached', compression.kept];
    for (const part of parts) assert.ok(words.includes(part), `${part} is in ${words}`);
    await web.press(/^Details/);
    const details = await readText(web.page.locator('karl-compression .receipt'));
    assert.equal(details, compression.receipt.join('\n'));
  });

  it('is undone, opened as originals and as changes; its summary is asked for once it is wanted', async () => {
    await web.draw({ entries: [compressed(compression)] });
    for (const name of [/^Undo/, /^Originals/, /^Changes/, /^Summary/]) await web.press(name);
    assert.deepEqual(await web.asked(), ['undo c2', 'show-replaced c2', 'diff c2', 'expand sc2']);
    await web.post({ type: 'expanded', key: 'sc2', texts: ['## Open\n- the refresh token [t20-22]'] });
    const summary = web.page.locator('karl-compression karl-note');
    assert.equal(await readText(summary), 'Open\nthe refresh token [t20-22]');
    assert.equal(await styleOf(summary, 'userSelect'), 'text');
    const grown = [compressed({ ...compression, locked: 'Karl is busy. Wait or press Stop.' })];
    await web.draw({ entries: grown });
    assert.equal(await readText(summary), 'Open\nthe refresh token [t20-22]', 'it stays with the next snapshot');
    await web.draw({ entries: [...grown, compressed({ ...compression, id: 'c3' })] });
    assert.equal(await summary.isVisible(), true, 'it does not fold under the reader');
  });

  it('of another agent says what its summary lacks, which can be restored, copied for the agent and rescued', async () => {
    await web.draw({ entries: [compressed(agentsOwn)] });
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
    await web.draw({ entries: [compressed({ ...agentsOwn, agent: agent && { ...agent, restored: 0 } })] });
    assert.equal(await web.page.getByRole('button', { name: /^Copy as Message/ }).count(), 0);
    assert.equal(await web.page.getByRole('button', { name: 'Rescue…' }).count(), 1);
    await web.draw({ entries: [compressed({ ...agentsOwn, undone: true })] });
    assert.match(await readText(web.page.locator('karl-compression header')), /^Compressed by Claude Code, undone/);
    await web.press(/^Compressed by Claude Code, undone/);
    await web.press(/^What it lacks/);
    assert.equal(await web.page.getByRole('button', { name: /^(?:Copy as|Rescue|Restore)/ }).count(), 0);
  });

  it('whose place another has taken can be read, and says why it cannot be redone', async () => {
    await web.draw({ entries: [compressed({ ...compression, undone: true, superseded: true })] });
    await web.press(/^Compression undone/);
    const words = await readText(web.page.locator('karl-compression article'));
    assert.match(words, /^Compression undone[\s\S]*A later compression or change has taken its place\./);
    assert.equal(await web.page.getByRole('button', { name: /^Redo/ }).count(), 0);
    await web.press(/^Summary/);
    assert.deepEqual(await web.asked(), ['expand sc2']);
  });

  it('says before what else goes along', async () => {
    for (const [undone, word] of [
      [false, 'Undo and 2 later'],
      [true, 'Redo and 2 later'],
    ] as const) {
      await web.draw({ entries: [compressed({ ...compression, undone, takesAlong: 2 })] });
      const button = web.page.getByRole('button', { name: new RegExp(`^${word}: Compress`) });
      assert.equal((await readText(button)).trim(), word);
    }
  });

  it('that cannot be undone says why', async () => {
    await web.draw({ entries: [compressed({ ...compression, locked: 'Karl is busy. Wait or press Stop.' })] });
    const undo = web.page.getByRole('button', { name: /^Undo/ });
    assert.equal(await undo.isDisabled(), true);
    assert.equal(await undo.getAttribute('title'), 'Karl is busy. Wait or press Stop.');
  });

  it('is one line when it was undone, is a change by hand, or is not the newest of its turn, until it is unfolded', async () => {
    const byHand = { ...compression, id: 'a', isManual: true, strategy: 'manual', trigger: 'dropped' };
    await web.draw({ entries: [compressed({ ...compression, undone: true }), compressed(byHand)] });
    const rows = web.page.locator('karl-compression article');
    const shown = async () => (await readText(rows.last())).replaceAll(/\s+/g, ' ').trim();
    assert.equal(await shown(), 'Dropped 11.9k → 6.9k Undo');
    const asked = message({ id: 1, role: 'user' });
    await web.draw({ entries: [...'ab'].map((id) => compressed({ ...compression, id })) });
    assert.deepEqual(await namesOf(rows.locator('[aria-expanded]:not(.way)'), 'aria-expanded'), ['false', 'true']);
    await web.draw({
      entries: [compressed({ ...compression, id: 'a' }), asked, compressed({ ...compression, id: 'b' })],
    });
    assert.deepEqual(await namesOf(rows.locator('[aria-expanded]:not(.way)'), 'aria-expanded'), ['true', 'true']);
    await web.draw({ entries: [compressed({ ...compression, undone: true }), compressed(byHand)] });
    const undone = await readText(rows.first());
    assert.ok(/^Compression undone.*Redo$/s.test(undone.trim()) && !undone.includes(compression.kept), undone);
    await web.press(/^Dropped, /);
    assert.ok((await shown()).includes(compression.kept));
    const undo = rows.last().getByRole('button', { name: /^Undo: Dropped, / });
    assert.equal(await undo.getAttribute('title'), 'Take back this change alone');
    await web.press(/^Dropped, /);
    assert.ok(!(await shown()).includes(compression.kept));
  });

  it('has a name of its own, and each of its controls, also beside one of the same minute', async () => {
    const runs = ['2026-03-04T14:32:07.000Z', '2026-03-04T14:32:41.000Z'].map((at) => ({ ...compression, at, id: at }));
    await web.draw({ entries: runs.map(compressed) });
    await web.press(/^Compressed, .*:07$/);
    const names = await namesOf(web.page.locator('karl-compression button'));
    assert.equal(names.length, 2 * 6, String(names));
    assert.deepEqual([...new Set(names)], names);
    const hasSeconds = names.some((name) => /^Undo: Compressed, .*:\d\d:41$/.test(name ?? ''));
    assert.ok(hasSeconds, String(names));
  });

  it('is found from the top of the view: the newest, then the one before', async () => {
    const text = 'words that fill a line. '.repeat(30);
    const filler = (from: number) =>
      Array.from({ length: 20 }, (_, index) => message({ id: from + index, role: 'assistant', text }));
    const run = (id: string, transcriptLength: number) => compressed({ ...compression, id, transcriptLength });
    const entries = [...filler(0), run('a', 20), ...filler(20), run('b', 40), ...filler(40)];
    await web.draw({ entries, compressions: [20, 40] });
    for (const index of [1, 0, 1]) {
      await web.press(/2 compressions/);
      await web.page.locator('karl-compression').nth(index).and(web.page.locator('.found')).waitFor();
      assert.ok(await web.page.locator('karl-compression').nth(index).getByText('Threshold reached').isVisible());
    }
    const revealed = (await web.intents()).map((intent) => (intent.type === 'reveal' ? intent.id : intent.type));
    assert.deepEqual(revealed, [39, 19, 39]);
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
