import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { t } from '../core/language.ts';
import type { FromWebview } from '../protocol/fromWebview.ts';
import type { ViewState } from '../protocol/viewState.ts';
import { icon, iconButton } from './icons.ts';
import { ask } from './intent.ts';
import { shared } from './styles/shared.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';

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
      :host {
        position: relative;
      }
      .split {
        display: flex;
        gap: 1px;
        anchor-name: --split;
      }
      vscode-button {
        --vsc-border-right-radius: 0;
      }
      button.more {
        display: inline-flex;
        align-items: center;
        padding: 0 2px;
        border: 1px solid var(--vscode-button-border, transparent);
        border-radius: 0 var(--karl-radius-medium) var(--karl-radius-medium) 0;
        background: var(--vscode-button-secondaryBackground);
        color: var(--vscode-button-secondaryForeground, var(--vscode-foreground));
        cursor: pointer;
      }
      button.more:enabled:hover {
        background: var(--vscode-button-secondaryHoverBackground);
      }
      button.more.pressing {
        background: var(--vscode-button-background);
        color: var(--vscode-button-foreground);
      }
      button.more.pressing:enabled:hover {
        background: var(--vscode-button-hoverBackground);
      }
      button.more:focus-visible {
        outline-offset: 2px;
      }
      button.more:disabled {
        opacity: 0.4;
        cursor: default;
      }
      .symbol {
        display: flex;
      }
      .down {
        display: inline-flex;
        transform: rotate(90deg);
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
      [role='menu'] {
        position: fixed;
        inset: auto;
        position-anchor: --split;
        position-area: bottom span-left;
        margin: 2px 0;
        padding: 4px;
        border: 1px solid var(--vscode-menu-border, var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)));
        border-radius: var(--karl-radius-medium);
        background: var(--vscode-menu-background, var(--vscode-editorWidget-background));
        color: var(--vscode-menu-foreground, var(--vscode-foreground));
        box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
      }
      [role='menuitem'] {
        display: block;
        width: 100%;
        padding: 3px 14px;
        border: 0;
        border-radius: var(--karl-radius-small);
        background: none;
        color: inherit;
        text-align: left;
        white-space: nowrap;
        cursor: pointer;
      }
      [role='menuitem']:focus,
      [role='menuitem']:hover {
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
  @state() accessor open = false;
  /** The element that had the focus when it was disabled. */
  #left: HTMLElement | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('disabled') && this.disabled) this.#left = this.renderRoot.querySelector(':focus');
  }

  /** A disabled button loses the focus: return it afterwards, unless the user went elsewhere. */
  protected override updated(): void {
    if (this.disabled) return;
    if (document.hasFocus() && document.activeElement === document.body) this.#left?.focus();
    this.#left = null;
  }

  protected override render(): TemplateResult {
    return html`<div class="split">
        <vscode-button
          ?secondary=${!this.pressing}
          ?disabled=${this.disabled}
          aria-disabled=${this.disabled}
          title=${this.hint}
          aria-label=${t('Compress')}
          @click=${() => ask(this, { type: 'compress' })}
          ><span class="word">${t('Compress')}</span><span class="symbol">${icon('compressed')}</span></vscode-button
        >
        <button
          class="more ${this.pressing ? 'pressing' : ''}"
          aria-haspopup="menu"
          aria-expanded=${this.open}
          aria-label=${t('More ways to compress')}
          title=${this.disabled ? this.hint : t('More ways to compress')}
          aria-description=${this.disabled ? this.hint : ''}
          ?disabled=${this.disabled}
          popovertarget="ways"
          @click=${this.#toggle}
          @keydown=${this.#pressedMore}
        >
          <span class="down">${icon('chevron')}</span>
        </button>
      </div>
      <div
        id="ways"
        role="menu"
        popover="auto"
        aria-label=${t('Ways to compress')}
        @keydown=${this.#pressedInMenu}
        @beforetoggle=${(event: ToggleEvent) => {
          this.open = event.newState === 'open';
        }}
      >
        ${ways().map(
          ([label, type]) =>
            html`<button role="menuitem" tabindex="-1" @click=${() => this.#choose({ type })}>${label}</button>`,
        )}
      </div>`;
  }

  get #menu(): HTMLElement {
    const menu = this.renderRoot.querySelector<HTMLElement>('[role=menu]');
    if (menu === null) throw new Error('the menu is not drawn');
    return menu;
  }

  get #items(): readonly HTMLElement[] {
    return [...this.#menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  #unfold(focused: number): void {
    this.#menu.showPopover();
    // For browsers without anchor positioning.
    if (!CSS.supports('position-area', 'bottom')) {
      const { bottom, right } = this.getBoundingClientRect();
      this.#menu.style.inset = `${bottom}px ${document.documentElement.clientWidth - right}px auto auto`;
    }
    this.#items.at(focused)?.focus();
  }

  #close(): void {
    this.#menu.hidePopover();
    this.renderRoot.querySelector<HTMLElement>('.more')?.focus();
  }

  /** The button needs `popovertarget`: otherwise the browser would close the menu before the click, which reopens it. */
  readonly #toggle = (event: Event): void => {
    event.preventDefault();
    if (this.open) this.#close();
    else this.#unfold(0);
  };

  #choose(intent: FromWebview): void {
    this.#close();
    ask(this, intent);
  }

  readonly #pressedMore = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    this.#unfold(event.key === 'ArrowDown' ? 0 : -1);
  };

  readonly #pressedInMenu = (event: KeyboardEvent): void => {
    const items = this.#items;
    const at = items.findIndex((item) => item.matches(':focus'));
    const next: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = next[event.key];
    if (event.key === 'Tab') this.#menu.hidePopover();
    if (event.key === 'Escape') {
      // The page would stop the agent.
      event.stopPropagation();
      this.#close();
    }
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };
}

/** The title of the open conversation, with the buttons for the log and for compressing. `from` dispatches intents. */
export function renderTitle(
  { activity, gauge }: ViewState,
  { title, readOnly }: NonNullable<ViewState['conversation']>,
  from: EventTarget,
): TemplateResult {
  const compressing = activity.kind === 'compacting' ? t('Karl is compressing. Wait or press Stop.') : undefined;
  const locked = readOnly ?? compressing;
  const pressing = gauge?.level === 'due' || gauge?.level === 'over';
  return html`<div class="title beside">
    <h1 class="ellipsis" dir="auto" title=${title}>${title}</h1>
    ${iconButton('log', { label: t("Open today's log") }, () => ask(from, { type: 'open-log' }))}
    <karl-compress-button
      .pressing=${pressing}
      .disabled=${locked !== undefined}
      .hint=${locked ?? t('Compress the conversation now')}
    ></karl-compress-button>
  </div>`;
}
