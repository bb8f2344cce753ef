import assert from 'node:assert/strict';
import { takeProfile } from '../../../src/core/session/takeProfile.ts';
import { callsReply, errorReply, overflowReply, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import { assistant, system, user } from '../conversation/kit.ts';
import { filler, type Harness, makeTool, openHarness } from './sessionHarness.ts';

describe('another model that is chosen while a request runs', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  const echo = makeTool('echo', () => ({ text: 'ok', failed: false }));

  /** A conversation whose model is changed while its first request runs; `replies` are given in order. */
  async function open(...replies: readonly ScriptedReply[]): Promise<Harness> {
    let asked = 0;
    const respond = () => {
      const { conversation } = harness;
      if (asked === 0) conversation.configure({ profile: { ...conversation.profile(), id: 'chosen' } });
      asked += 1;
      return replies[asked - 1];
    };
    harness = await openHarness({ tools: [echo], profile: { contextWindow: 64_000 }, server: { respond } });
    const seen = assistant(filler(20_000, 'seen'));
    harness.conversation.append([system('You are a test.'), user('Look at this.'), seen]);
    return harness;
  }

  /** The events that name a model: none of a window that was learned. */
  const modelsIn = (events: Harness['events']) =>
    events.flatMap((event) => ('model' in event ? `${event.type} ${event.model}` : []));
  const asked = () => harness.server.requests.map(({ body }) => body.model);

  it('does not take a window from an error of the previous model, and is asked without a compression', async () => {
    const { session, conversation, events, states } = await open(overflowReply(21_000, 8_000), textReply('Done.'));
    assert.equal((await session.send('go')).kind, 'answered');
    assert.deepEqual(asked(), ['scripted', 'chosen']);
    const told = states.flatMap((state) => (state.kind === 'asking' ? [state.model] : []));
    assert.deepEqual(told, asked(), 'the view names the model that is asked');
    assert.equal(conversation.learnedWindow(), undefined);
    assert.equal(conversation.compactions().length, 0);
    assert.deepEqual(modelsIn(events), ['model-error scripted', 'request-answered chosen']);
  });

  it('is not mistaken for the one that answered', async () => {
    const { session, conversation, events } = await open(textReply('Done.'));
    await session.send('go');
    assert.equal(conversation.profile().id, 'chosen');
    assert.deepEqual(modelsIn(events), ['request-answered scripted']);
  });

  it('is sent tools although the previous model takes none', async () => {
    const refused = errorReply(400, { error: { message: 'gemma:2b does not support tools' } });
    const { session, server, events } = await open(refused, textReply('Done.'));
    assert.equal((await session.send('go')).kind, 'answered');
    assert.deepEqual(asked(), ['scripted', 'chosen']);
    assert.equal(server.requests[1]?.body.tools?.length, 1);
    assert.ok(!events.some(({ type }) => type === 'tools-refused'));
  });

  it('is believed when it states a limit far below what the previous model accepted', async () => {
    const refused = errorReply(400, { error: { message: "This model's maximum context length is 7000 tokens." } });
    const replies = [callsReply([{ name: 'echo', arguments: {} }]), refused, textReply('Done.')];
    const { session, conversation } = await open(...replies);
    assert.equal((await session.send('go')).kind, 'answered');
    assert.deepEqual(asked(), ['scripted', 'chosen', 'chosen']);
    assert.equal(conversation.learnedWindow()?.tokens, 7_000);
  });
});

describe('the window of a conversation whose server says nothing of it', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  it('stays what the server said earlier, but only for the same model', async () => {
    harness = await openHarness();
    const { conversation } = harness;
    const profile = conversation.profile();
    const silent = { change: {}, findWindow: async () => undefined };
    conversation.configure({ learnedWindow: { tokens: 32_768, source: 'server' } });
    await takeProfile(conversation, { ...silent, profile });
    assert.equal(conversation.learnedWindow()?.tokens, 32_768);
    await takeProfile(conversation, { ...silent, profile: { ...profile, id: 'another' } });
    assert.equal(conversation.learnedWindow(), undefined);
  });
});
