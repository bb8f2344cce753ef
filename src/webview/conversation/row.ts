import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../core/language.ts';
import type { EntryState, MessageEntry, SentState } from '../../protocol/entries.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import { formatShort } from '../format.ts';
import { type IconName, icon, iconButton } from '../icons.ts';
import { ask } from '../intent.ts';
import { nameOfRuns } from './compressionWords.ts';

/** Why a row is dimmed: its tag and the tooltip. */
const fates = (): Readonly<Record<Exclude<SentState, 'whole'>, readonly [word: string, why: string]>> => ({
  shortened: [t('shortened'), t('The model is sent a shortened form of this. Show original')],
  summarized: [t('summarized'), t('The model is sent a summary of this. Show original')],
  dropped: [t('dropped'), t('The model is not sent this; it can look it up by its number. Show original')],
});

/** A tag that says how much of a row is sent and opens the original. Nothing for a row that is sent whole. */
export function renderFate(
  sent: SentState,
  from: number,
  to: number,
  of: EventTarget,
): TemplateResult | typeof nothing {
  if (sent === 'whole') return nothing;
  const [word, why] = fates()[sent];
  return html`<button
    class="mark ${sent}"
    title=${why}
    aria-label=${t('{0}: show original of {1}', word, nameOf(from, to))}
    @click=${() => ask(of, { type: 'show-original', from, to })}
  >${word}</button>`;
}

/** The mark of a pinned row. */
export function renderPinned(pinned: boolean): TemplateResult | typeof nothing {
  if (!pinned) return nothing;
  return html`<span class="mark pin" title=${t('Pinned: no compression changes this message')}>${icon('pinned')}${t('pinned')}</span>`;
}

/** The tokens of a row, short. */
export function renderSize(tokens: number): TemplateResult {
  return html`<span class="size muted small figures" title=${t('{0} tokens', tokens)}>${formatShort(tokens)}</span>`;
}

/** One button of a row. `object`: what it acts on, for screen readers. */
export interface RowAction {
  readonly icon: IconName;
  readonly label: string;
  readonly object: string;
  readonly intent: FromWebview;
}

/** The buttons of a row, shown while it is hovered or has the focus. */
export function renderActions(actions: readonly RowAction[], of: EventTarget): TemplateResult {
  return html`<span class="actions">
    ${actions.map(({ icon: symbol, label, object, intent }) =>
      iconButton(symbol, { label, name: `${label} (${object})` }, () => ask(of, intent)),
    )}
  </span>`;
}

/** Pin or unpin. */
export function pinAction(
  id: number,
  { pinned, sent }: { readonly pinned: boolean; readonly sent: SentState },
  object: string,
): RowAction {
  return pinned
    ? { icon: 'pinned', label: t('Unpin'), object, intent: { type: 'unpin', id } }
    : { icon: 'pin', label: wordOfPin(sent === 'whole'), object, intent: { type: 'pin', id } };
}

/** Restores what is not sent whole; nothing for a row that is. */
export function restoreAction(ids: readonly number[], sent: SentState, object: string): readonly RowAction[] {
  if (sent === 'whole') return [];
  const label = t('Restore: it is sent whole again');
  return [{ icon: 'undo', label, object, intent: { type: 'change', act: 'restored', ids } }];
}

/** Previews a compression of everything before a row. */
export function compressAction(id: number, object: string): RowAction {
  return { icon: 'compressed', label: t('Compress up to here…'), object, intent: { type: 'preview', upTo: id } };
}

/** Copies the whole text of a row. */
export function copyAction({ key }: EntryState, object: string): RowAction {
  return { icon: 'copy', label: t('Copy'), object, intent: { type: 'copy', key } };
}

/** Opens the original messages in an editor. */
export function originalAction(from: number, to: number): RowAction {
  const object = nameOf(from, to);
  return { icon: 'original', label: t('Open in the editor'), object, intent: { type: 'show-original', from, to } };
}

/** `message 12`, `messages 12 to 14`. */
export function nameOf(from: number, to: number): string {
  return from === to ? t('message {0}', String(from)) : t('messages {0} to {1}', String(from), String(to));
}

/** Who speaks, by role. */
export function speakerOf(role: MessageEntry['role']): string {
  const names = {
    system: t('System prompt'),
    user: t('You'),
    assistant: t('Assistant'),
    continued: t('Continued after an interruption'),
  };
  return names[role];
}

/** How many characters of a text are in the name of its row. */
const LONGEST = 120;

/** The name of a row for screen readers. */
export function nameOfRow(entry: EntryState): string {
  switch (entry.kind) {
    case 'message': {
      const beginning = firstLine(entry.text.slice(0, LONGEST).toWellFormed());
      return t('{0}, {1} tokens: {2}', speakerOf(entry.role), entry.tokens, beginning);
    }
    case 'call':
      return nameOfCall(entry);
    case 'summary':
      return nameOfSummary(entry);
    case 'compressions':
      return nameOfRuns(entry.runs);
  }
}

/** `read_file src/a.ts, 40 lines, 67 tokens`. */
export function nameOfCall(entry: Extract<EntryState, { kind: 'call' }>): string {
  return t('{0}, {1}, {2} tokens', `${entry.name} ${entry.target}`.trimEnd(), entry.detail, entry.tokens);
}

/** `Summary of messages 1 to 12, 340 tokens`. */
export function nameOfSummary({ from, to, tokens }: Extract<EntryState, { kind: 'summary' }>): string {
  return t('Summary of {0}, {1} tokens', nameOf(from, to), tokens);
}

/** Folds a long body into one line with its title and beginning. */
export function renderFold(symbol: IconName, title: string, preview: string, body: TemplateResult): TemplateResult {
  return html`<details class="fold">
    <summary class="beside">
      <span class="chevron">${icon('chevron')}</span>${icon(symbol)}
      <span class="fold-title ellipsis">${title}</span>
      <span class="fold-preview muted ellipsis">${firstLine(preview)}</span>
    </summary>
    <div class="fold-body">${body}</div>
  </details>`;
}

/** The button that expands a cut text. `name`: for screen readers. */
export function renderMore({ key }: EntryState, label: string, name: string, of: EventTarget): TemplateResult {
  return html`<button class="link more" aria-label=${name} @click=${() => ask(of, { type: 'expand', key })}>${label}</button>`;
}

/** The start of a text as one line. */
export function firstLine(text: string): string {
  return text.slice(0, 200).replace(/\s+/g, ' ').trim();
}

/** The label of a pin button. A pin restores what is not sent whole. */
export function wordOfPin(isSentWhole: boolean): string {
  return isSentWhole
    ? t('Pin: keep through every compression')
    : t('Pin: sent whole again, and kept through every compression');
}
