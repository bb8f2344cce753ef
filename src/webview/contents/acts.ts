import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, t } from '../../core/language.ts';
import type { ContentGroup, ContentRow, RefusedAct, RowAct } from '../../protocol/contents.ts';
import { icon, iconButton, linkButton } from '../controls.ts';
import { wordOfPin } from '../conversation/row.ts';
import { formatShort } from '../format.ts';
import { ask } from '../intent.ts';

/** The texts of each act: its name, with what it changes and saves, for screen readers, and its tooltip. */
const ACTS = {
  restored: {
    symbol: 'undo',
    name: (what: string, gain: string) => t('Restore {0}, {1}', what, gain),
    title: (gain: string) => t('Restore: it is sent whole again; {0}', gain),
  },
  shortened: {
    symbol: 'compressed',
    name: (what: string, gain: string) => t('Shorten {0}, {1}', what, gain),
    title: (gain: string) => t('Shorten: its beginning and end stay; {0}', gain),
  },
  dropped: {
    symbol: 'drop',
    name: (what: string, gain: string) => t('Drop {0}, {1}', what, gain),
    title: (gain: string) => t('Drop: a line with its number stays; {0}', gain),
  },
} as const;

/** Sources in which nothing can be pinned. */
const UNPINNED: readonly ContentGroup['kind'][] = ['instructions', 'summaries', 'aside'];

/** The title of a row; the message number for a call without arguments. */
export function titleOfContent({ label, at }: ContentRow): string {
  return label === '' && at !== undefined ? t('Message {0}', String(at.from)) : label;
}

/** The unique name of a row. */
export function nameOfContent(row: ContentRow): string {
  const { label, which } = row;
  if (label === '') return titleOfContent(row);
  return which === undefined ? label : t('{0}, {1}', label, which);
}

/** How many tokens an act saves or takes, in words. */
export function describeGain({ act, tokens }: RowAct): string {
  const figure = formatShort(Math.max(0, tokens));
  return act === 'restored' ? t('takes about {0} tokens', figure) : t('saves about {0} tokens', figure);
}

/** The buttons of a row: pin, shorten, drop, restore, open. `from` dispatches intents. */
export function renderActs(
  from: EventTarget,
  row: ContentRow,
  kind: ContentGroup['kind'],
  isLocked: boolean,
): TemplateResult {
  return html`<span class="beside firm">
    ${isLocked || UNPINNED.includes(kind) ? nothing : renderPin(from, row)}
    ${isLocked ? nothing : (['restored', 'shortened', 'dropped'] as const).map((act) => renderAct(from, row, act))}
    ${renderOpen(from, row)}
  </span>`;
}

function renderPin(from: EventTarget, row: ContentRow): TemplateResult | typeof nothing {
  const { at, pinned, acts, note, pins = [] } = row;
  if (at === undefined && pins.length === 0) return nothing;
  const name = at === undefined ? t('all {0} of {1}', note, row.label) : nameOfContent(row);
  const press = () => {
    if (at === undefined) ask(from, { type: 'pin-all', ids: pins, pinned: !pinned });
    else ask(from, { type: pinned ? 'unpin' : 'pin', id: at.from });
  };
  const word = pinned ? t('Unpin') : wordOfPin(acts.every(({ act }) => act !== 'restored'));
  return iconButton(pinned ? 'pinned' : 'pin', { label: word, name: t('{0} ({1})', word, name) }, press);
}

function renderAct(from: EventTarget, row: ContentRow, act: RowAct['act']): TemplateResult | typeof nothing {
  const { note, at } = row;
  const label = nameOfContent(row);
  const one = row.acts.find((candidate) => candidate.act === act);
  const refused = row.refused?.find((candidate) => candidate.act === act);
  if (one === undefined) return refused === undefined ? nothing : renderRefused(refused, label);
  const { ids, left = 0, of } = one;
  const few = t('the {0} largest of {1}', ids.length, ids.length + left);
  // What it changes, and how many of several things that are, '' for a single one.
  const [what, scope] =
    left > 0
      ? [t('{0} of {1}', few, label), few]
      : at !== undefined
        ? [label, '']
        : of === undefined
          ? [t('all {0} of {1}', note, label), t('all')]
          : [t('{0} of {1} of {2}', ids.length, note, label), t('{0} of {1}', ids.length, of)];
  const gain = describeGain(one);
  return html`<button
    class="plain"
    data-act=${act}
    title=${ACTS[act].title(scope === '' ? gain : t('{0} ({1})', gain, scope))}
    aria-label=${ACTS[act].name(what, gain)}
    @click=${() => ask(from, { type: 'change', act, ids })}
  >${icon(ACTS[act].symbol)}</button>`;
}

/** A button for an impossible act, with the reason. It is focusable, so that screen readers can read the reason. */
function renderRefused({ act, why }: RefusedAct, label: string): TemplateResult {
  const name = act === 'shortened' ? t('Shorten {0}', label) : t('Drop {0}', label);
  return html`<button class="plain" aria-disabled="true" title=${why} aria-label=${name}>
    ${icon(ACTS[act].symbol)}
  </button>`;
}

/** Opens a message, or the file of several readings. */
function renderOpen(from: EventTarget, row: ContentRow): TemplateResult | typeof nothing {
  const { at, path } = row;
  if (at !== undefined) {
    const names = { label: t('Open in the editor'), name: t('Open in the editor ({0})', nameOfContent(row)) };
    return iconButton('original', names, () => ask(from, { type: 'show-original', ...at }));
  }
  if (path === undefined) return nothing;
  return iconButton('read', { label: t('Open {0}', path) }, () => ask(from, { type: 'open-file', path, line: 1 }));
}

/** Drops the outdated readings of a file, or of all files. */
export function renderOutdated(
  from: EventTarget,
  act: RowAct | undefined,
  of: string,
): TemplateResult | typeof nothing {
  if (act === undefined) return nothing;
  const { length } = act.ids;
  const gain = describeGain(act);
  const count = act.left === undefined ? formatNumber(length) : t('{0} of {1}', length, length + act.left);
  const ofAll = length === 1 ? t('Drop {0} outdated reading', count) : t('Drop {0} outdated readings', count);
  const words = of === '' ? ofAll : t('Drop {0} outdated', count);
  const name = of === '' ? t('{0}, {1}', words, gain) : t('{0} of {1}, {2}', words, of, gain);
  const hint = t('Outdated by a newer reading or a change: {0}', gain);
  const press = () => ask(from, { type: 'change', act: act.act, ids: act.ids });
  const shown = of === '' ? html`${words} <span class="muted">· ${gain}</span>` : words;
  return linkButton({ label: words, name, hint }, press, 'small outdated', shown);
}
