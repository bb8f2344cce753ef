import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import type { ActiveConversation } from '../../../src/host/conversations/activeConversation.ts';
import type { CompressionPreview } from '../../../src/host/preview/compressionPreview.ts';
import { changePreview, openPreview } from '../../../src/host/preview/previewActions.ts';
import type { PreviewIntent } from '../../../src/protocol/fromWebview.ts';
import { useFolder } from '../../adapters/folder.ts';
import { assistant, converse, reads, system, user } from '../../core/conversation/kit.ts';
import { openActive, partsOf } from '../kit.ts';

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
  const folder = useFolder();
  // Otherwise loaded with the first preview, which takes longer than making one.
  before(() => import('../../../src/host/preview/compressionPreview.ts'));

  async function open(
    options: Partial<ConversationOptions> = {},
    view: object = { isVisible: true, reveal: async () => undefined, refresh: () => undefined },
  ) {
    const conversation = converse(WORK, options);
    const active = await openActive(folder(), conversation);
    conversation.on((event) => {
      const isRecord = event.type === 'compaction-ended' && event.result.kind === 'compacted';
      if (isRecord || event.type === 'compaction-undone') active.preview?.noteRecords();
    });
    const karl = {
      mend: async () => true,
      run: (of: ActiveConversation, request: object, abort: AbortController) =>
        of.whileOpen(abort, conversation.compact({ ...request, trigger: 'command', signal: abort.signal })),
    };
    const parts = partsOf<Parameters<typeof openPreview>[0]>({ conversations: { active }, karl, view });
    const previews = {
      open: () => openPreview(parts),
      perform: (intent: PreviewIntent) => changePreview(intent, parts),
    };
    return { active, conversation, previews };
  }

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
