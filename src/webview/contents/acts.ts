import { html, nothing, type TemplateResult } from 'lit';
import type { ContentGroup, ContentRow, RowAct } from '../../protocol/contents.ts';
import { formatShort, formatTokens } from '../format.ts';
import { type IconName, icon } from '../icons.ts';
import { ask } from '../intent.ts';

/** What each act is called, what it leaves, and its icon. */
const ACTS: Readonly<Record<RowAct['act'], { readonly verb: string; readonly does: string; readonly icon: IconName }>> =
  {
    shortened: { verb: 'Shorten', does: 'its beginning and end stay', icon: 'compressed' },
    dropped: { verb: 'Drop', does: 'a line with its number stays', icon: 'drop' },
    restored: { verb: 'Restore', does: 'it is sent whole again', icon: 'undo' },
  };

/** Sources of which nothing can be pinned. */
const UNPINNED: readonly ContentGroup['kind'][] = ['instructions', 'summaries', 'aside'];

/** What an act saves, or takes, in words. */
export function describeGain({ act, tokens }: RowAct): string {
  return `${act === 'restored' ? 'takes' : 'saves'} about ${formatShort(Math.max(0, tokens))} tokens`;
}

/** The buttons of a row: pin, shorten, drop, restore, open. `from` asks. */
export function renderActs(
  from: EventTarget,
  row: ContentRow,
  { kind, isLocked }: { readonly kind: ContentGroup['kind']; readonly isLocked: boolean },
): TemplateResult {
  return html`<span class="actions">
    ${isLocked || UNPINNED.includes(kind) ? nothing : renderPin(from, row)}
    ${isLocked ? nothing : row.acts.map((act) => renderAct(from, row, act))}
    ${row.at === undefined ? nothing : renderOpen(from, row.at, row.label)}
  </span>`;
}

function renderPin(from: EventTarget, { at, pinned, label }: ContentRow): TemplateResult | typeof nothing {
  if (at === undefined) return nothing;
  const type = pinned ? 'unpin' : 'pin';
  const word = pinned ? 'Unpin' : 'Pin: keep through every compression';
  return html`<button
    class="plain"
    title=${word}
    aria-label="${word} (${label})"
    @click=${() => ask(from, { type, id: at.from })}
  >${icon(pinned ? 'pinned' : 'pin')}</button>`;
}

function renderAct(from: EventTarget, { label, note, at }: ContentRow, one: RowAct): TemplateResult {
  const { act, ids, left = 0 } = one;
  const { verb, does, icon: name } = ACTS[act];
  const few = `the ${formatTokens(ids.length)} largest of ${formatTokens(ids.length + left)}`;
  const scope = left > 0 ? ` ${few}` : at === undefined ? ' all' : '';
  const what = left > 0 ? `${few} of ${label}` : at === undefined ? `all ${note} of ${label}` : label;
  return html`<button
    class="plain"
    data-act=${act}
    title="${verb}${scope}: ${does}; ${describeGain(one)}"
    aria-label="${verb} ${what}, ${describeGain(one)}"
    @click=${() => ask(from, { type: 'change', act, ids })}
  >${icon(name)}</button>`;
}

function renderOpen(from: EventTarget, at: NonNullable<ContentRow['at']>, label: string): TemplateResult {
  return html`<button
    class="plain"
    title="Open in the editor"
    aria-label="Open in the editor (${label})"
    @click=${() => ask(from, { type: 'show-original', ...at })}
  >${icon('original')}</button>`;
}

/** Drops the outdated readings of a file, or of all. */
export function renderOutdated(
  from: EventTarget,
  act: RowAct | undefined,
  of: string,
): TemplateResult | typeof nothing {
  if (act === undefined) return nothing;
  const { length } = act.ids;
  const count = act.left === undefined ? length : `${formatTokens(length)} of ${formatTokens(length + act.left)}`;
  const words = `Drop ${count} outdated${of === '' ? (length === 1 ? ' reading' : ' readings') : ''}`;
  return html`<button
    class="link small outdated"
    title="A newer reading or a change has overtaken them: ${describeGain(act)}"
    aria-label="${words}${of === '' ? '' : ` of ${of}`}, ${describeGain(act)}"
    @click=${() => ask(from, { type: 'change', act: act.act, ids: act.ids })}
  >${words}${of === '' ? html` <span class="muted">· ${describeGain(act)}</span>` : nothing}</button>`;
}
