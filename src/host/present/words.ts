import type { Compaction } from '../../core/compaction/compaction.ts';
import type { ConversationFigures } from '../../core/conversation/figures.ts';
import { formatMoment, formatNumber, formatShare, t } from '../../core/language.ts';
import { UNBOUNDED, type WindowSource } from '../../core/model/budget.ts';
import { unreachable } from '../../core/result.ts';
import type { Grant } from '../../core/session/permission.ts';
import type { GaugeState } from '../../protocol/viewState.ts';
import type { Cure } from '../notices/describeModelError.ts';

/** What a grant allows, in words. */
export function nameGrant(grant: Grant): string {
  switch (grant.kind) {
    case 'tool':
      return grant.tool === 'edit_file' ? t('all edits in this workspace') : t('the tool {0}', grant.tool);
    case 'command':
      return t('exactly the command {0}', grant.command);
    case 'prefix':
      return t('commands that begin with {0}', grant.prefix);
  }
}

/** A part of a whole as a rounded percentage, e.g. `42%`. A whole of 0 is full. */
export function formatPercent(part: number, whole: number): string {
  return formatShare(whole <= 0 ? 100 : Math.round((part / whole) * 100));
}

/** The limit of a budget, tokens; undefined while the window was unknown, and nothing is a share of it. */
export function knownLimit(limit: number | undefined): number | undefined {
  return limit === undefined || limit >= UNBOUNDED / 2 ? undefined : limit;
}

/** Why a run started, in words. */
export function triggerWords(trigger: Compaction['trigger']): string {
  switch (trigger) {
    case 'threshold':
      return t('threshold reached');
    case 'message-count':
      return t('many messages');
    case 'trace-size':
      return t('many tool calls');
    case 'command':
      return t('manual');
    case 'overflow':
      return t('the server reported an overflow');
    case 'smaller-model':
      return t('switched to a smaller model');
    case 'hard-limit':
      return t('budget used up');
    case 'dropped':
      return t('dropped by you');
    case 'shortened':
      return t('shortened by you');
    case 'restored':
      return t('restored by you');
    case 'agent':
      return t('by the agent itself');
  }
}

/** Where a window figure comes from, in words. */
export function windowSourceWords(source: WindowSource): string {
  switch (source) {
    case 'unknown':
      return t('unknown');
    case 'profile':
      return t('from the model profile');
    case 'server':
      return t('from the server');
    case 'error':
      return t('learned from an error');
    case 'setting':
      return t('from the settings');
  }
}

/** Where the figure of used tokens comes from, in words. */
export function usedSourceWords(source: GaugeState['usedSource']): string {
  switch (source) {
    case 'measured':
      return t('measured');
    case 'counted':
      return t('exact count');
    case 'estimated':
      return t('estimated');
  }
}

/** The title of a conversation until its first message names it, as it is stored. */
export const UNTITLED = 'New conversation';

/** A conversation's title for the user. */
export function titleOf(title: string): string {
  if (title === UNTITLED) return t('New conversation');
  // What the store calls a conversation whose summary file cannot be read.
  return title === 'Untitled conversation' ? t('Untitled conversation') : title;
}

/** VS Code draws `$(name)` in a list or in its status bar as an icon: such text is shown as text. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/**
 * Text for a notification or an input box. VS Code makes links of `[words](address)` there, even links that run
 * commands: what a setting, a file, a server or a model wrote must not become one.
 */
export function plainText(text: string): string {
  return text.replaceAll('](', '] (');
}

/** What the button of a remedy says. */
export function cureLabel(cure: Cure): string {
  switch (cure.kind) {
    case 'set-key':
      return t('Set API Key…');
    case 'select-server':
      return t('Select Server…');
    case 'select-model':
      return t('Select Model…');
    case 'compress-with':
      return t('Compress With…');
    case 'open-setting':
      return t('Open Settings');
    default:
      return unreachable(cure);
  }
}

/** A conversation that can be opened. */
export interface ConversationChoice {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** Its size on the disk; absent for another agent's. */
  readonly bytes?: number;
  /** Absent where none were stored with it. */
  readonly figures?: ConversationFigures | undefined;
  /** Which agent leads it, as it named itself, or ''; absent for Karl's own. */
  readonly client?: string;
}

/**
 * Says of a conversation which agent leads it, how full it is, when it was compressed last and when it was used. Titles
 * and names of agents may contain anything.
 */
export function presentChoice(choice: ConversationChoice, isOpen: boolean) {
  const { title, client, figures, bytes, updatedAt } = choice;
  const parts = [
    ...(figures === undefined ? [] : describeFigures(figures)),
    t('used {0}', formatMoment(updatedAt)),
    ...(bytes === undefined ? [] : [`${formatNumber(Math.max(1, bytes / 1024))} kB`]),
  ];
  const whose = client === undefined ? [] : [client === '' ? t('another agent') : withoutIcons(client)];
  return {
    label: withoutIcons(titleOf(title)),
    description: [...whose, ...(isOpen ? [t('open now')] : [])].join(' · '),
    detail: parts.join(' · '),
  };
}

function describeFigures({ used, limit, compressions, last }: ConversationFigures): string[] {
  const fill = t('{0} of {1} tokens', formatPercent(used, limit), limit);
  if (last === undefined) return [fill];
  const at = formatMoment(last.at);
  return [fill, compressions === 1 ? t('compressed {0}', at) : t('compressed {0} times, last {1}', compressions, at)];
}
