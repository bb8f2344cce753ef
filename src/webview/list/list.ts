import { html, type LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../language/language.ts';
import type { FromWebview } from '../../protocol/fromWebview.ts';
import type { Act, ListGroup, ListRow, RowAct } from '../../protocol/list.ts';
import { chevron, icon, iconButton, linkButton } from '../controls.ts';
import { nameOf, wordOfPin } from '../conversation/row.ts';
import { formatPart, formatShort, percentOf, renderLabel } from '../format.ts';
import { ask, RevealEvent } from '../intent.ts';
import { Roving } from './roving.ts';

/** The icon of each act, its name for screen readers with what it changes, and its tooltip with what it saves. */
const ACTS = {
  restored: {
    symbol: 'undo',
    name: (what: string) => t('Restore {0}', what),
    title: (gain: string) => t('Restore: it is sent whole again; {0}', gain),
  },
  shortened: {
    symbol: 'compressed',
    name: (what: string) => t('Shorten {0}', what),
    title: (gain: string) => t('Shorten: its beginning and end stay; {0}', gain),
  },
  dropped: {
    symbol: 'drop',
    name: (what: string) => t('Drop {0}', what),
    title: (gain: string) => t('Drop: a line with its number stays; {0}', gain),
  },
} as const;

/** How a list is drawn. */
interface ListLook {
  /** Nothing can be changed. */
  readonly locked: boolean;
  /** The budget of which shares are shown, tokens; without it there are none. */
  readonly limit?: number;
  /** The chart of the history. */
  readonly chart?: unknown;
  /** Asks for more rows of long groups. */
  readonly more?: FromWebview;
}

/** A list of rows in groups that fold, with one tab stop. It belongs to an element, which dispatches the intents. */
export class GroupList {
  readonly #host: LitElement;
  readonly #roving: Roving;
  #look: ListLook = { locked: true };

  constructor(host: LitElement) {
    this.#host = host;
    this.#roving = new Roving(host);
  }

  /** Focuses the tab stop; false if there is none. */
  focus(): boolean {
    return this.#roving.focus();
  }

  render(groups: readonly ListGroup[], look: ListLook): TemplateResult {
    this.#look = look;
    const roving = this.#roving;
    return html`<div
      @focusin=${(event: FocusEvent) => roving.focused(event)}
      @focusout=${(event: FocusEvent) => roving.left(event)}
      @keydown=${(event: KeyboardEvent) => roving.pressed(event)}
    >
      ${repeat(
        groups,
        ({ kind }) => kind,
        (group) => this.#renderGroup(group),
      )}
    </div>`;
  }

  #renderGroup(group: ListGroup): TemplateResult {
    const { label, note = '', rows, open = false, outdated } = group;
    return html`<div class="group">
      <details ?open=${open} @toggle=${() => this.#roving.update()}>
        <summary class="line beside tall">
          ${chevron()}
          <span class="label wrap">
            <strong>${label}</strong>
            ${note === '' ? nothing : html`<span class="muted small figures">${note}</span>`}
          </span>
          ${this.#renderFigures(group, group)} ${this.#renderShare(group)}
        </summary>
        ${this.#look.locked || outdated === undefined ? nothing : html`<p class="all">${this.#renderOutdated(outdated)}</p>`}
        <ul class="bare">
          ${repeat(
            rows,
            ({ key }) => key,
            (row) => this.#renderRow(row, group),
          )} ${this.#renderMore(group)}
        </ul>
      </details>
    </div>`;
  }

  /** The bar of a group, as long as its share of the budget, or what takes its place. */
  #renderShare({ kind, tokens }: ListGroup): unknown {
    const { limit, chart } = this.#look;
    if (kind === 'history') return chart;
    if (limit === undefined) return nothing;
    if (kind === 'aside')
      return html`<span class="track muted small">${t('Not in the window; the model can look it up by its number.')}</span>`;
    // A length is set through the object model (`.style`), which the page's policy allows.
    const width = `width: ${Math.min(100, percentOf(tokens, limit))}%`;
    return html`<span class="track"><span class="bar" .style=${width}></span></span>`;
  }

  /** The tokens of a group or a row, and their share of the budget. */
  #renderFigures({ tokens, after }: Pick<ListRow, 'tokens' | 'after'>, { kind }: ListGroup): TemplateResult {
    const { limit } = this.#look;
    const size = after === undefined ? formatShort(tokens) : `${formatShort(tokens)} → ${formatShort(after)}`;
    const share = (of: number) => (kind === 'aside' || kind === 'history' ? nothing : formatPart(tokens, of));
    return html`<span class="figure figures" title=${t('{0} tokens', tokens)}>${size}</span>
      ${limit === undefined ? nothing : html`<span class="figure figures muted">${share(limit)}</span>`}`;
  }

  #renderMore({ label, more }: ListGroup): TemplateResult | typeof nothing {
    const intent = this.#look.more;
    if (more === 0) return nothing;
    const names = { label: t('Show more'), name: t('Show more: {0}', label) };
    return html`<li class="row muted small">
      ${t('and {0} smaller ones', more)} ${intent && linkButton(names, () => ask(this.#host, intent))}
    </li>`;
  }

  #renderRow(row: ListRow, group: ListGroup): TemplateResult {
    const { at, note, rows = [] } = row;
    // A row without a button for its label is focusable as a whole.
    const focusable = at === undefined;
    return html`<li>
      <div
        class="row beside tall"
        data-key=${row.key}
        role=${focusable ? 'group' : nothing}
        tabindex=${focusable ? '-1' : nothing}
        aria-label=${focusable ? describeRow(row) : nothing}
      >
        ${this.#renderBox(row)} ${this.#renderLabel(row)}
        ${note === '' ? nothing : html`<span class="note muted small ellipsis">${note}</span>`}
        ${row.box === undefined ? this.#renderActs(row) : nothing} ${this.#renderFigures(row, group)}
      </div>
      ${rows.length === 0 ? nothing : html`<ul class="bare">${rows.map((one) => this.#renderRow(one, group))}</ul>`}
    </li>`;
  }

  #renderBox({ at, box, label, tokens }: ListRow): TemplateResult | typeof nothing {
    if (at === undefined || box === undefined) return nothing;
    const { kept, fixed } = box;
    return html`<input
      class="box firm"
      type="checkbox"
      aria-label=${t('Keep whole: {0}, {1} tokens ({2})', label, tokens, nameOf(at.from, at.to))}
      title=${fixed ?? (kept ? t('Uncheck if this need not stay whole') : t('Keep this whole'))}
      .checked=${kept}
      ?disabled=${fixed !== undefined || this.#look.locked}
      @change=${({ currentTarget }: Event) =>
        currentTarget instanceof HTMLInputElement &&
        ask(this.#host, { type: 'preview-keep', ...at, keep: currentTarget.checked })}
    />`;
  }

  /** The label, which leads to the messages. */
  #renderLabel(row: ListRow): TemplateResult {
    const { label, path, at, box } = row;
    const text = renderLabel(label, path);
    if (at === undefined) return html`<span class="label ellipsis" title=${label}>${text}</span>`;
    const hint = box === undefined ? t('Go to it: {0}', label) : t('Open in the editor: {0}', label);
    const names = { label, name: nameOfRow(row), hint };
    return linkButton(names, () => this.#host.dispatchEvent(new RevealEvent(at)), 'label ellipsis', text);
  }

  /** The buttons of a row: leave out, pin, restore, shorten, drop, open. */
  #renderActs(row: ListRow): TemplateResult {
    const { locked } = this.#look;
    const { tool } = row;
    const acts = ['restored', 'shortened', 'dropped'] as const;
    return html`<span class="acts card beside firm">
      ${locked || tool === undefined ? nothing : this.#renderLeaveOut(tool)}
      <span class="actions">
        ${locked ? nothing : [this.#renderPin(row), ...acts.map((act) => this.#renderAct(row, act))]}
        ${this.#renderOpen(row)}
      </span>
    </span>`;
  }

  #renderPin(row: ListRow): TemplateResult | typeof nothing {
    const { pinned = false, pins: ids = [], acts } = row;
    if (ids.length === 0) return nothing;
    const word = pinned ? t('Unpin') : wordOfPin(acts?.restored === undefined);
    return iconButton(pinned ? 'pinned' : 'pin', { label: word, name: t('{0} ({1})', word, nameOfAll(row)) }, () =>
      ask(this.#host, { type: 'pin', ids, pinned: !pinned }),
    );
  }

  /** An impossible act has its button too, which is focusable, so that screen readers can read the reason. */
  #renderAct(row: ListRow, act: Act): TemplateResult | typeof nothing {
    const { symbol, title, name } = ACTS[act];
    const found = row.acts?.[act];
    if (found === undefined) return nothing;
    const one = typeof found === 'string' ? undefined : found;
    return html`<button
      class="plain"
      data-act=${one === undefined ? nothing : act}
      aria-disabled=${one === undefined}
      title=${typeof found === 'string' ? found : title(describeGain(found, row))}
      aria-label=${name(nameOfAll(row, one))}
      @click=${() => one && ask(this.#host, { type: 'change', act, ids: one.ids })}
    >${icon(symbol)}</button>`;
  }

  /** Opens a message, or the file of several readings. */
  #renderOpen(row: ListRow): TemplateResult | typeof nothing {
    const { at, path } = row;
    if (at !== undefined) {
      const names = { label: t('Open in the editor'), name: t('Open in the editor ({0})', nameOfRow(row)) };
      return iconButton('original', names, () => ask(this.#host, { type: 'show-original', ...at }));
    }
    if (path === undefined) return nothing;
    return iconButton('read', { label: t('Open {0}', path) }, () =>
      ask(this.#host, { type: 'open-file', path, line: 1 }),
    );
  }

  /** Drops every reading that is outdated. */
  #renderOutdated(outdated: RowAct): TemplateResult {
    const { act, ids, of } = outdated;
    const count = of === undefined ? ids.length : t('{0} of {1}', ids.length, of);
    const label = count === 1 ? t('Drop 1 outdated reading') : t('Drop {0} outdated readings', count);
    const gain = describeGain(outdated);
    const names = { label, hint: t('Outdated by a newer reading or a change: {0}', gain) };
    const words = html`${label} <span class="muted">· ${gain}</span>`;
    return linkButton(names, () => ask(this.#host, { type: 'change', act, ids }), 'small', words);
  }

  #renderLeaveOut(tool: string): TemplateResult {
    const hint = t('Its definition is no longer sent, and the agent cannot call it');
    const names = { label: t('Leave out'), name: t('Leave out {0}', tool), hint };
    return linkButton(names, () => ask(this.#host, { type: 'leave-out', tool }), 'small');
  }
}

/** How many tokens an act saves or takes, and of how many things of a row. */
function describeGain({ act, ids, tokens, of }: RowAct, row?: ListRow): string {
  const figure = formatShort(Math.max(0, tokens));
  const gain = act === 'restored' ? t('takes about {0} tokens', figure) : t('saves about {0} tokens', figure);
  if (row === undefined || (row.at !== undefined && of === undefined)) return gain;
  return t('{0} ({1})', gain, of === undefined ? t('all') : t('{0} of {1}', ids.length, of));
}

/** The unique name of a row: its label and the numbers of its messages. */
function nameOfRow({ label, at }: ListRow): string {
  const place = at && nameOf(at.from, at.to);
  return place === undefined || place.toLowerCase() === label.toLowerCase() ? label : t('{0}, {1}', label, place);
}

/** What a button changes: the messages of a row, or all or some of the things of a file or a tool. */
function nameOfAll(row: ListRow, act?: RowAct): string {
  const { at, label, note } = row;
  if (at !== undefined) return nameOfRow(row);
  return act?.of === undefined ? t('all {0} of {1}', note, label) : t('{0} of {1} of {2}', act.ids.length, note, label);
}

/** `src/week.ts, 2 readings, 4,100 tokens`. */
function describeRow({ label, note, tokens }: ListRow): string {
  return note === '' ? t('{0}, {1} tokens', label, tokens) : t('{0}, {1}, {2} tokens', label, note, tokens);
}
