import assert from 'node:assert/strict';
import {
  type ChatTool,
  type ConversationState,
  openConversation,
  recallTool,
  resolveProfile,
} from '../../src/engine.ts';
import { PROFILE, reads, system, user } from '../core/conversation/kit.ts';

const MESSAGES = [system('You are an agent.'), user('Fix it.'), ...reads(30), user('And now?')];

async function compacted() {
  const conversation = openConversation({ profile: PROFILE });
  conversation.append(MESSAGES);
  assert.equal((await conversation.compact()).kind, 'compacted');
  return conversation;
}

/** Replaces every text in a value, however deep: past the compiler, as JavaScript can. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object') spoil(inner);
    else Reflect.set(value, name, 'spoiled');
  }
}

describe('what a caller gave or got and changes afterwards', () => {
  it('changes nothing of a conversation that was restored from it', async () => {
    const state: ConversationState = JSON.parse(JSON.stringify((await compacted()).snapshot()));
    const conversation = openConversation({ profile: PROFILE, restore: state });
    const before = conversation.view();
    spoil(state);
    conversation.append([user('Go on.')]);
    assert.deepEqual(conversation.view(), [...before, user('Go on.')]);
    assert.deepEqual(conversation.messages().slice(0, -1), MESSAGES);
  });

  it('changes nothing of the records, whether it came from an event, a report or a list', async () => {
    const conversation = openConversation({ profile: PROFILE });
    conversation.append(MESSAGES);
    conversation.on(spoil);
    const report = await conversation.compact();
    const [view, snapshot] = [conversation.view(), conversation.snapshot()];
    spoil(report);
    spoil(conversation.compactions());
    assert.ok(!JSON.stringify([view, snapshot]).includes('spoiled'));
    assert.deepEqual([conversation.view(), conversation.snapshot()], [view, snapshot]);
  });

  it('counts as a change of the tools when they are given again', () => {
    const tools: ChatTool[] = [{ type: 'function', function: { name: 'read' } }];
    const conversation = openConversation({ profile: PROFILE, tools });
    const before = conversation.budget().usedTokens;
    tools.push({ type: 'function', function: { name: 'write', description: 'word '.repeat(500) } });
    assert.equal(conversation.budget().usedTokens, before);
    conversation.configure({ tools });
    assert.ok(conversation.budget().usedTokens > before + 500);
  });

  it('changes nothing of the window that a conversation learned', () => {
    const learnedWindow = { tokens: 50_000, source: 'server' as const };
    const conversation = openConversation({ profile: PROFILE });
    conversation.configure({ learnedWindow });
    spoil(learnedWindow);
    Object.assign(learnedWindow, { tokens: 3 });
    assert.equal(conversation.budget().windowTokens, 50_000);
    assert.equal(conversation.budget().windowSource, 'server');
  });

  it('changes nothing of the built-in figures, nor of a profile that was given', () => {
    const resolved = resolveProfile('gpt-4.1');
    assert.ok(resolved.images);
    const known = structuredClone(resolved);
    spoil(resolved);
    assert.deepEqual(resolveProfile('gpt-4.1'), known);
    const images = { kind: 'tiles' as const, base: 85, tile: 170 };
    const conversation = openConversation({ profile: { id: 'mine', images } });
    Object.assign(images, { base: 50_000 });
    const image = {
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAgAAAAIACAIAAAB7GkOtAAAA' },
    };
    conversation.append([{ role: 'user', content: [image] }]);
    assert.ok(conversation.budget().usedTokens < 50_000);
  });

  it('changes nothing of the recall tool of another conversation', async () => {
    const conversation = await compacted();
    spoil(recallTool(conversation).definition);
    assert.equal(recallTool(conversation).definition.function.name, 'karl_recall');
  });
});

describe('what a caller gives', () => {
  /** Every object in it is a proxy, as frameworks make them of their state. */
  const proxied = <Value>(value: Value): Value =>
    typeof value === 'object' && value !== null
      ? new Proxy(value, { get: (target, name) => proxied(Reflect.get(target, name)) })
      : value;
  const frozen = <Value>(value: Value): Value => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
    return Object.freeze(value);
  };

  for (const [what, make] of Object.entries({ proxied, frozen }))
    it(`may be ${what}`, () => {
      const tools: ChatTool[] = [{ type: 'function', function: { name: 'read' } }];
      const conversation = openConversation(make({ profile: { ...PROFILE }, tools, thresholds: { fraction: 0.7 } }));
      conversation.append(make(structuredClone(MESSAGES)));
      assert.deepEqual(conversation.messages(), MESSAGES);
      const restored = openConversation({ profile: PROFILE, restore: make(conversation.snapshot()) });
      assert.deepEqual(restored.view(), conversation.view());
      conversation.reportUsage(make({ prompt_tokens: 14_000 }));
      assert.equal(conversation.budget().usedTokens, 14_000);
    });

  it('may be one object in several places, and changes in none of them, nor with what the caller gets', () => {
    const part = { type: 'text', text: 'x' };
    const message = { role: 'user' as const, content: [part, part] };
    const conversation = openConversation({ profile: PROFILE });
    conversation.append([message, message]);
    part.text = 'changed';
    for (const got of [conversation.messages(), conversation.view(), conversation.snapshot().messages]) spoil(got);
    assert.ok(!/changed|spoiled/.test(JSON.stringify([conversation.messages(), conversation.view()])));
  });
});

it('a listener that is added twice is told twice, and each function stops one', () => {
  const conversation = openConversation({ profile: PROFILE });
  let told = 0;
  const listener = () => {
    told += 1;
  };
  const [stop] = [conversation.on(listener), conversation.on(listener)];
  stop();
  conversation.append([user('hello')]);
  assert.equal(told, 1);
});
