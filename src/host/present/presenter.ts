import type { Attachment } from '../../core/chat/attachments.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import { originOf } from '../../core/model/providers.ts';
import { unreachable } from '../../core/result.ts';
import type { SessionState } from '../../core/session/turnContext.ts';
import { t, translate } from '../../language/language.ts';
import type { ActivityState, ViewState } from '../../protocol/viewState.ts';
import type { CompressionQuestion } from '../actions/compressionQuestion.ts';
import type { ActiveConversation, OtherAgent } from '../conversations/activeConversation.ts';
import type { Agent } from '../conversations/agent.ts';
import { describeFault } from '../notices/describeModelError.ts';
import type { ShownNotice } from '../notices/notices.ts';
import type { CompressionPreview } from '../preview/compressionPreview.ts';
import { describeServer } from '../servers/secrets.ts';
import type { CompactionMode } from '../settings/settingRules.ts';
import type { AgentWork } from '../work/agentWork.ts';
import { busyHint, placesOfCompressions } from './compressions.ts';
import { contentsOf } from './contents.ts';
import { NEWEST, presentEntries, type Shown } from './entries.ts';
import { presentGauge } from './gauge.ts';
import { presentAttached } from './rows.ts';
import type { ShownConversation } from './sent.ts';
import {
  describeContent,
  describeQueued,
  describeUnfinished,
  messageOf,
  presentStreaming,
  presentWaiting,
  type WaitingMessage,
} from './unsent.ts';
import { describeModel, titleOf, triggerWords } from './words.ts';

/** What the view shows of Karl's own agent. */
interface PresentedAgent
  extends Pick<Agent, 'state' | 'queue' | 'held' | 'isPaused' | 'streaming' | 'cached' | 'cost'> {
  readonly question: Pick<CompressionQuestion, 'isOpen' | 'isDeclined'>;
  readonly work: Pick<AgentWork, 'question' | 'running' | 'todos' | 'restorable'>;
}

/** What the view shows of the open conversation. */
export interface Presented
  extends Pick<ActiveConversation, 'id' | 'title' | 'resolved' | 'profiles' | 'readOnly' | 'isAtWork' | 'compressing'>,
    Pick<ActiveConversation, 'shows' | 'showsContents' | 'history'> {
  readonly conversation: ShownConversation;
  readonly agent: PresentedAgent | undefined;
  readonly other: Pick<OtherAgent, 'sentence' | 'lastReply'> | undefined;
  readonly preview: Pick<CompressionPreview, 'state'> | undefined;
}

/** Everything that the view shows. */
export interface Presentation {
  readonly revision: number;
  readonly active: Presented | undefined;
  readonly mode: CompactionMode;
  /** What goes with the next message. */
  readonly attachments: readonly Attachment[];
  /** User messages that are in neither a conversation nor its queue yet, oldest first. */
  readonly waiting: readonly WaitingMessage[];
  /** Why Karl has no tools that read files. */
  readonly missingTools?: string | undefined;
  readonly notices: readonly ShownNotice[];
}

/** A snapshot for each page, in order; without pages, one that shows the end. Pages that show the same part share one. */
export function presentPages(
  pages: readonly object[],
  input: Presentation & { readonly active: Pick<ActiveConversation, 'shown'> | undefined },
): readonly [ViewState, ...ViewState[]] {
  const made = new Map<Shown, ViewState>();
  const presentTo = (page?: object): ViewState => {
    const shown = (page && input.active?.shown.get(page)) ?? NEWEST;
    const state = made.get(shown) ?? presentView(input, shown);
    made.set(shown, state);
    return state;
  };
  const [first, ...others] = pages;
  return [presentTo(first), ...others.map(presentTo)];
}

/** Makes the snapshot that the webview draws. `shown`: the part of the conversation. */
export function presentView(
  { active, revision, notices, mode, attachments, missingTools, ...input }: Presentation,
  shown: Shown,
): ViewState {
  if (active === undefined) return presentNothing(revision, notices);
  const { conversation, agent, other, shows, showsContents } = active;
  const { messages } = conversation.transcript;
  const { id: model, baseUrl = '' } = conversation.profile();
  const server = originOf(baseUrl);
  const count = (message: ChatMessage): number => conversation.tokensOf(message).tokens;
  const readOnly = active.readOnly && translate(active.readOnly);
  const isOwn = readOnly === undefined && other === undefined;
  const activity = activityOf(active, model);
  const isIdle = activity.kind === 'idle';
  const question = agent?.work.question;
  const items = conversation.items();
  const { entries, earlier, later } = presentEntries({
    ...{ shows, shown, items, messages, count },
    history: conversation.history(),
    pins: conversation.pins(),
    running: !isIdle,
    command: agent?.work.running,
    askedTool: question?.tool,
    restorable: isIdle && readOnly === undefined ? agent?.work.restorable : undefined,
    last: other === undefined ? messages.length - 1 : undefined,
    locked: whyNoUndo(active, activity),
  });
  const reply = other === undefined ? agent?.streaming : other.lastReply();
  const preview = active.preview && {
    ...active.preview.state,
    asked: agent?.question.isOpen === true,
    // Other agents' conversations never prompt this user.
    notNow: mode === 'manual' || other !== undefined ? undefined : mode,
  };
  // The rows are hidden while something else is shown in place of the conversation.
  const isHidden = showsContents || preview !== undefined;
  const waiting = input.waiting.filter(({ of = active.id }) => of === active.id);
  const queueing = waiting.filter(({ isQueued }) => isQueued || isHidden);
  const unsent = waiting.filter((one) => !queueing.includes(one));
  const newest = [
    ...(reply === undefined ? [] : presentStreaming(reply, messages.length, other !== undefined)),
    ...presentWaiting(unsent, messages.length, count),
  ];
  // The notice of a failed turn has a button that continues it.
  const isOffered = notices.some((notice) => notice.id === 'turn');
  return {
    revision,
    conversation: {
      id: active.id,
      title: titleOf(active.title),
      model,
      modelHint: describeModel(active.resolved, active.profiles),
      server: server && describeServer(server),
      readOnly,
      otherAgent: other?.sentence,
    },
    gauge: presentGauge(conversation, readOnly === undefined ? mode : 'elsewhere', agent),
    shows,
    entries: later === 0 ? [...entries, ...newest] : entries,
    earlier,
    later,
    compressions: placesOfCompressions(conversation.history()),
    contents: showsContents ? contentsOf(conversation, active.history, isOwn) : undefined,
    unfinished: isIdle && !isOffered && isOwn ? describeUnfinished(conversation.transcript) : undefined,
    missingTools: other === undefined ? missingTools : undefined,
    activity,
    isPaused: agent?.isPaused,
    question,
    todos: agent?.work.todos,
    attachments: attachments.map((one) => ({ ...presentAttached(one), tokens: count(messageOf(one)) })),
    queued: agent?.queue.map(describeContent) ?? [],
    held: agent?.held,
    queueing: queueing.map((one) => describeQueued(one.text, one.attachments)),
    preview,
    // The preview has the buttons of the question itself.
    notices: preview === undefined ? notices : notices.filter((notice) => notice.id !== 'compress?'),
  };
}

/** What is shown while no conversation is open. */
export function presentNothing(revision: number, notices: readonly ShownNotice[]): ViewState {
  const rows = { shows: 'history', entries: [], earlier: 0, later: 0, compressions: [] } as const;
  return { revision, ...rows, attachments: [], queued: [], activity: { kind: 'idle' }, notices };
}

/** Why no compression can be undone now, a sentence. */
function whyNoUndo({ readOnly, other }: Presented, { kind }: ActivityState): string | undefined {
  if (readOnly !== undefined) return t('This conversation is read-only here. Take it over first.');
  return kind === 'idle' ? undefined : busyHint(other !== undefined && kind === 'model');
}

/** What runs. A compaction by command runs while the session is idle. `model`: the name of the conversation's model. */
function activityOf({ agent, isAtWork, compressing }: Presented, model: string): ActivityState {
  if (agent?.question.isOpen || agent?.work.question !== undefined)
    return { kind: 'waiting', label: t('Waiting for your answer') };
  const state: SessionState = agent?.state ?? { kind: 'idle' };
  switch (state.kind) {
    case 'idle':
      if (compressing !== undefined) return { kind: 'compacting', label: describeRun(compressing) };
      if (!isAtWork) return { kind: 'idle' };
      // A turn that is about to begin can be stopped like a running one. Of another agent we only know that it is busy.
      return { kind: 'model', label: agent === undefined ? describeWork(model) : t('Preparing the request') };
    case 'saving':
      return { kind: 'model', label: t('Saving') };
    case 'compacting':
      return { kind: 'compacting', label: describeRun(compressing ?? state) };
    case 'asking':
      return {
        kind: 'model',
        label:
          state.round === 1
            ? describeWork(state.model)
            : t('{0} is working on request {1} of this turn', state.model, state.round),
      };
    case 'waiting': {
      const { attempt, attempts, until, error } = state;
      const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      const countdown = t('Retrying in {0} s ({1} of {2})', seconds, attempt, attempts);
      return { kind: 'retrying', label: translate(describeFault(error)), countdown };
    }
    case 'paused':
      return { kind: 'paused', label: t('Paused until you resume') };
    case 'running-tools':
      return { kind: 'tool', label: t('Running {0}', state.tools.join(', ')) };
    default:
      return unreachable(state);
  }
}

function describeWork(model: string): string {
  return t('{0} is working on the reply', model);
}

function describeRun(run: Pick<NonNullable<Presented['compressing']>, 'trigger' | 'waitsFor'>): string {
  const what = run.trigger === 'command' ? t('Compressing') : t('Compressing: {0}', triggerWords(run.trigger));
  return run.waitsFor === undefined ? what : t('{0}. Waiting for the model to finish the summary', what);
}
