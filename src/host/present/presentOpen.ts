import type { Attachment } from '../../core/chat/attachments.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { language, t, translate } from '../../core/language.ts';
import { originOf } from '../../core/model/providers.ts';
import type { ProfileMatch, ProfileUse, ResolvedProfile } from '../../core/model/resolve.ts';
import { unreachable } from '../../core/result.ts';
import type { CompactionMode } from '../../core/session/settings.ts';
import type { SessionState } from '../../core/session/turnContext.ts';
import type { ActivityState, ViewState } from '../../protocol/viewState.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { SYSTEM_CLOCK } from '../conversations/system.ts';
import { describeFault } from '../notices/describeModelError.ts';
import { describeServer } from '../servers/secrets.ts';
import { NEWEST, type Shown } from './entries.ts';
import { type Presentation, type PresentedConversation, presentView } from './presenter.ts';
import { describeContent, type WaitingMessage } from './unsent.ts';
import { titleOf, triggerWords } from './words.ts';

/** What the view shows beside the conversation. */
interface OpenParts {
  readonly mode: CompactionMode;
  readonly attachments: readonly Attachment[];
  /** Sent messages that are in neither a conversation nor its queue yet. */
  readonly waiting: readonly WaitingMessage[];
  /** Why Karl has no tools that read files. */
  readonly missingTools?: string | undefined;
}

/** Collects what the presenter needs of the open conversation, except for the part that a page shows. */
export function presentOpen(
  active: ActiveConversation,
  { mode, attachments, waiting, missingTools }: OpenParts,
): Omit<PresentedConversation, 'shown'> {
  const { conversation, agent, other, readOnly } = active;
  const { id: model, baseUrl = '' } = conversation.profile();
  const server = originOf(baseUrl);
  return {
    id: active.id,
    title: titleOf(active.title),
    model,
    modelHint: describeModel(active.resolved, active.profiles),
    server: server && describeServer(server),
    conversation,
    history: active.history,
    count: (message) => conversation.tokensOf(message).tokens,
    toolTokens: conversation.toolTokens().tokens,
    tools: conversation.settings.tools,
    mode,
    isDeclined: agent?.question.isDeclined,
    activity: activityOf(active, model),
    attachments,
    queued: agent?.queue.map(describeContent) ?? [],
    held: agent?.held,
    waiting: waiting.filter(({ of = active.id }) => of === active.id),
    shows: active.shows,
    showsContents: active.showsContents,
    readOnly: readOnly && translate(readOnly),
    preview: active.preview && {
      ...active.preview.state,
      asked: agent?.question.isOpen === true,
      // Other agents' conversations never prompt this user.
      notNow: mode === 'manual' || other !== undefined ? undefined : mode,
    },
    missingTools: other === undefined ? missingTools : undefined,
    otherAgent: other?.sentence,
    cached: agent?.cached,
    cost: agent?.cost,
    streaming: other === undefined ? agent?.streaming : other.lastReply(),
    isPaused: agent?.isPaused,
    question: agent?.work.question,
    command: agent?.work.running,
    todos: agent?.work.todos,
    restorable: agent?.work.restorable,
  };
}

const IDLE: SessionState = { kind: 'idle' };

function activityOf({ agent, isAtWork, compressing }: ActiveConversation, model: string): ActivityState {
  if (agent?.question.isOpen || agent?.work.question !== undefined)
    return { kind: 'waiting', label: t('Waiting for your answer') };
  // A turn that is about to begin can be stopped like a running one. Of another agent we only know that it is busy.
  const state = agent?.state ?? IDLE;
  if (isAtWork && state.kind === 'idle' && compressing === undefined)
    return { kind: 'model', label: agent === undefined ? describeWork(model) : t('Preparing the request') };
  return presentActivity(state, compressing, SYSTEM_CLOCK.now());
}

/** The open conversation, if there is one, and everything else that the view shows. */
interface PagesInput extends OpenParts, Omit<Presentation, 'open'> {
  readonly active: ActiveConversation | undefined;
}

/** A snapshot for each page, in order; without pages, one that shows the end. Pages that show the same part share one. */
export function presentPages(pages: readonly object[], input: PagesInput): readonly [ViewState, ...ViewState[]] {
  const { active, revision, notices } = input;
  const open = active === undefined ? undefined : presentOpen(active, input);
  const made = new Map<Shown, ViewState>();
  const presentTo = (page?: object): ViewState => {
    const shown = (page && active?.shown.get(page)) ?? NEWEST;
    const state = made.get(shown) ?? presentView({ revision, notices, open: open && { ...open, shown } });
    made.set(shown, state);
    return state;
  };
  const [first, ...others] = pages;
  return [presentTo(first), ...others.map(presentTo)];
}

/** A running compaction: what started it, and what it waits for. */
type RunningCompaction = Pick<Extract<KarlEvent, { type: 'compaction-started' }>, 'trigger' | 'waitsFor'>;

/**
 * The activity of the session, in words. `now`: milliseconds of the session's clock. A compaction by command runs while
 * the session is idle.
 */
export function presentActivity(
  state: SessionState,
  compressing: RunningCompaction | undefined,
  now: number,
): ActivityState {
  switch (state.kind) {
    case 'idle':
      return compressing === undefined ? { kind: 'idle' } : { kind: 'compacting', label: describeRun(compressing) };
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
      return {
        kind: 'retrying',
        label: translate(describeFault(error)),
        remainingMs: Math.max(0, until - now),
        attempt,
        attempts,
      };
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

function describeRun({ trigger, waitsFor }: RunningCompaction): string {
  const what = trigger === 'command' ? t('Compressing') : t('Compressing: {0}', triggerWords(trigger));
  return waitsFor === undefined ? what : t('{0}. Waiting for the model to finish the summary', what);
}

/** The tooltip of the model: where its profile comes from, and earlier profiles of the conversation; may be empty. */
export function describeModel({ profile, matches }: ResolvedProfile, uses: readonly ProfileUse[]): string {
  const newest = uses.at(-1);
  const isRunning = newest !== undefined && JSON.stringify(newest.profile) === JSON.stringify(profile);
  const earlier = isRunning ? uses.slice(0, -1) : uses;
  const origin = matches.length === 0 ? t('as it was stored with the conversation') : describeMatches(matches);
  return [
    ...(profile.id === '' ? [] : [t('{0} on {1}', profile.id, profile.provider), t('Profile: {0}', origin)]),
    ...(earlier.length === 0 ? [] : [t('Previously used:'), ...earlier.map(describeUse)]),
  ].join('\n');
}

function describeUse({ since, profile, matches }: ProfileUse): string {
  const time = new Date(since).toLocaleString(language() === 'en' ? 'en-US' : language(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return t('{0} on {1}, from {2} ({3})', profile.id, profile.provider, time, describeMatches(matches));
}

/** Describes where a profile comes from: each source with the rule and the entry that matched. */
export function describeMatches(matches: readonly ProfileMatch[]): string {
  return matches.map(describeMatch).join('; ');
}

function describeMatch({ source, rule, id = '' }: ProfileMatch): string {
  const words: Readonly<Record<typeof rule, string>> = {
    exact: t('{0}: entry {1} (exact)', source, id),
    wildcard: t('{0}: entry {1} (wildcard)', source, id),
    family: t('{0}: entry {1} (an older model of its family)', source, id),
    default: t('{0}: no entry, defaults', source),
  };
  return words[rule];
}
