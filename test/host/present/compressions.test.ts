import assert from 'node:assert/strict';
import { nameMoment, placeCompressions } from '../../../src/host/present/compressions.ts';
import { converse, reads, system, user } from '../../core/conversation/kit.ts';

/** A conversation with compressions that ran at these times. */
async function compressedAt(...times: readonly Date[]) {
  const conversation = converse([system('You are an agent.'), user('Fix the import.'), ...reads(20), user('And now?')]);
  for (const index of times.keys()) {
    await conversation.compact({ trigger: 'command', targetTokens: 2000 });
    conversation.append([...reads(20, 30, 100 * (index + 1)), user('Go on.')]);
  }
  const { messages } = conversation.transcript;
  const history = conversation.history().map((entry, index) => {
    const at = times[index]?.getTime() ?? assert.fail('one time for each');
    return { ...entry, compaction: { ...entry.compaction, at } };
  });
  assert.equal(history.length, times.length);
  return { history, rows: placeCompressions(history, messages) };
}

describe('the time of a compression', () => {
  const at = (...clock: readonly [number, number, number, number?]) => {
    const now = new Date();
    return new Date(now.getFullYear(), now.getMonth(), now.getDate(), ...clock);
  };

  it('has the seconds where another of the conversation ran in the same minute, and more where it must', async () => {
    const { history, rows } = await compressedAt(at(9, 5, 1), at(9, 6, 7, 20), at(9, 6, 7, 21), at(9, 6, 40));
    const names = ['09:05', '09:06:07.020', '09:06:07.021', '09:06:40'];
    const moments = history.map(({ compaction }) => nameMoment(compaction, history));
    assert.deepEqual(moments, names);
    const runs = rows.flatMap(({ entry }) => entry.runs);
    const precisions = runs.map(({ precision }) => precision);
    assert.deepEqual(precisions, [undefined, 'millisecond', 'millisecond', 'second']);
    const [first] = runs;
    const along = first?.takesAlong.map(({ precision }) => precision);
    assert.deepEqual(along, ['millisecond', 'millisecond', 'second']);
  });

  it('has the day where that is not today', async () => {
    const { history } = await compressedAt(new Date(2024, 10, 20, 14, 32));
    const moments = history.map(({ compaction }) => nameMoment(compaction, history));
    assert.deepEqual(moments, ['Nov 20, 14:32']);
  });
});
