import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import type { ActiveConversation } from '../../../src/host/conversations/activeConversation.ts';
import type { CompressionPreview } from '../../../src/host/preview/compressionPreview.ts';
import { PreviewActions } from '../../../src/host/preview/previewActions.ts';
import { assistant, converse, reads, system, user } from '../../core/conversation/kit.ts';
import { makeNotices, openActive, partsOf } from '../kit.ts';

const WORK = [
  system('You are an agent.'),
  user('Move the exports.'),
  ...reads(14, 40),
  // Longer than the line that takes its place when it is set aside.
  assistant(
    `The exports of src/part3.ts are moved to src/index.ts. ${'They were read one after the other. '.repeat(20)}`,
  ),
  user('And now?'),
];

/** As VS Code's: the values of a workspace, over its windows. */
function makeMemory() {
  const values = new Map<string, unknown>();
  const update = async (key: string, value: unknown) => void values.set(key, structuredClone(value));
  return { values, get: (key: string) => values.get(key), update };
}

/** A hook that has begun, and ends when `letGo` is called. */
function slowHook() {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const beforeCompact = async (): Promise<undefined> => {
    begun.resolve();
    await end.promise;
  };
  return { beforeCompact, begun: begun.promise, letGo: () => end.resolve() };
}

async function begun(active: ActiveConversation): Promise<CompressionPreview> {
  for (let turns = 0; turns < 1_000 && active.preview === undefined; turns += 1) await null;
  return active.preview ?? assert.fail('no preview was opened');
}

describe('what the user does with a preview', () => {
  let root: string;
  let memory: ReturnType<typeof makeMemory>;
  /** What runs and nobody waits for. */
  let running: Promise<void>[];
  beforeEach(() => {
    running = [];
    memory = makeMemory();
  });
  before(async () => {
    // Otherwise loaded with the first preview, which takes longer than making one.
    await import('../../../src/host/preview/compressionPreview.ts');
    root = await fs.mkdtemp(path.join(os.tmpdir(), 'karl-preview-'));
  });
  after(() => fs.rm(root, { recursive: true }));

  async function open(
    options: Partial<ConversationOptions> = {},
    view: object = { isVisible: true, reveal: async () => undefined, refresh: () => undefined },
  ) {
    const conversation = converse(WORK, options);
    const active = await openActive(root, conversation);
    conversation.on((event) => {
      const isRecord = event.type === 'compaction-ended' && event.result.kind === 'compacted';
      if (isRecord || event.type === 'compaction-undone') active.preview?.noteRecords();
    });
    const notices = makeNotices();
    const karl = {
      mend: async () => true,
      run: (of: ActiveConversation, request: object, abort: AbortController) =>
        of.whileOpen(abort, conversation.compact({ ...request, trigger: 'command', signal: abort.signal })),
    };
    const log = { run: (work: Promise<void>) => running.push(work) };
    const previews = new PreviewActions(partsOf({ conversations: { active }, notices, karl, view, log, memory }));
    return { active, conversation, notices, previews };
  }

  const clear = () => fs.rm(root, { recursive: true }).then(() => fs.mkdir(root));
  afterEach(clear);

  /** A preview that is being applied, whose hook has begun. */
  async function openApplying() {
    const hook = slowHook();
    const opened = await open(hook);
    await opened.previews.open();
    const promised = opened.active.preview?.ready?.shown.tokensAfter;
    const applied = opened.previews.perform({ type: 'preview-apply' });
    await hook.begun;
    return { ...opened, promised, applied, letGo: hook.letGo };
  }

  /** A window after another one that closed while its preview was open. */
  async function openAfterPreview(choices: Parameters<PreviewActions['open']>[0], text?: string) {
    const { active, previews } = await open();
    await previews.open(choices);
    const [summary] = active.preview?.state.plan?.summaries ?? [];
    if (text !== undefined) await active.preview?.edit(summary ?? assert.fail(), text);
    previews.note();
    await active.close();
    await clear();
    return open();
  }

  it('is offered again in the next window, with its choices, instructions and edited summary', async () => {
    const choices = { strategy: 'extractive', instructions: 'keep part5', keep: [2, 3], aside: [30] } as const;
    const { active, notices, previews } = await openAfterPreview(choices, 'My own words.');
    previews.note();
    assert.equal(active.preview, undefined);
    previews.tellEnded();
    const [notice] = notices.states;
    assert.match(notice?.text ?? '', /A preview was open when the window closed/);
    notices.press('preview-ended', 'Open It Again');
    await Promise.all(running);
    const state = await begun(active).then((preview) => preview.state);
    assert.deepEqual([state.strategy, state.instructions], ['extractive', 'keep part5']);
    assert.match(state.plan?.summaries[0]?.text ?? '', /^My own words\./);
    const rowsOf = (fate: string) => state.plan?.groups.find(({ kind }) => kind === fate)?.rows ?? [];
    const places = [...rowsOf('chosen'), ...rowsOf('aside')].map(({ at }) => `${at?.from}-${at?.to}`);
    assert.deepEqual(places, ['2-3', '30-30']);
    previews.note();
    active.closePreview();
    previews.note();
    assert.deepEqual([...memory.values.values()], [undefined], 'what is closed is not kept');
  });

  it('is no longer offered from the previous window once another was opened', async () => {
    const { notices, previews } = await openAfterPreview({ strategy: 'extractive' });
    previews.tellEnded();
    assert.equal(notices.states.length, 1);
    await previews.open();
    assert.deepEqual(notices.states, []);
  });

  it('is no longer offered once the user has dismissed the offer', async () => {
    const { notices, previews } = await openAfterPreview({ strategy: 'extractive' });
    previews.tellEnded();
    notices.press('preview-ended', 'dismiss');
    previews.note();
    assert.deepEqual([notices.states, ...memory.values.values()], [[], undefined]);
  });

  it('is not recorded after Cancel during a slow hook, and leaves a newer preview open', async () => {
    const { active, conversation, previews, applied, letGo } = await openApplying();
    await previews.perform({ type: 'preview-close' });
    await previews.open();
    const next = active.preview;
    letGo();
    await applied;
    assert.equal(conversation.compactions().length, 0);
    assert.equal(active.preview, next);
    assert.ok(next?.ready);
  });

  it('stays open when its run is stopped, and says so', async () => {
    const { active, conversation, applied, letGo } = await openApplying();
    active.stopCompressing();
    letGo();
    await applied;
    assert.equal(conversation.compactions().length, 0);
    assert.equal(active.preview?.state.problem, 'Stopped: nothing was changed.');
  });

  it('does not close a preview that is opened as soon as it is recorded', async () => {
    const { active, conversation, previews } = await open();
    await previews.open();
    const applied = previews.perform({ type: 'preview-apply' });
    const opened = Promise.withResolvers<void>();
    conversation.on(({ type }) => {
      if (type === 'compaction-ended') opened.resolve(previews.open());
    });
    await Promise.all([applied, opened.promise]);
    assert.equal(conversation.compactions().length, 1);
    assert.ok(active.preview);
  });

  it('cannot be changed while it is applied', async () => {
    const { active, conversation, previews, promised, applied, letGo } = await openApplying();
    assert.equal(active.preview?.state.busy, 'applying');
    await previews.perform({ type: 'preview-strategy', strategy: 'heuristic' });
    await previews.perform({ type: 'preview-again' });
    assert.equal(active.preview?.state.busy, 'applying');
    letGo();
    await applied;
    assert.equal(active.preview, undefined);
    assert.equal(conversation.budget().used.tokens, promised);
  });

  it('is not applied after another window has taken over, and says so', async () => {
    const { active, conversation, previews } = await open();
    await previews.open();
    active.readOnly = 'Another window has taken over this conversation.';
    await previews.perform({ type: 'preview-apply' });
    assert.equal(conversation.compactions().length, 0);
    assert.equal(active.preview?.state.problem, active.readOnly);
  });

  it('is not planned if it was closed before the view was visible', async () => {
    const revealed = Promise.withResolvers<void>();
    const { active, previews } = await open(
      {},
      { isVisible: false, reveal: () => revealed.promise, refresh: () => undefined },
    );
    const opened = previews.open();
    const preview = await begun(active);
    await previews.perform({ type: 'preview-close' });
    revealed.resolve();
    await opened;
    assert.equal(active.preview, undefined);
    assert.deepEqual([preview?.state.busy, preview?.state.plan], [false, undefined]);
  });

  for (const [what, change] of [
    ['a run', (conversation) => conversation.compact({ trigger: 'threshold' })],
    ['an undo', async (conversation) => conversation.undo()],
  ] as const satisfies readonly [string, (conversation: Conversation) => Promise<unknown>][])
    it(`that is being made at ${what} is not applied, and says why`, async () => {
      const { active, conversation, previews } = await open();
      if (what === 'an undo') await conversation.compact({ trigger: 'command', strategy: 'heuristic' });
      const before = conversation.compactions().length;
      const making = previews.open();
      await begun(active);
      await change(conversation);
      await making;
      const { preview } = active;
      assert.ok(preview);
      assert.match(preview.state.problem ?? '', /since this was previewed/);
      await previews.perform({ type: 'preview-apply' });
      assert.equal(conversation.compactions().length, what === 'an undo' ? before - 1 : before + 1);
      assert.equal(preview.ready, undefined);
    });

  it('is closed with its conversation, and so is the run that applies it', async () => {
    const { active, conversation, applied, letGo } = await openApplying();
    const closed = active.close();
    assert.equal(active.preview, undefined);
    letGo();
    await Promise.all([applied, closed]);
    assert.equal(conversation.compactions().length, 0);
  });
});
