import assert from 'node:assert/strict';
import type { ChatTool } from '../../../src/core/chat/wire.ts';
import type { StrategyId } from '../../../src/core/compaction/compaction.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import { openConversation } from '../../../src/engine.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assistant, compact, converse, fill, gaugeOf, PROFILE, reads, START, scripted, system, user } from './kit.ts';

const LARGE = { ...PROFILE, contextWindow: 1_000_000 };
const toolOf = (words: number): ChatTool => ({
  type: 'function',
  function: { name: 'work', description: 'word '.repeat(words), parameters: { type: 'object' } },
});

/** A conversation of one turn, which its strategy does not change. */
function stuck(options: Partial<ConversationOptions> = {}): Conversation {
  const conversation = converse(START, { strategy: 'extractive', ...options });
  fill(conversation, 0.85);
  return conversation;
}

async function spend(conversation: Conversation): Promise<void> {
  const trigger = conversation.due();
  assert.ok(trigger !== undefined);
  assert.notEqual((await conversation.compact({ trigger })).kind, 'compacted');
  assert.equal(conversation.due(), undefined);
}

/** A conversation in which all messages of the user are pinned, so that their number stays too high. */
function crowded(): Conversation {
  const conversation = converse(START, { profile: LARGE, thresholds: { messages: 20 } });
  for (let turn = 0; turn < 30; turn += 1) {
    const { length } = conversation.append([user(`Mind rule ${turn}.`), ...reads(1, 20, turn), assistant('I do.')]);
    conversation.pin(conversation.transcript.nextId - length);
  }
  return conversation;
}

/** Lets a server report `factor` times Karl's count of a request. */
function report(conversation: Conversation, factor: number): void {
  conversation.request();
  const counted = conversation.viewTokens() + conversation.toolTokens().tokens;
  conversation.reportUsage({ prompt_tokens: Math.round(counted * factor), completion_tokens: 9 });
}

describe('a call without its result', () => {
  it('starts no run: it is due when the results are there, although the earlier ones fill the window', async () => {
    const conversation = converse(START);
    const [call, result] = reads(1, 900);
    assert.ok(call !== undefined && result !== undefined && call.role === 'assistant');
    const [first] = call.tool_calls ?? [];
    assert.ok(first !== undefined);
    conversation.append([{ ...call, tool_calls: [first, { ...first, id: 'second' }] }, result]);
    assert.ok(conversation.budget().used.tokens > conversation.budget().limit);
    assert.equal(conversation.due(), undefined);
    conversation.append([{ role: 'tool', tool_call_id: 'second', content: 'ok' }]);
    assert.equal(conversation.due(), 'hard-limit');
    await compact(conversation, { trigger: 'hard-limit' });
    assert.ok(conversation.budget().used.tokens <= conversation.budget().limit);
  });
});

describe('the count of messages', () => {
  for (const strategy of ['adaptive', 'heuristic', 'karl', 'extractive', 'sandwich'] satisfies StrategyId[]) {
    it(`is kept down by ${strategy} however little is used`, async () => {
      const conversation = converse(START, {
        strategy,
        profile: LARGE,
        thresholds: { messages: 50 },
        summarizer: scripted('The parts were read.'),
      });
      for (let turn = 0; turn < 60; turn += 1) {
        conversation.append([user(`And part ${turn}?`), ...reads(2, 8, turn * 10), assistant(`Part ${turn} is read.`)]);
        const trigger = conversation.due();
        if (trigger !== undefined) await conversation.compact({ trigger });
        const { length } = conversation.request();
        assert.ok(length < 50, `${length} messages after turn ${turn}`);
      }
    });
  }

  it('starts a run after one by hand with another strategy than the one that is set: it may save more', async () => {
    const conversation = crowded();
    await compact(conversation, { strategy: 'heuristic' });
    assert.equal(conversation.due(), 'message-count');
    await conversation.compact({ trigger: 'message-count' });
    assert.equal(conversation.due(), undefined);
  });
});

describe('a run that gained nothing', () => {
  it('is held back while the same settings are set again, as before every turn', async () => {
    const conversation = stuck();
    await spend(conversation);
    const [profile, thresholds] = [{ ...conversation.profile() }, { ...conversation.settings.thresholds }];
    conversation.configure({ tools: [], profile, thresholds, strategy: conversation.settings.strategy });
    assert.equal(conversation.due(), undefined);
  });

  for (const [what, change] of [
    ['another strategy', { strategy: 'heuristic' }],
    ['another model', { profile: { ...PROFILE, id: 'other' } }],
    ['another threshold', { thresholds: { fraction: 0.7 } }],
    ['a model that writes notes', { summarizer: scripted('A note.') }],
    ['other tools', { tools: [toolOf(10)] }],
    ['a window that was learned', { learnedWindow: { tokens: 9_500, source: 'server' } }],
  ] as const) {
    it(`may be tried again with ${what}`, async () => {
      const conversation = stuck();
      await spend(conversation);
      conversation.configure(change);
      assert.notEqual(conversation.due(), undefined);
    });
  }

  it('may be tried again when a message is no longer pinned', async () => {
    const conversation = stuck();
    conversation.pin(3);
    await spend(conversation);
    conversation.unpin(3);
    assert.equal(conversation.due(), 'threshold');
  });

  it('is tried again when the view has grown by a tenth of itself: large tools and reports do not count', async () => {
    const conversation = stuck({ tools: [toolOf(3000)] });
    await spend(conversation);
    report(conversation, 0.92);
    const size = conversation.viewTokens();
    while (conversation.due() !== 'threshold') conversation.append(reads(1, 2, conversation.transcript.nextId));
    assert.ok(conversation.viewTokens() < size * 1.15, `${conversation.viewTokens()} after ${size}`);
  });
});

describe('the pause after an undo', () => {
  async function paused(): Promise<Conversation> {
    const conversation = converse(START);
    fill(conversation, 0.85);
    await compact(conversation, { trigger: 'threshold' });
    conversation.undo();
    assert.equal(conversation.due(), undefined);
    return conversation;
  }

  it("ends with the user's command, whatever comes of it", async () => {
    const conversation = await paused();
    assert.equal((await conversation.compact({ trigger: 'command', targetTokens: 100_000 })).kind, 'skipped');
    assert.equal(conversation.due(), 'threshold');
  });

  it('ends when the user chooses when and how runs start, and with nothing less: not with another model', async () => {
    const conversation = await paused();
    conversation.configure({ tools: [toolOf(10)] });
    conversation.configure({ profile: { ...conversation.profile(), id: 'another' } });
    assert.equal(conversation.due(), undefined);
    conversation.configure({ strategy: 'heuristic' });
    assert.equal(conversation.due(), 'threshold');
  });
});

describe('the gauge', () => {
  const said = (conversation: Conversation) => gaugeOf(conversation).next;

  it('says that a run is due, or why none starts', async () => {
    const conversation = converse(START);
    fill(conversation, 0.85);
    assert.match(said(conversation), /Karl will compress before the next request\.$/);
    await conversation.compact({ trigger: 'threshold' });
    assert.match(said(conversation), /^Next compression at /);
    conversation.undo();
    assert.match(said(conversation), /You undid the last compression, so Karl waits until the budget is full\.$/);
    const other = stuck();
    await spend(other);
    assert.match(said(other), /Nothing more could be saved, so Karl tries again when the conversation has grown\.$/);
    await other.compact({ trigger: 'command', strategy: 'karl' });
    assert.match(said(other), /Karl (?:tries again|will compress)/);
    assert.doesNotMatch(said(other), /failed/, 'a command that failed says nothing of what was tried before');
    const failing = converse(START, { strategy: 'karl' });
    fill(failing, 0.85);
    assert.equal((await failing.compact({ trigger: 'threshold' })).kind, 'failed');
    assert.match(said(failing), /The last compression failed, so Karl tries again when the conversation has grown\.$/);
  });
});

describe('the scale of a run', () => {
  for (const factor of [1.6, 0.7]) {
    for (const strategy of ['adaptive', 'heuristic', 'extractive'] satisfies StrategyId[]) {
      it(`is the gauge's where the server counts ${factor} times what Karl does: ${strategy}`, async () => {
        const profile = { ...PROFILE, contextWindow: 40_000 };
        const conversation = converse(START, { strategy, tools: [toolOf(300)], profile });
        for (let turn = 0; conversation.due() === undefined; turn += 1) {
          conversation.append([...reads(3, 20, turn * 10), assistant(`${turn} is read.`), user(`And ${turn}?`)]);
          report(conversation, factor);
        }
        const { limit } = conversation.budget();
        assert.ok((await compact(conversation, { trigger: 'threshold' })).reachedTarget);
        report(conversation, factor);
        const share = conversation.budget().used.tokens / limit;
        assert.ok(share <= 0.51 && share > 0.4, `${share} of the budget by the server's count`);
      });
    }
  }
});

describe('the command to compress', () => {
  it('does what can be done: below the target it aims at half of what it may change, and says so', async () => {
    const conversation = converse([...START, ...reads(8), assistant('Read.'), user('And now?')]);
    const fixed = conversation.budget().fixed;
    const before = conversation.viewTokens();
    assert.equal((await conversation.compact({ trigger: 'threshold' })).kind, 'skipped', 'no other trigger does');
    assert.equal((await compact(conversation)).receipt.aim, 'half');
    assert.ok(conversation.viewTokens() <= fixed + (before - fixed) / 2);
    const other = converse(START);
    fill(other, 0.51);
    assert.equal((await compact(other)).receipt.aim, 'half', 'the target alone is too little to gain');
  });

  it('says why when there is hardly anything to gain', async () => {
    const long = user(`Read. ${'word '.repeat(3000)}`);
    const conversation = converse([system('You are an agent.'), long, assistant('Done.')]);
    const result = await conversation.compact({ trigger: 'command' });
    assert.ok(result.kind === 'skipped' && inEnglish(result.message).length > 20, JSON.stringify(result));
  });
});

it('configure of the engine leaves unchanged what is undefined', () => {
  const conversation = openConversation({ profile: PROFILE });
  conversation.append([...START.map((message) => ({ ...message })), ...reads(60)]);
  Reflect.apply(conversation.configure, undefined, [{ strategy: undefined, thresholds: { fraction: undefined } }]);
  assert.equal(conversation.due(), 'hard-limit');
  Reflect.apply(conversation.configure, undefined, [{ profile: LARGE, thresholds: { target: undefined } }]);
  assert.equal(conversation.due(), undefined);
});
