import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { TurnOutcome } from '../../../src/core/session/turnContext.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { brokenReply, callsReply, errorReply, textReply } from '../../adapters/server/reply.ts';
import { assistant, system, tool, user } from '../conversation/kit.ts';
import {
  appendResults,
  filler,
  type Harness,
  type HarnessOptions,
  makeTool,
  openHarness,
  rolesOf,
  TestClock,
} from './sessionHarness.ts';

describe('AgentSession over a loopback server', () => {
  let harness: Harness;

  async function open(options: HarnessOptions = {}): Promise<Harness> {
    harness = await openHarness(options);
    return harness;
  }

  afterEach(() => harness.close());

  /** What the user is told of a turn that failed as too long. */
  function tellOverflow(outcome: TurnOutcome) {
    assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'overflow', JSON.stringify(outcome));
    return describeProblem(outcome.problem);
  }

  const echo = makeTool('echo', (args) => ({ text: `echo ${JSON.stringify(args)}`, failed: false }));

  describe('a turn', () => {
    it('streams an answer and appends it, prompt first, flushed before the model is asked', async () => {
      let flushedWhenAsked = 0;
      const respond = () => {
        flushedWhenAsked = harness.store.flushed.length;
        return textReply('Hello there.');
      };
      const { session, server, conversation, store, deltas } = await open({ server: { respond } });
      assert.deepEqual(await session.send('hi'), { kind: 'answered', rounds: 1, cutOff: false });
      assert.equal(flushedWhenAsked, 2);
      assert.equal(rolesOf(conversation), 'system user assistant');
      assert.deepEqual(store.flushed, conversation.snapshot().messages);
      assert.equal(deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join(''), 'Hello there.');
      assert.deepEqual(server.requests[0]?.body.messages, [system('You are a test.'), user('hi')]);
      assert.deepEqual(harness.state, { kind: 'idle' });
      assert.ok(store.saves > 0);
    });

    it('answers calls that it cannot run: unknown tools, arguments that are no JSON object, a tool that throws', async () => {
      const broken = makeTool('broken', () => {
        throw new Error('disk on fire');
      });
      const { session, server } = await open({ tools: [echo, broken] });
      server.enqueue(
        callsReply([
          { name: 'nope', arguments: {} },
          { name: 'echo', arguments: '{"a": ' },
          { name: 'echo', arguments: '[1]' },
          { name: 'broken', arguments: {} },
        ]),
        textReply('I see.'),
      );
      assert.equal((await session.send('go')).kind, 'answered');
      const results = server.requests[1]?.body.messages?.slice(-4).map((message) => String(message.content)) ?? [];
      assert.match(results[0] ?? '', /no tool "nope".*echo, broken/);
      assert.match(results[1] ?? '', /not a JSON object/);
      assert.match(results[2] ?? '', /array/);
      assert.match(results[3] ?? '', /disk on fire/);
    });

    it('says in the result that a tool has failed if its own text does not', async () => {
      const says = (name: string, text: string, failed: boolean) => makeTool(name, () => ({ text, failed }));
      const refused = says('refuse', 'There is no argument "line".', true);
      const tools = [refused, says('miss', 'Error: no such file', true), says('read', 'There is a line.', false)];
      const { session, server, conversation } = await open({ tools });
      const calls = ['refuse', 'miss', 'read'].map((name) => ({ name, arguments: {} }));
      server.enqueue(callsReply(calls), textReply('Done.'));
      await session.send('go');
      const results = conversation.transcript.messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
      assert.deepEqual(results, ['Error: There is no argument "line".', 'Error: no such file', 'There is a line.']);
    });

    it('reads calls out of the text of a model without tool support, and answers malformed ones', async () => {
      const profile = { tools: false, envelope: 'json' } as const;
      const { session, server, conversation } = await open({ tools: [echo], profile });
      server.enqueue(
        textReply('```tool_call\n{"name": "echo", "arguments": {"a": 1}}\n```'),
        textReply('```tool_call\n{"name": "echo", oops\n```'),
        textReply('Done.'),
      );
      assert.deepEqual(await session.send('go'), { kind: 'answered', rounds: 3, cutOff: false });
      assert.equal(rolesOf(conversation), 'system user assistant tool assistant tool assistant');
      assert.match(String(server.requests[1]?.body.messages?.at(-1)?.content), /echo \{"a":1\}/);
      assert.match(String(server.requests[2]?.body.messages?.at(-1)?.content), /could not be read/);
    });

    it('stops a run of tool calls at the limit, says so, and can be resumed', async () => {
      const { session, server } = await open({ tools: [echo], session: { limits: { rounds: 2 } } });
      server.enqueue(callsReply([{ name: 'echo', arguments: {} }]), callsReply([{ name: 'echo', arguments: {} }]));
      const problem = { kind: 'turn-limit', limit: 'rounds', most: 2 } as const;
      assert.deepEqual(await session.send('go'), { kind: 'failed', problem });
      assert.equal((await session.resume()).kind, 'answered');
    });

    for (const [what, limits, problem] of [
      ['minutes', { minutes: 5 }, { kind: 'turn-limit', limit: 'minutes', most: 5 }],
      ['dollars', { dollars: 2.5 }, { kind: 'turn-limit', limit: 'dollars', most: 2.5 }],
    ] as const)
      it(`stops a turn before a step that would pass the limit of ${what}, and goes on when the user says so`, async () => {
        let minutes = 0;
        const now = (): number => {
          minutes += 2;
          return minutes * 60_000;
        };
        const clock = Object.assign(new TestClock(), { now });
        const profile = { price: { input: 10, output: 100, cacheRead: 1 } };
        const { session, server, costs } = await open({ tools: [echo], session: { limits, clock }, profile });
        const cached = { prompt_tokens_details: { cached_tokens: 10_000 } };
        const usage = { prompt_tokens: 100_000, completion_tokens: 1_000, ...cached };
        for (let round = 0; round < 3; round += 1)
          server.enqueue(callsReply([{ name: 'echo', arguments: {} }], { usage }));
        assert.deepEqual(await session.send('go'), { kind: 'failed', problem });
        assert.ok(server.requests.length < 4);
        assert.equal(Math.round((costs[0]?.dollars ?? 0) * 1_000), 1_010);
        assert.equal((await session.resume()).kind, 'answered');
      });

    it('waits before its next step while it is paused; a stop ends the wait', async () => {
      const { session, server, states } = await open({ tools: [makeTool('echo', () => pausing())] });
      const pausing = () => {
        session.pause();
        return { text: 'done', failed: false };
      };
      for (let round = 0; round < 2; round += 1) server.enqueue(callsReply([{ name: 'echo', arguments: {} }]));
      const isPaused = async () => {
        while (states.at(-1)?.kind !== 'paused') await setImmediate();
      };
      const turn = session.send('go');
      await isPaused();
      assert.deepEqual([session.isPaused, server.requests.length], [true, 1]);
      session.goOn();
      while (server.requests.length < 2) await setImmediate();
      await isPaused();
      await session.cancel();
      assert.deepEqual(await turn, { kind: 'cancelled' });
      assert.deepEqual([session.isPaused, server.requests.length], [false, 2]);
    });

    it('reports the extra cost of a request whose cached prefix a compression invalidated', async () => {
      const read = { prompt_tokens: 20_000, completion_tokens: 10 };
      const usage = (cached_tokens: number) => ({ ...read, prompt_tokens_details: { cached_tokens } });
      const { session, server, costs } = await open({
        tools: [makeTool('echo', () => ({ text: filler(16_000, 'f'), failed: false }))],
        profile: { contextWindow: 30_000, price: { input: 10, output: 100, cacheRead: 1 } },
      });
      server.enqueue(
        callsReply([{ name: 'echo', arguments: {} }], { usage: usage(15_000) }),
        callsReply([{ name: 'echo', arguments: {} }], { usage: usage(18_000) }),
        textReply('ok', { usage: usage(5_000) }),
      );
      await session.send('go');
      const broken = costs.map((cost) => cost.broken);
      assert.deepEqual(broken, [0, 0, (15_000 * 9) / 1_000_000]);
    });

    it('delivers a queued message at its next step if the user asks for that, and settles it with the turn', async () => {
      const { session, server, store, conversation } = await open({ tools: [makeTool('echo', () => between())] });
      let later: Promise<unknown> | undefined;
      let now: Promise<unknown> | undefined;
      const between = () => {
        if (later === undefined) {
          later = session.send('afterwards');
          now = session.send('use b.ts');
          session.sendBetween(1);
        }
        return { text: 'done', failed: false };
      };
      server.enqueue(callsReply([{ name: 'echo', arguments: {} }]), textReply('I use b.ts.'), textReply('Yes?'));
      const outcome = await session.send('go');
      assert.deepEqual(outcome, { kind: 'answered', rounds: 2, cutOff: false });
      assert.deepEqual(await now, outcome);
      const said = (index: number) =>
        server.requests[index]?.body.messages?.slice(-2).map(({ role, content }) => `${role} ${content}`);
      assert.deepEqual(said(1), ['tool done', 'user use b.ts']);
      await later;
      assert.deepEqual(said(2), ['assistant I use b.ts.', 'user afterwards']);
      assert.equal(rolesOf(conversation), 'system user assistant tool user assistant user assistant');
      assert.deepEqual(store.flushed, conversation.snapshot().messages);
    });

    it('does not deliver a message that the user has stopped', async () => {
      const { session, server } = await open({ tools: [makeTool('echo', () => between())] });
      let isFirst = true;
      const between = () => {
        if (isFirst) {
          void session.send('stopped');
          session.sendBetween(0);
          void session.cancel();
        }
        isFirst = false;
        return { text: 'done', failed: false };
      };
      for (let turn = 0; turn < 2; turn += 1) server.enqueue(callsReply([{ name: 'echo', arguments: {} }]));
      server.enqueue(textReply('ok'));
      assert.equal((await session.send('go')).kind, 'cancelled');
      assert.equal((await session.send('again')).kind, 'answered');
      assert.deepEqual(session.queued, ['stopped']);
    });

    it('says when the reply was cut off at the output limit, and tells the model when that broke a call', async () => {
      const { session, server, events } = await open({ tools: [echo] });
      server.enqueue(
        callsReply([{ name: 'echo', arguments: '{"a": "lo' }], { finishReason: 'length' }),
        textReply('Short.', { finishReason: 'length' }),
      );
      assert.deepEqual(await session.send('go'), { kind: 'answered', rounds: 2, cutOff: true });
      assert.match(String(server.requests[1]?.body.messages?.at(-1)?.content), /cut off at the output limit/);
      assert.ok(events.some((event) => event.type === 'warning' && inEnglish(event.message).includes('output limit')));
    });

    it('continues a reply that was cut off at the output limit when it is resumed', async () => {
      const { session, server } = await open();
      server.enqueue(textReply('The first half', { finishReason: 'length' }), textReply(' and the second.'));
      assert.deepEqual(await session.send('go'), { kind: 'answered', rounds: 1, cutOff: true });
      assert.deepEqual(await session.resume(), { kind: 'answered', rounds: 1, cutOff: false });
      const sent = server.requests[1]?.body.messages?.slice(-2).map(({ content }) => content);
      assert.deepEqual(sent, ['The first half', '[Request interrupted] Continue where the last reply broke off.']);
    });
  });

  it('the budget is not compacted when the user does not allow it', async () => {
    const options = { profile: { contextWindow: 4_000 }, session: { mayCompact: async () => false } };
    const { session, conversation } = await open(options);
    conversation.append([user(filler(3_000, 'old')), assistant('ok')]);
    await session.send('next');
    assert.equal(conversation.compactions().length, 0);
  });

  describe('recovery', () => {
    it('does not send a request that compaction could not bring below the limit', async () => {
      const opened = await open({ tools: [echo], profile: { contextWindow: 64_000 }, server: { window: 3_000 } });
      const { session, server, conversation } = opened;
      appendResults(opened.conversation, 16);
      const outcome = await session.send(filler(6_000, 'the request itself'));
      assert.equal(server.requests.length, 1);
      assert.equal(conversation.compactions().length, 1);
      assert.match(tellOverflow(outcome).what, /a compression brought it from [\d,]+ to [\d,]+ tokens/);
    });

    it('does not ask again when nothing could be compacted, and advises to unpin only where messages are pinned', async () => {
      const options = { profile: { contextWindow: 64_000 }, server: { window: 2_000 } };
      const { session, conversation, server } = await open(options);
      const { what, next } = tellOverflow(await session.send(filler(4_000, 'the request itself')));
      assert.equal(server.requests.length, 1);
      assert.match(what, /a compression could not shorten it/);
      assert.match(next, /^Shorten the .* message, or select/);
      conversation.pin(1);
      assert.match(tellOverflow(await session.resume()).next, /^Shorten the .* message, unpin messages, or select/);
    });
  });

  it('retries are visible, wait longer each time, honour Retry-After, and end after four attempts', async () => {
    const { session, server, clock, events, states } = await open();
    const busy = errorReply(503, { error: { message: 'busy' } });
    const slowDown = errorReply(429, { error: { message: 'slow down' } }, { 'retry-after': '9' });
    server.enqueue(busy, slowDown, textReply('At last.'));
    assert.equal((await session.send('hi')).kind, 'answered');
    assert.deepEqual(clock.slept, [1_000, 9_000]);
    const waits = states.flatMap((state) =>
      state.kind === 'waiting' ? `${state.attempt} of ${state.attempts} in ${state.until - clock.now()}` : [],
    );
    assert.deepEqual(waits, ['2 of 4 in 1000', '3 of 4 in 9000']);
    const attempts = events.flatMap((event) => (event.type === 'retry' ? [event.attempt] : []));
    assert.deepEqual(attempts, [1, 2]);
    server.enqueue(busy, busy, busy, busy, busy);
    const outcome = await session.send('again');
    assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'model' && outcome.problem.attempts === 4);
    assert.equal(server.requests.length, 7);
  });

  describe('a fault', () => {
    it('of the process: a turn cut between calls and results goes on after a restart', async () => {
      const { session, server, conversation } = await open({ tools: [echo] });
      const [asked, done] = tool('a', 'echo', {}, 'done');
      const calls = [...(asked?.tool_calls ?? []), { id: 'b', function: { name: 'echo', arguments: '{}' } }];
      conversation.append([system('You are a test.'), user('go'), { ...asked, tool_calls: calls }, done]);
      assert.deepEqual(await session.resume(), { kind: 'answered', rounds: 1, cutOff: false });
      const results = server.requests[0]?.body.messages?.slice(-2).map(({ content }) => String(content)) ?? [];
      assert.deepEqual([results[0], /^did not finish: /.test(results[1] ?? '')], ['done', true]);
      assert.deepEqual(await session.resume(), { kind: 'answered', rounds: 0, cutOff: false });
      assert.equal(server.requests.length, 1, 'a complete answer is not asked for again');
    });

    it('of the message: invalid content is refused, and the session goes on', async () => {
      const { session } = await open();
      await assert.rejects(session.send([{ type: 'text', text: 7 }]), /content\[0\]\.text/);
      assert.deepEqual(harness.state, { kind: 'idle' });
      assert.equal((await session.send('hi')).kind, 'answered');
    });

    it('of the disk stops before the model is asked, loses nothing, and is cured by a resume', async () => {
      const { session, server, conversation, store } = await open();
      store.fail = 'The disk is full.';
      const outcome = await session.send('precious');
      assert.deepEqual(outcome, { kind: 'failed', problem: { kind: 'not-saved', message: 'The disk is full.' } });
      assert.equal(server.requests.length, 0);
      store.fail = undefined;
      assert.equal((await session.resume()).kind, 'answered');
      assert.deepEqual(store.flushed, conversation.snapshot().messages);
      assert.equal(store.flushed[1]?.content, 'precious');
    });
  });

  describe('cancel', () => {
    it('in mid-stream keeps the partial text, marked, and the next message goes on', async () => {
      const { session, server, conversation } = await open();
      server.enqueue(brokenReply('Half an ans', { stall: true }));
      const sent = session.send('question');
      await server.received(1);
      while (harness.deltas.length < 2) await setImmediate();
      await session.cancel();
      assert.deepEqual(await sent, { kind: 'cancelled' });
      const kept = conversation.transcript.messages.at(-1)?.wire;
      assert.deepEqual(kept, { ...assistant('Half an ans'), karl_interrupted: true });
      await server.requests[0]?.clientLeft;
      assert.equal((await session.send('go on')).kind, 'answered');
    });

    it('while waiting to retry ends the turn at once', async () => {
      const { session, server, clock } = await open();
      clock.hold = true;
      server.enqueue(errorReply(503, { error: { message: 'busy' } }));
      const sent = session.send('question');
      while (harness.state.kind !== 'waiting') await setImmediate();
      await session.cancel();
      assert.deepEqual(await sent, { kind: 'cancelled' });
      assert.equal(server.requests.length, 1);
    });

    it('in the middle of tools answers the unfinished ones "cancelled" and keeps the finished', async () => {
      const never = makeTool('never', () => new Promise(() => undefined));
      const { session, server, conversation } = await open({ tools: [echo, never] });
      server.enqueue(callsReply(['never', 'echo'].map((name) => ({ name, arguments: {} }))));
      const sent = session.send('go');
      while (harness.state.kind !== 'running-tools') await setImmediate();
      await setImmediate();
      await session.cancel();
      assert.deepEqual(await sent, { kind: 'cancelled' });
      const texts = conversation.transcript.messages.slice(-2).map((message) => message.text);
      assert.deepEqual(texts, ['cancelled by the user before it finished', 'echo {}']);
      assert.equal((await session.send('go on')).kind, 'answered');
    });

    it('while a compaction runs leaves the view as it was', async () => {
      const asked = Promise.withResolvers<void>();
      const mayCompact = async (_: unknown, signal: AbortSignal) => {
        asked.resolve();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        return true;
      };
      const options = { profile: { contextWindow: 4_000 }, session: { mayCompact } };
      const { session, server, conversation } = await open(options);
      conversation.append([user('first'), assistant(filler(3_500, 'old'))]);
      const sent = session.send('next');
      await asked.promise;
      await session.cancel();
      assert.deepEqual(await sent, { kind: 'cancelled' });
      assert.equal(conversation.compactions().length, 0);
      assert.equal(server.requests.length, 0);
    });
  });

  describe('the queue', () => {
    it('has changes applied before each message that waited, also to the tools', async () => {
      const prepared: string[] = [];
      const beforeQueued = async () => {
        prepared.push(conversation.transcript.messages.at(-1)?.text ?? '');
        session.configure({ tools: prepared.length === 1 ? [] : [echo, makeTool('late', () => assert.fail())] });
      };
      const { session, server, conversation } = await open({ tools: [echo], session: { beforeQueued } });
      await Promise.all(['one', 'two', 'three'].map((text) => session.send(text)));
      assert.deepEqual(prepared, ['two', 'three']);
      const offered = server.requests.map(({ body }) => (body.tools ?? []).length);
      assert.deepEqual(offered, [1, 0, 2]);
    });

    const prepares: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>> = {
      'never ends': () => new Promise(() => undefined),
      'fails by it': (signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
    };
    for (const [what, prepare] of Object.entries(prepares)) {
      it(`is stopped by a cancel while a message is prepared, also when that ${what}`, async () => {
        const preparing = Promise.withResolvers<void>();
        const beforeQueued = (signal: AbortSignal) => {
          preparing.resolve();
          return prepare(signal);
        };
        const { session, server } = await open({ session: { beforeQueued } });
        const [, second] = ['one', 'two', 'three'].map((text) => session.send(text));
        await preparing.promise;
        const stopped = session.cancel().then(() => 'stopped');
        assert.equal(await Promise.race([stopped, setImmediate('waits')]), 'stopped');
        assert.deepEqual(await second, { kind: 'cancelled' });
        assert.deepEqual([harness.state, session.queued], [{ kind: 'idle' }, ['three']]);
        assert.equal(server.requests.length, 1);
      });
    }

    it('waits when a message cannot be prepared: its turn has failed and can be resumed', async () => {
      const beforeQueued = () => Promise.reject(new Error('no such folder'));
      const { session, server } = await open({ session: { beforeQueued } });
      const [, second] = ['one', 'two', 'three'].map((text) => session.send(text));
      const problem = { kind: 'not-prepared', message: 'no such folder' } as const;
      assert.deepEqual(await second, { kind: 'failed', problem });
      assert.deepEqual([harness.state, session.queued, server.requests.length], [{ kind: 'idle' }, ['three'], 1]);
      assert.match(describeProblem(problem).what, /no such folder/);
      assert.equal((await session.resume()).kind, 'answered');
      assert.equal(server.requests[1]?.body.messages?.at(-1)?.content, 'two');
    });

    it('returns a message, and stops after a failed turn until that is resumed', async () => {
      const { session, server, conversation } = await open();
      server.enqueue(errorReply(401, { error: { message: 'no key' } }));
      const first = session.send('one');
      const second = session.send('two');
      const third = session.send('three');
      assert.equal(session.unqueue(1), 'three');
      assert.deepEqual(await third, { kind: 'cancelled' });
      assert.equal((await first).kind, 'failed');
      assert.deepEqual(session.queued, ['two']);
      assert.equal((await session.resume()).kind, 'answered');
      assert.equal((await second).kind, 'answered');
      assert.equal(conversation.transcript.messages.filter((message) => message.role === 'user').length, 2);
    });

    it('is stopped by a cancel: what is sent afterwards goes first, the rest when the user says so', async () => {
      const { session, server, conversation } = await open();
      server.enqueue({ neverAnswer: true, steps: [] });
      const first = session.send('one');
      const second = session.send('two');
      await server.received(1);
      await session.cancel();
      assert.deepEqual(await first, { kind: 'cancelled' });
      assert.deepEqual([harness.state, session.queued, session.held], [{ kind: 'idle' }, ['two'], ['two']]);
      const third = session.send('three');
      const fourth = session.send('four');
      assert.deepEqual([session.queued, session.held], [['two', 'four'], ['two']], 'the first ones are held');
      assert.deepEqual([(await third).kind, (await fourth).kind], ['answered', 'answered']);
      assert.deepEqual([server.requests.length, session.queued], [3, ['two']]);
      session.sendQueued();
      assert.equal((await second).kind, 'answered');
      const asked = conversation.transcript.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      assert.deepEqual(asked, ['one', 'three', 'four', 'two']);
    });
  });

  describe('a model without tools', () => {
    const REFUSED = errorReply(400, { error: { message: 'gemma:2b does not support tools' } });

    it('is asked again without them at once, which is reported once and remembered', async () => {
      const { session, server, events } = await open({ tools: [echo] });
      server.enqueue(REFUSED, textReply('Hello.'), textReply('Again.'));
      assert.equal((await session.send('hi')).kind, 'answered');
      assert.equal((await session.send('and now?')).kind, 'answered');
      const offered = server.requests.map(({ body }) => body.tools?.length ?? 0);
      assert.deepEqual(offered, [1, 0, 0]);
      assert.equal(events.filter(({ type }) => type === 'tools-refused').length, 1);
    });

    it('keeps its tools: they are described in the prompt, and earlier calls are sent as text', async () => {
      const { session, server, conversation } = await open({ tools: [echo] });
      const call = '```tool_call\n{"name": "echo", "arguments": {"a": 1}}\n```';
      server.enqueue(callsReply([{ name: 'echo', arguments: {} }]), REFUSED, textReply(call), textReply('Done.'));
      assert.equal((await session.send('hi')).kind, 'answered');
      assert.match(String(server.requests[2]?.body.messages?.[0]?.content), /## echo/);
      const roles = server.requests[3]?.body.messages?.map(({ role, tool_calls }) => [role, tool_calls]);
      assert.ok(roles?.every(([role, calls]) => role !== 'tool' && calls === undefined));
      assert.match(rolesOf(conversation), /user assistant tool assistant tool assistant$/);
    });

    it('is not inferred from a refusal with another cause: the next turn sends tools again', async () => {
      const { session, server, events } = await open({ tools: [echo] });
      server.enqueue(REFUSED, errorReply(401, { error: { message: 'no key' } }), textReply('Hello.'));
      const failed = await session.send('hi');
      assert.equal(failed.kind === 'failed' && failed.problem.kind === 'model' && failed.problem.error.status, 401);
      assert.equal((await session.resume()).kind, 'answered');
      assert.equal(server.requests[2]?.body.tools?.length, 1);
      assert.ok(events.every(({ type }) => type !== 'tools-refused'));
    });
  });
});
