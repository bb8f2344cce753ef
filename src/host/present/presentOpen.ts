import { t } from '../../core/language.ts';
import type { Attachment } from '../../core/messages/attachments.ts';
import { originOf } from '../../core/model/providers.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import type { ActivityState } from '../../protocol/viewState.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { SYSTEM_CLOCK } from '../conversations/clock.ts';
import { describeServer } from '../servers/secrets.ts';
import { describeWork, presentActivity } from './activity.ts';
import { describeModel } from './modelHint.ts';
import type { PresentedConversation } from './presenter.ts';
import { titleOf } from './title.ts';
import { describeContent, type WaitingMessage } from './waiting.ts';

/** What is shown with a conversation and is not its own. */
export interface OpenParts {
  readonly mode: CompactionMode;
  readonly attachments: readonly Attachment[];
  /** Messages that were sent and are in neither a conversation nor its queue yet. */
  readonly waiting: readonly WaitingMessage[];
  /** Why Karl has no tools that read files. */
  readonly missingTools?: string | undefined;
}

/** What the presenter needs of the open conversation; which part of it a page shows is added. */
export function presentOpen(
  active: ActiveConversation,
  { mode, attachments, waiting, missingTools }: OpenParts,
): Omit<PresentedConversation, 'shown'> {
  const { conversation, agent, readOnly } = active;
  const { id: model, baseUrl = '' } = conversation.profile();
  const server = originOf(baseUrl);
  return {
    id: active.id,
    title: titleOf(active.title),
    model,
    modelHint: describeModel(active.resolved, active.profiles),
    ...(server !== undefined && { server: describeServer(server) }),
    conversation,
    history: active.history,
    count: (message) => conversation.tokensOf(message).tokens,
    toolTokens: conversation.toolTokens().tokens,
    mode,
    isDeclined: agent.isDeclined,
    activity: activityOf(active, model),
    attachments,
    queued: agent.queue.map(describeContent),
    held: agent.held,
    waiting: waiting.filter(({ of = active.id }) => of === active.id),
    shows: active.shows,
    ...(readOnly !== undefined && { readOnly }),
    ...(active.preview !== undefined && {
      preview: {
        ...active.preview.state,
        asked: agent.asks,
        // Of another agent's conversation nobody here is asked.
        ...(mode !== 'manual' && active.otherAgent === undefined && { notNow: mode }),
      },
    }),
    ...(active.otherAgent === undefined && missingTools !== undefined && { missingTools }),
    ...(active.otherAgent !== undefined && { otherAgent: active.otherAgent }),
    ...(agent.cached !== undefined && { cached: agent.cached }),
    ...(agent.streaming !== undefined && { streaming: agent.streaming }),
  };
}

function activityOf({ agent, otherAgent, compressing }: ActiveConversation, model: string): ActivityState {
  if (agent.asks) return { kind: 'waiting', label: t('Waiting for your answer') };
  // A turn that is about to begin can be stopped like one that runs; of another agent only that it is busy is known.
  if (agent.isBusy && agent.state.kind === 'idle' && compressing === undefined)
    return { kind: 'model', label: otherAgent === undefined ? t('Preparing the request') : describeWork(model) };
  return presentActivity(agent.state, compressing, SYSTEM_CLOCK.now());
}
