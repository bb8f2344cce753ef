import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatNumber, formatShare, t } from '../../core/language.ts';
import type { ContentGroup, ContentRow, ContentsState, RowAct } from '../../protocol/contents.ts';
import type { GaugeState, Side } from '../../protocol/viewState.ts';
import { chevron, icon, iconButton, linkButton } from '../controls.ts';
import { wordOfPin } from '../conversation/row.ts';
import { onEscape } from '../focus.ts';
import { byKey, formatPart, formatShort, percentOf, renderLabel } from '../format.ts';
import { describeWindow, renderSetWindow } from '../gauge/gauge.ts';
import { ask, RevealEvent } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { Roving } from './roving.ts';
import { contentsStyles } from './styles.ts';
import './history.ts';

/** The texts of each act: its name, with what it changes and saves, for screen readers; without the latter; its tooltip. */
const ACTS = {
  restored: {
    symbol: 'undo',
    name: (what: string, gain: string) => t('Restore {0}, {1}', what, gain),
    alone: (what: string) => what,
    title: (gain: string) => t('Restore: it is sent whole again; {0}', gain),
  },
  shortened: {
    symbol: 'compressed',
    name: (what: string, gain: string) => t('Shorten {0}, {1}', what, gain),
    alone: (what: string) => t('Shorten {0}', what),
    title: (gain: string) => t('Shorten: its beginning and end stay; {0}', gain),
  },
  dropped: {
    symbol: 'drop',
    name: (what: string, gain: string) => t('Drop {0}, {1}', what, gain),
    alone: (what: string) => t('Drop {0}', what),
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
  return html`<span class="actions firm">
    ${isLocked || UNPINNED.includes(kind) ? nothing : renderPin(from, row)}
    ${isLocked ? nothing : (['restored', 'shortened', 'dropped'] as const).map((act) => renderAct(from, row, act))}
    ${renderOpen(from, row)}
  </span>`;
}

function renderPin(from: EventTarget, row: ContentRow): TemplateResult | typeof nothing {
  const { at, pinned, acts, note } = row;
  const ids = at === undefined ? (row.pins ?? []) : [at.from];
  if (ids.length === 0) return nothing;
  const name = at === undefined ? t('all {0} of {1}', note, row.label) : nameOfContent(row);
  const word = pinned ? t('Unpin') : wordOfPin(acts.restored === undefined);
  return iconButton(pinned ? 'pinned' : 'pin', { label: word, name: t('{0} ({1})', word, name) }, () =>
    ask(from, { type: 'pin', ids, pinned: !pinned }),
  );
}

/** An impossible act has its button too, which is focusable, so that screen readers can read the reason. */
function renderAct(from: EventTarget, row: ContentRow, act: RowAct['act']): TemplateResult | typeof nothing {
  const { symbol, title, name, alone } = ACTS[act];
  const label = nameOfContent(row);
  const found = row.acts[act];
  if (found === undefined) return nothing;
  const one = typeof found === 'string' ? undefined : found;
  const button = (hint: string, called: string) => html`<button
    class="plain"
    data-act=${one === undefined ? nothing : act}
    aria-disabled=${one === undefined}
    title=${hint}
    aria-label=${called}
    @click=${() => one && ask(from, { type: 'change', act, ids: one.ids })}
  >${icon(symbol)}</button>`;
  if (typeof found === 'string') return button(found, alone(label));
  const { ids, left = 0, of } = found;
  const few = t('the {0} largest of {1}', ids.length, ids.length + left);
  // What it changes, and how many of several things that are, '' for a single one.
  const [what, scope] =
    left > 0
      ? [t('{0} of {1}', few, label), few]
      : row.at !== undefined
        ? [label, '']
        : of === undefined
          ? [t('all {0} of {1}', row.note, label), t('all')]
          : [t('{0} of {1} of {2}', ids.length, row.note, label), t('{0} of {1}', ids.length, of)];
  const gain = describeGain(found);
  return button(title(scope === '' ? gain : t('{0} ({1})', gain, scope)), name(what, gain));
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

/** What fills the window, by source, each with its share of the budget; in place of the conversation. */
@customElement('karl-contents')
export class KarlContents extends LitElement {
  static override readonly styles = [shared, contentsStyles];
  @property({ attribute: false }) accessor contents: ContentsState | undefined;
  @property({ attribute: false }) accessor gauge: GaugeState | undefined;
  /** Read-only: nothing can be changed. */
  @property({ attribute: false }) accessor locked = false;
  /** The side of the conversation that the user came from. */
  @property({ attribute: false }) accessor back: Side = 'history';
  @property({ attribute: false }) accessor missingTools: string | undefined;
  readonly #roving = new Roving(() => this.renderRoot);
  /** The focused element before the update. */
  #held: Element | undefined;

  constructor() {
    super();
    onEscape(this, () => this.#close());
  }

  /** Focuses the list, or the close button without one. */
  override focus(): void {
    this.#roving.focus() || this.renderRoot.querySelector<HTMLElement>('.head button')?.focus();
  }

  #close(): void {
    ask(this, { type: 'show', shows: this.back });
  }

  protected override willUpdate(): void {
    this.#held = this.shadowRoot?.activeElement ?? undefined;
  }

  /** If the focused button was removed, as *Undo* is, focuses the list. */
  protected override updated(): void {
    this.#roving.update();
    if (this.#held?.isConnected === false && !this.shadowRoot?.activeElement && document.hasFocus()) this.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { contents, gauge } = this;
    if (!contents || !gauge) return nothing;
    const closing = { label: t('Close what fills the window'), hint: t('Back to the conversation') };
    return html`<div
      class="scroller"
      role="region"
      aria-label=${t('What fills the window')}
      @focusin=${(event: FocusEvent) => this.#roving.focused(event)}
      @focusout=${(event: FocusEvent) => this.#roving.left(event)}
      @keydown=${(event: KeyboardEvent) => this.#roving.pressed(event)}
    >
      <div class="head beside tall">
        <h2 class="grow">${t('What fills the window')}</h2>
        ${iconButton('close', closing, () => this.#close())}
      </div>
      <p class="dotted muted figures">
        ${
          gauge.accepted === undefined
            ? html`<span>${t('{0} of {1} tokens', gauge.used, gauge.limit)}</span>
                <span>${formatShare(percentOf(gauge.used, gauge.limit))}, ${gauge.usedSource}</span>
                <span>${describeWindow(gauge)}</span>
                ${this.locked ? nothing : renderSetWindow(this)}`
            : html`<span>${t('{0} tokens', gauge.used)}, ${gauge.usedSource}</span>`
        }
      </p>
      ${contents.forecast && html`<p class="muted figures">${describeForecast(contents.forecast, gauge)}</p>`}
      ${this.missingTools && html`<p class="muted">${this.missingTools}</p>`}
      ${this.#renderLast(contents)}
      ${byKey('kind', contents.groups, (group) => this.#renderGroup(group, gauge.limit))}
      <karl-history .points=${contents.history}></karl-history>
    </div>`;
  }

  /** The user's last change by hand, with a button that undoes it. */
  #renderLast({ last }: ContentsState): TemplateResult | typeof nothing {
    if (last === undefined || this.locked) return nothing;
    return html`<p class="figures last wrap">
      <span>${last.text}</span>
      ${linkButton({ label: t('Undo'), name: t('Undo: {0}', last.text) }, () => ask(this, { type: 'undo', id: last.id }))}
    </p>`;
  }

  #renderGroup(group: ContentGroup, limit: number): TemplateResult {
    const isAside = group.kind === 'aside';
    const share = percentOf(group.tokens, limit);
    // A length is set through the object model (`.style`), which the page's policy allows.
    const line = html`<span class="label">${group.label}</span>
      <span class="figure figures">${formatShort(group.tokens)}</span>
      <span class="figure figures muted">${isAside ? nothing : formatPart(group.tokens, limit)}</span>
      ${
        isAside
          ? html`<span class="track muted small">${t('Not in the window; the model can look it up by its number.')}</span>`
          : html`<span class="track"><span class="bar" .style=${`width: ${Math.min(100, share)}%`}></span></span>`
      }`;
    if (group.rows.length === 0)
      return html`<section class="group"><div class="line beside tall strong"><span class="chevron none">${icon('chevron')}</span>${line}</div></section>`;
    return html`<section class="group">
      <details @toggle=${() => this.#roving.update()}>
        <summary class="line beside tall strong">${chevron()}${line}</summary>
        ${this.locked ? nothing : group.outdated && html`<p class="all beside wrap tall">${renderOutdated(this, group.outdated, '')}</p>`}
        <ul class="bare">
          ${byKey('key', group.rows, (row) => this.#renderRow(row, limit, group))}
        </ul>
        ${group.more > 0 ? html`<p class="muted small">${t('and {0} smaller ones', group.more)}</p>` : nothing}
      </details>
    </section>`;
  }

  #renderRow(row: ContentRow, limit: number, group: ContentGroup): TemplateResult {
    const noted = [row.which ?? '', row.note].filter((word) => word !== '').join(', ');
    // A row without a button for its label is focusable as a whole.
    const focusable = row.at === undefined;
    return html`<li>
      <div
        class="row beside tall"
        role=${focusable ? 'group' : nothing}
        tabindex=${focusable ? '-1' : nothing}
        aria-label=${focusable ? describeRow(row, noted) : nothing}
      >
        ${this.#renderLabel(row)}
        ${noted === '' ? nothing : html`<span class="note muted small ellipsis">${noted}</span>`}
        <span class="acts card beside firm">
          ${renderOutdated(this, this.locked ? undefined : row.outdated, row.label)}
          ${row.tool === undefined ? nothing : this.#renderLeaveOut(row.tool)}
          ${renderActs(this, row, group.kind, this.locked)}
        </span>
        <span class="figure figures">${formatShort(row.tokens)}</span>
        <span class="figure figures muted">${group.kind === 'aside' ? nothing : formatPart(row.tokens, limit)}</span>
      </div>
      ${row.rows.length === 0 ? nothing : html`<ul class="bare">${row.rows.map((one) => this.#renderRow(one, limit, group))}</ul>`}
    </li>`;
  }

  #renderLeaveOut(tool: string): TemplateResult {
    const hint = t('Its definition is no longer sent, and the agent cannot call it');
    const names = { label: t('Leave out'), name: t('Leave out {0}', tool), hint };
    return linkButton(names, () => ask(this, { type: 'leave-out', tool }), 'small');
  }

  #renderLabel(row: ContentRow): TemplateResult {
    const { label, path, at } = row;
    const text = renderLabel(titleOfContent(row), path);
    if (at === undefined) return html`<span class="label ellipsis" title=${label}>${text}</span>`;
    const names = { label, name: nameOfContent(row), hint: t('Go to it: {0}', titleOfContent(row)) };
    return linkButton(names, () => this.dispatchEvent(new RevealEvent(at)), 'label ellipsis', text);
  }
}

function describeForecast(
  { perTurn, turnsLeft }: NonNullable<ContentsState['forecast']>,
  { used, trigger }: GaugeState,
): string {
  const more = formatShort(perTurn);
  if (used >= trigger) return t('A turn adds about {0} tokens: the conversation is over the threshold already.', more);
  if (turnsLeft === 0) return t('A turn adds about {0} tokens: the next one is over the threshold.', more);
  return turnsLeft === 1
    ? t('A turn adds about {0} tokens: about 1 turn before the threshold.', more)
    : t('A turn adds about {0} tokens: about {1} turns before the threshold.', more, turnsLeft);
}

/** `src/week.ts, 2 readings, 4,100 tokens`. */
function describeRow({ label, tokens }: ContentRow, noted: string): string {
  return noted === '' ? t('{0}, {1} tokens', label, tokens) : t('{0}, {1}, {2} tokens', label, noted, tokens);
}
