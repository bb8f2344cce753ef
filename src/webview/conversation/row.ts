import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../language/language.ts';
import type { CallEntry, EntryState, MessageEntry, SentState, SummaryEntry } from '../../protocol/entries.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import { chevron, type IconName, icon, iconButton, linkButton } from '../controls.ts';
import { formatShort } from '../format.ts';
import { ask } from '../intent.ts';
import { nameOfRun } from './compression.ts';

/** A button of a row. */
export interface RowAction {
  readonly icon: IconName;
  readonly label: string;
  readonly intent: FromWebview;
}

/** Why a row is dimmed: its tag and the tooltip. */
const fates = (): Readonly<Record<Exclude<SentState, 'whole'>, readonly [word: string, why: string]>> => ({
  shortened: [t('shortened'), t('The model is sent a shortened form of this. Show original')],
  summarized: [t('summarized'), t('The model is sent a summary of this. Show original')],
  dropped: [t('dropped'), t('The model is not sent this; it can look it up by its number. Show original')],
});

/**
 * The end of a row's first line: tags, tokens, and the buttons, which are shown while the row is hovered or has the focus.
 * `own`: the buttons that only this row has, first. `may`: what the user can change. `of` dispatches the intents.
 */
export function renderEnd(
  entry: MessageEntry | CallEntry | SummaryEntry,
  own: readonly RowAction[],
  may: { readonly pin: boolean; readonly change: boolean },
  of: EventTarget,
): TemplateResult {
  const { from, to } = entry;
  const { sent = 'whole', pinned = false } = entry.kind === 'summary' ? {} : entry;
  const object = nameOf(from, to);
  const restore = { type: 'change', act: 'restored', ids: [to] } as const;
  const actions: readonly (RowAction | false)[] = [
    ...own,
    may.pin &&
      (pinned
        ? { icon: 'pinned', label: t('Unpin'), intent: { type: 'pin', ids: [to], pinned: false } }
        : { icon: 'pin', label: wordOfPin(sent === 'whole'), intent: { type: 'pin', ids: [to], pinned: true } }),
    may.change && sent !== 'whole' && { icon: 'undo', label: t('Restore: it is sent whole again'), intent: restore },
    may.change && { icon: 'compressed', label: t('Compress up to here…'), intent: { type: 'preview', upTo: from } },
    { icon: 'copy', label: t('Copy'), intent: { type: 'copy', key: entry.key } },
    { icon: 'original', label: t('Open in the editor'), intent: { type: 'show-original', from, to } },
  ];
  const isUnsent = entry.kind === 'message' && (entry.streaming || entry.unrecorded === true);
  return html`<span class="end beside tall firm push">
    ${sent === 'whole' ? nothing : renderFate(sent, { from, to }, of)}
    ${pinned ? html`<span class="mark pin" title=${t('Pinned: no compression changes this message')}>${icon('pinned')}${t('pinned')}</span>` : nothing}
    ${entry.tokens === 0 ? nothing : html`<span class="size muted small figures" title=${t('{0} tokens', entry.tokens)}>${formatShort(entry.tokens)}</span>`}
    <span class="actions card">${
      isUnsent
        ? nothing
        : actions
            .filter((action) => action !== false)
            .map(({ icon, label, intent }) =>
              iconButton(icon, { label, name: `${label} (${object})` }, () => ask(of, intent)),
            )
    }</span>
  </span>`;
}

/** A tag that says how much of a row is sent and opens the original. */
function renderFate(
  sent: Exclude<SentState, 'whole'>,
  at: { readonly from: number; readonly to: number },
  of: EventTarget,
): TemplateResult {
  const [word, why] = fates()[sent];
  return html`<button
    class="mark ${sent}"
    title=${why}
    aria-label=${t('{0}: show original of {1}', word, nameOf(at.from, at.to))}
    @click=${() => ask(of, { type: 'show-original', ...at })}
  >${word}</button>`;
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

/** The name of a row for screen readers: `read_file src/a.ts, 40 lines, 67 tokens`. */
export function nameOfRow(entry: EntryState): string {
  switch (entry.kind) {
    case 'message': {
      const beginning = firstLine(entry.text.slice(0, LONGEST).toWellFormed());
      return t('{0}, {1} tokens: {2}', speakerOf(entry.role), entry.tokens, beginning);
    }
    case 'call':
      return t('{0}, {1}, {2} tokens', `${entry.name} ${entry.target}`.trimEnd(), entry.detail, entry.tokens);
    case 'summary':
      return t('Summary of {0}, {1} tokens', nameOf(entry.from, entry.to), entry.tokens);
    case 'compression':
      return nameOfRun(entry.run);
  }
}

/** Folds a long body into one line with its title and beginning. */
export function renderFold(symbol: IconName, title: string, preview: string, body: TemplateResult): TemplateResult {
  return html`<details class="fold">
    <summary class="beside tall">
      ${chevron()}${icon(symbol)}
      <span class="fold-title ellipsis">${title}</span>
      <span class="fold-preview muted ellipsis less">${firstLine(preview)}</span>
    </summary>
    <div class="fold-body">${body}</div>
  </details>`;
}

/** The button that expands a cut text. `name`: for screen readers. */
export function renderMore({ key }: EntryState, label: string, name: string, of: EventTarget): TemplateResult {
  return linkButton({ label, name }, () => ask(of, { type: 'expand', key }), 'more');
}

/** The start of a text as one line. */
function firstLine(text: string): string {
  return text.slice(0, 200).replace(/\s+/g, ' ').trim();
}

/** The label of a pin button. A pin restores what is not sent whole. */
export function wordOfPin(isSentWhole: boolean): string {
  return isSentWhole
    ? t('Pin: keep through every compression')
    : t('Pin: sent whole again, and kept through every compression');
}
