import type { ConversationFigures } from '../../core/conversation/figures.ts';
import { formatMoment, formatNumber, t } from '../../core/language.ts';
import { formatPercent, titleOf, withoutIcons } from './words.ts';

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

/** A conversation in a list of VS Code. */
interface ChoiceItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/**
 * Says of a conversation which agent leads it, how full it is, when it was compressed last and when it was used. Titles
 * and names of agents may contain anything.
 */
export function presentChoice(choice: ConversationChoice, isOpen: boolean): ChoiceItem {
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
