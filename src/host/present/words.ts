import type { Compaction } from '../../core/compaction/compaction.ts';
import type { ConversationFigures } from '../../core/conversation/figures.ts';
import { UNBOUNDED, type WindowSource } from '../../core/model/budget.ts';
import type { ProfileMatch, ProfileUse, ResolvedProfile } from '../../core/model/resolve.ts';
import type { Grant } from '../../core/session/permission.ts';
import { formatMoment, formatNumber, formatShare, language, t } from '../../language/language.ts';
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

/** The limit of a budget in tokens; undefined if the window was unknown, so that there is nothing to be a share of. */
export function knownLimit(limit: number | undefined): number | undefined {
  return limit === undefined || limit >= UNBOUNDED / 2 ? undefined : limit;
}

/** Why a run started, in words. */
export function triggerWords(trigger: Compaction['trigger']): string {
  const words: Readonly<Record<Compaction['trigger'], string>> = {
    threshold: t('threshold reached'),
    'message-count': t('many messages'),
    'trace-size': t('many tool calls'),
    command: t('manual'),
    overflow: t('the server reported an overflow'),
    'smaller-model': t('switched to a smaller model'),
    'hard-limit': t('budget used up'),
    dropped: t('dropped by you'),
    shortened: t('shortened by you'),
    restored: t('restored by you'),
    agent: t('by the agent itself'),
  };
  return words[trigger];
}

/** Where a window figure comes from, in words. */
export function windowSourceWords(source: WindowSource): string {
  const words: Readonly<Record<WindowSource, string>> = {
    unknown: t('unknown'),
    profile: t('from the model profile'),
    server: t('from the server'),
    error: t('learned from an error'),
    setting: t('from the settings'),
  };
  return words[source];
}

/** The stored title of a conversation that has no message yet. */
export const UNTITLED = 'New conversation';

/** A conversation's title for the user. */
export function titleOf(title: string): string {
  if (title === UNTITLED) return t('New conversation');
  // What the store calls a conversation whose summary file cannot be read.
  return title === 'Untitled conversation' ? t('Untitled conversation') : title;
}

/** Escapes `$(name)`, which VS Code draws as an icon in lists and in the status bar. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/**
 * Text for a notification or an input box. VS Code turns `[words](address)` into links there, even into links that run
 * commands. Text from a setting, a file, a server or a model must not become one.
 */
export function plainText(text: string): string {
  return text.replaceAll('](', '] (');
}

/** The label of the button for a cure. */
export function cureLabel(cure: Cure): string {
  const labels: Readonly<Record<Cure['kind'], string>> = {
    'set-key': t('Set API Key…'),
    'select-server': t('Select Server…'),
    'select-model': t('Select Model…'),
    'compress-with': t('Compress With…'),
    'open-setting': t('Open Settings'),
  };
  return labels[cure.kind];
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
 * A row of the list of conversations: which agent leads it, how full it is, when it was last compressed and used. Titles
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
