import assert from 'node:assert/strict';
import {
  type ChatMessage,
  type Conversation,
  InvalidMessageError,
  type OpenOptions,
  openConversation,
} from '../../src/engine.ts';
import { PROFILE, reads, system, tool, user } from '../core/conversation/kit.ts';
import { checkLaws, show } from '../laws/checkLaws.ts';

const STRATEGIES = ['adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'] as const;

function open(messages: readonly ChatMessage[], options: Partial<OpenOptions> = {}): Conversation {
  const conversation = openConversation({ profile: PROFILE, summarize: async () => 'Done.', ...options });
  conversation.append(messages);
  return conversation;
}

/** Compacts with every strategy, each from the start; returns how the runs ended. No law may be broken. */
async function compactEach(messages: readonly ChatMessage[], request?: number): Promise<string[]> {
  const ends: string[] = [];
  for (const strategy of STRATEGIES) {
    const conversation = open(messages);
    const before = show(conversation);
    const report = await conversation.compact({ strategy });
    const after = show(conversation);
    assert.deepEqual(checkLaws({ before, after, report, ...(request !== undefined && { request }) }), []);
    assert.notEqual(report.reason, 'law-broken');
    ends.push(report.reason ?? report.kind);
  }
  return ends;
}

describe('unusual conversations', () => {
  it('without a message: every strategy says so', async () => {
    assert.deepEqual(await compactEach([]), Array(6).fill('empty'));
    const conversation = open([]);
    assert.deepEqual([conversation.view(), conversation.messages(), conversation.due()], [[], [], undefined]);
    assert.equal(conversation.undo(), false);
    assert.deepEqual(await conversation.recall('t0'), [
      { handle: '', text: 'No t0: the conversation has no messages yet.' },
    ]);
  });

  for (const [what, messages] of [
    ['one message', [user('hello')]],
    ['only a system prompt', [system('You are an agent.')]],
    ['only a huge system prompt', [system('rule '.repeat(20_000))]],
    ['only an empty user message', [user('')]],
    ['only a result without a call', [{ role: 'tool', tool_call_id: 'lost', content: 'x'.repeat(9000) }]],
    ['only a running call', reads(1).slice(0, 1)],
  ] as [string, ChatMessage[]][]) {
    it(`${what}: nothing breaks`, async () => {
      await compactEach(messages);
      assert.equal(open(messages).view().length, messages.length);
    });
  }

  it('no system prompt: the first message is compacted like any other', async () => {
    assert.deepEqual((await compactEach([...reads(30), user('Go on.')])).slice(0, 3), [
      'compacted',
      'compacted',
      'compacted',
    ]);
  });

  it('three messages, an older one ten times the window: rescued', async () => {
    const conversation = open([
      user('paste '.repeat(90_000)),
      { role: 'assistant', content: 'I see.' },
      user('What was the first word?'),
    ]);
    const report = await conversation.compact();
    assert.equal(report.kind, 'compacted');
    assert.ok(report.reachedTarget && conversation.budget().usedTokens < 4500);
    assert.deepEqual(conversation.view().slice(1), conversation.messages().slice(1));
    assert.match(JSON.stringify(conversation.view()[0]), /t0/);
  });

  it('three messages, a tool result ten times the window: rescued', async () => {
    const output = `${'a line of the build log\n'.repeat(20_000)}error TS2304: Cannot find name 'foo'.\n`;
    const conversation = open([user('Build it.'), ...tool('a', 'bash', { command: 'npm run build' }, output)]);
    const report = await conversation.compact();
    assert.equal(report.kind, 'compacted');
    assert.ok(report.reachedTarget);
    const view = conversation.view();
    const roles = view.map((message) => message.role);
    assert.deepEqual(roles, ['user', 'assistant', 'tool']);
    assert.match(String(view[2]?.content), /TS2304/);
    const recalled = (await conversation.recall('t2'))[0]?.text ?? '';
    assert.match(recalled, /^a line of[\s\S]*\[the rest: karl_recall\("t2:\d+-20001"\)\]$/);
    assert.match((await conversation.recall('t2:20001'))[0]?.text ?? '', /TS2304/);
    assert.equal(conversation.messages()[2]?.content, output);
  });

  it('results without calls, duplicate call ids, interrupted calls, arguments that are not JSON', async () => {
    const output = 'printed line\n'.repeat(400);
    const odd: ChatMessage[] = [
      system('You are an agent.'),
      { role: 'tool', tool_call_id: 'lost', content: output },
      user('Fix it.'),
      ...tool('same', 'bash', '{"command": "npm te', output),
      ...tool('same', 'apply_patch', '*** Begin Patch', output),
      { role: 'tool', tool_call_id: 'same', content: output },
      ...tool('b', 'bash', 'null', output).slice(0, 1),
      user('Stop! Do it otherwise.'),
      { role: 'tool', tool_call_id: 'b', content: output },
      ...reads(12),
      user('And now?'),
    ];
    const ends = await compactEach(odd, odd.length - 1);
    assert.deepEqual(ends.slice(0, 4), ['compacted', 'compacted', 'compacted', 'compacted']);
  });

  it('two user messages in a row, where roles must alternate: joined in the view, apart in the transcript', () => {
    const conversation = open([user('First.'), user('Second.')], { profile: { ...PROFILE, roles: 'alternating' } });
    assert.deepEqual(conversation.view(), [user('First.\n\nSecond.')]);
    assert.equal(conversation.messages().length, 2);
  });
});

describe('an invalid message', () => {
  for (const [what, wrong] of [
    ['one without content', [user('fine'), { role: 'user' }]],
    ['a hole in the list', Object.assign([user('fine')], { 2: user('fine') })],
  ] as [string, ChatMessage[]][])
    it(`is refused with its index, and nothing of the batch is taken: ${what}`, () => {
      const conversation = open([user('hello')]);
      assert.throws(
        () => conversation.append(wrong),
        (error) => error instanceof InvalidMessageError && error.index === 1,
      );
      assert.deepEqual(conversation.messages(), [user('hello')]);
    });
});

describe('what JSON cannot hold', () => {
  for (const [what, value] of [
    ['a bigint', 1n],
    ['a function', () => 'text'],
    ['a symbol', Symbol('text')],
  ] as const) {
    it(`${what}: refused with its field, since no request could carry it`, () => {
      const conversation = open([]);
      const part = { type: 'text', text: 'hello', more: [value] };
      const refused = (field: string) => ({ name: 'InvalidMessageError', index: 0, field });
      assert.throws(() => conversation.append([{ ...user('hello'), extra: value }]), refused('extra'));
      assert.throws(() => conversation.append([{ role: 'user', content: [part] }]), refused('content'));
      assert.deepEqual(conversation.messages(), []);
    });
  }
});

describe('odd targets', () => {
  for (const targetTokens of [0, -5, 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`${targetTokens}: no law breaks`, async () => {
      for (const strategy of STRATEGIES) {
        const conversation = open([system('You are an agent.'), user('Fix it.'), ...reads(30), user('And now?')]);
        const before = show(conversation);
        const report = await conversation.compact({ strategy, targetTokens });
        assert.deepEqual(checkLaws({ before, after: show(conversation), report }), []);
        assert.notEqual(report.reason, 'law-broken');
      }
    });
  }
});

describe('equal conversations', () => {
  it('use equally many tokens after equal compactions, whatever the marks of their notes are', async () => {
    const messages = [system('You are an agent.'), user('Fix it.'), ...reads(60), user('And now?')];
    const used = new Set<number>();
    const views = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const conversation = open(messages, { settings: { summary: { when: 'never' } } });
      const report = await conversation.compact({ targetTokens: 2500 });
      assert.equal(report.kind, 'compacted');
      used.add(conversation.budget().usedTokens);
      views.add(JSON.stringify(conversation.view()));
    }
    assert.deepEqual([used.size, views.size], [1, 8]);
  });
});
