import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { t } from '../core/language.ts';
import type { Shows, ViewState } from '../protocol/viewState.ts';
import { icon, iconButton } from './controls.ts';
import { ask, RevealEvent } from './intent.ts';
import { shared } from './styles/shared.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';

/** Each with its name, a short name, and a tooltip. */
const sides = () =>
  [
    ['history', t('Full history'), t('History'), t('Every message, including what is no longer sent')],
    ['request', t('What the model sees'), t('Model sees'), t('The messages of the next request as they are sent')],
  ] as const;

/** Switches between the two sides of the conversation, with a button that goes back from compression to compression. */
@customElement('karl-switch')
export class KarlSwitch extends LitElement {
  static override readonly styles = [
    shared,
    css`
      :host {
        container-type: inline-size;
      }
      .row {
        gap: 8px;
        padding: 0 12px 6px;
      }
      .sides {
        background: none;
        overflow: hidden;
      }
      input {
        position: absolute;
        opacity: 0;
      }
      label {
        padding: 1px 8px;
        color: var(--vscode-descriptionForeground);
        cursor: pointer;
      }
      label:hover {
        color: var(--vscode-foreground);
        background: var(--vscode-toolbar-hoverBackground);
      }
      label:has(:checked) {
        background: var(--vscode-inputOption-activeBackground, var(--vscode-toolbar-activeBackground));
        color: var(--vscode-inputOption-activeForeground, var(--vscode-foreground));
        outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
        outline-offset: -1px;
      }
      label:has(:focus-visible) {
        outline: 1px solid var(--vscode-focusBorder);
        outline-offset: -1px;
      }
      button.jump {
        gap: 3px;
      }
      .few,
      .short {
        display: none;
      }
      @container (max-width: 380px) {
        .words {
          display: none;
        }
        .few {
          display: inline;
        }
      }
      @container (max-width: 280px) {
        .long {
          display: none;
        }
        .short {
          display: inline;
        }
      }
      @container (max-width: 220px) {
        .row {
          gap: 4px;
        }
        label {
          padding-inline: 4px;
        }
      }
    `,
  ];
  @property({ attribute: false }) accessor shows: Shows = 'history';
  /** The id of the open conversation. */
  @property({ attribute: false }) accessor conversation = '';
  /** How many raw messages precede each compression in effect, oldest first. */
  @property({ attribute: false }) accessor compressions: readonly number[] = [];
  /** The target of the last jump. */
  #last: number | undefined;

  /** After a new compression or an undo, and in another conversation, the next jump goes to the newest again. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('compressions');
    const isOther = before !== undefined && String(before) !== String(this.compressions);
    if (isOther || changed.has('conversation')) this.#last = undefined;
  }

  protected override render(): TemplateResult {
    const count = this.compressions.length;
    const counted = count === 1 ? t('1 compression') : t('{0} compressions', count);
    return html`<div class="row beside">
      <div class="sides card chip" role="radiogroup" aria-label=${t('What is shown')}>
        ${sides().map(
          ([shows, label, short, title]) =>
            html`<label class="ellipsis less" title=${title}
              ><input
                type="radio"
                name="side"
                aria-label=${label}
                .checked=${live(this.shows === shows)}
                @change=${() => ask(this, { type: 'show', shows })}
              /><span class="long">${label}</span><span class="short">${short}</span></label
            >`,
        )}
      </div>
      ${
        count === 0
          ? nothing
          : html`<button
              class="link jump beside push less"
              title=${t('Go to the newest compression; again: to the one before')}
              aria-label=${counted}
              @click=${this.#jump}
            >${icon('compressed')}<span class="words">${counted}</span><span class="few">${count}</span></button>`
      }
    </div>`;
  }

  #jump(): void {
    const last = this.#last;
    const before = last === undefined ? undefined : this.compressions.findLast((position) => position < last);
    this.#last = before ?? this.compressions.at(-1);
    if (this.#last !== undefined) this.dispatchEvent(new RevealEvent({ compressions: this.#last }));
  }
}

const ways = () =>
  [
    [t('Compress Now'), 'compress'],
    [t('Preview…'), 'preview'],
    [t('With Instructions…'), 'compress-keeping'],
    [t('Other Strategy…'), 'compress-with'],
  ] as const;

/** A button that compresses now, with a menu of other ways. */
@customElement('karl-compress-button')
export class KarlCompressButton extends LitElement {
  static override readonly styles = [
    shared,
    css`
      .split {
        display: flex;
        gap: 1px;
        anchor-name: --split;
      }
      vscode-button {
        --vsc-border-right-radius: 0;
      }
      button.more {
        --ground: var(--vscode-button-secondaryBackground);
        padding: 0 2px;
        border: 1px solid var(--vscode-button-border, transparent);
        border-radius: 0 var(--karl-radius-medium) var(--karl-radius-medium) 0;
        background: var(--ground);
        color: var(--vscode-button-secondaryForeground, var(--vscode-foreground));
      }
      button.more:hover {
        --ground: var(--vscode-button-secondaryHoverBackground);
      }
      button.pressing {
        --ground: var(--vscode-button-background);
        color: var(--vscode-button-foreground);
      }
      button.pressing:hover {
        --ground: var(--vscode-button-hoverBackground);
      }
      button.more:focus-visible {
        outline-offset: 2px;
      }
      /* Not disabled, which would take the focus away. */
      [aria-disabled='true'] {
        opacity: 0.4;
        cursor: default;
      }
      /* In a narrow view the button is only a symbol. */
      @container (min-width: 261px) {
        .symbol {
          display: none;
        }
      }
      @container (max-width: 260px) {
        .word {
          display: none;
        }
        vscode-button::part(base) {
          padding-inline: 5px;
        }
      }
      [popover] {
        inset: auto;
        position-anchor: --split;
        position-area: bottom span-left;
        margin: 2px 0;
      }
      [popover] button {
        display: block;
        width: 100%;
        padding: 3px 14px;
        border-radius: var(--karl-radius-small);
        white-space: nowrap;
      }
      [popover] button:is(:focus, :hover) {
        background: var(--vscode-menu-selectionBackground, var(--vscode-list-hoverBackground));
        color: var(--vscode-menu-selectionForeground, inherit);
        outline: 1px solid var(--vscode-menu-selectionBorder, var(--vscode-contrastActiveBorder, transparent));
        outline-offset: -1px;
      }
    `,
  ];
  /** A compression is due, so that the button stands out. */
  @property({ attribute: false }) accessor pressing = false;
  @property({ attribute: false }) accessor disabled = false;
  /** The tooltip: what the button does, or why it is disabled. */
  @property({ attribute: false }) accessor hint = '';

  protected override render(): TemplateResult {
    return html`<div class="split">
        <vscode-button
          ?secondary=${!this.pressing}
          aria-disabled=${this.disabled}
          title=${this.hint}
          aria-label=${t('Compress')}
          @click=${() => this.disabled || ask(this, { type: 'compress' })}
          ><span class="word">${t('Compress')}</span><span class="symbol">${icon('compressed')}</span></vscode-button
        >
        <button
          class="more beside ${this.pressing ? 'pressing' : ''}"
          popovertarget="ways"
          aria-haspopup="menu"
          aria-label=${t('More ways to compress')}
          title=${this.disabled ? this.hint : t('More ways to compress')}
          aria-description=${this.disabled ? this.hint : ''}
          aria-disabled=${this.disabled}
          @click=${(event: Event) => this.disabled && event.preventDefault()}
          @keydown=${this.#pressed}
        ><span class="chevron down">${icon('chevron')}</span></button>
      </div>
      <div
        id="ways"
        class="popup"
        role="menu"
        popover
        aria-label=${t('Ways to compress')}
        @click=${this.#close}
        @toggle=${({ newState }: ToggleEvent) => newState === 'open' && this.renderRoot.querySelector<HTMLElement>('[role=menuitem]')?.focus()}
        @keydown=${this.#pressed}
      >
        ${ways().map(
          ([label, type]) => html`<button role="menuitem" @click=${() => ask(this, { type })}>${label}</button>`,
        )}
      </div>`;
  }

  readonly #close = (): void => {
    this.renderRoot.querySelector<HTMLElement>('[popover]')?.hidePopover();
    this.renderRoot.querySelector<HTMLElement>('.more')?.focus();
  };

  /**
   * Up and Down go along the ways; Escape closes them and does not stop the agent's turn. Tab closes them too and goes on
   * from the button: an Escape pressed elsewhere to close them would stop the turn. The button has the focus until the menu,
   * which is open already, gets it.
   */
  #pressed(event: KeyboardEvent): void {
    const [key, from] = [event.key, event.target];
    if (!/^(?:ArrowDown|ArrowUp|Escape|Tab)$/.test(key) || !(from instanceof HTMLElement)) return;
    if (this.renderRoot.querySelector(':popover-open') === null) return;
    if (key === 'Tab') return this.#close();
    event.preventDefault();
    event.stopPropagation();
    if (key === 'Escape') this.#close();
    const next = key === 'ArrowDown' ? from.nextElementSibling : key === 'ArrowUp' ? from.previousElementSibling : null;
    if (next instanceof HTMLElement) next.focus();
  }
}

/** The title of the open conversation, with the buttons for the log and for compressing. `from` dispatches intents. */
export function renderTitle(
  { activity, gauge }: ViewState,
  { title, readOnly }: NonNullable<ViewState['conversation']>,
  from: EventTarget,
): TemplateResult {
  const compressing = activity.kind === 'compacting' ? t('Karl is compressing. Wait or press Stop.') : undefined;
  const locked = readOnly ?? compressing;
  return html`<div class="title beside">
    <h1 class="ellipsis grow" dir="auto" title=${title}>${title}</h1>
    ${iconButton('log', { label: t("Open today's log") }, () => ask(from, { type: 'open-log' }))}
    <karl-compress-button
      .pressing=${gauge?.level === 'due' || gauge?.level === 'over'}
      .disabled=${locked !== undefined}
      .hint=${locked ?? t('Compress the conversation now')}
    ></karl-compress-button>
  </div>`;
}
