import assert from 'node:assert/strict';
import { openConversation, recallTool } from '../../src/engine.ts';
import { PROFILE, reads, system, user } from '../core/conversation/kit.ts';

describe('the recall tool of the engine', () => {
  async function compacted() {
    const conversation = openConversation({ profile: PROFILE });
    conversation.append([system('You are an agent.'), user('Fix it.'), ...reads(30), user('And now?')]);
    const report = await conversation.compact();
    assert.equal(report.kind, 'compacted');
    return conversation;
  }

  it('has the name that the views tell the model to call', async () => {
    const conversation = await compacted();
    const { name } = recallTool(conversation).definition.function;
    assert.ok(JSON.stringify(conversation.view()).includes(`${name}(`));
  });

  it('answers a call of the model, its arguments as text or parsed, with what was removed', async () => {
    const conversation = await compacted();
    const recall = recallTool(conversation);
    const removed = String(conversation.messages()[3]?.content);
    assert.ok(!JSON.stringify(conversation.view()).includes(JSON.stringify(removed).slice(1, -1)));
    assert.equal(await recall.answer('{"query":"t3"}'), await recall.answer({ query: 't3' }));
    assert.ok((await recall.answer({ query: 't3:1-1' })).includes(removed.slice(0, 40)));
  });

  it('leaves most of the free budget free', async () => {
    const conversation = await compacted();
    const { limitTokens, usedTokens } = conversation.budget();
    const answer = await recallTool(conversation).answer({ query: 't2-60' });
    assert.ok(answer.length <= Math.max(2_000, (limitTokens - usedTokens) * 0.25 * 3) + 1_000, `${answer.length}`);
  });

  it('tells the model what is wrong with its call', async () => {
    const recall = recallTool(await compacted());
    assert.match(await recall.answer('t41'), /^Error: the arguments are not JSON/);
    assert.match(await recall.answer({ handle: 't41' }), /^Error: query: /);
    assert.match(await recall.answer(null), /^Error: query: /);
    assert.match(await recall.answer({ query: 't9000' }), /t9000/);
  });
});
