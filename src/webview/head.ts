import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { t } from '../language/language.ts';
import type { Shows, ViewState } from '../protocol/viewState.ts';
import { icon, iconButton } from './controls.ts';
import { ask, RevealEvent } from './intent.ts';
import { shared } from './styles/shared.ts';

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
        label {
          padding-inline: 4px;
        }
        .long {
          display: none;
        }
        .short {
          display: inline;
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
              title=${t('Go to the newest compression; press again for the one before it')}
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

/** The title, its buttons, and the button that compresses, with another one for VS Code's menu of all ways. */
export const titleStyles = css`
  .title {
    container-type: inline-size;
    gap: 4px;
    padding: 4px 12px 2px;
  }
  h1 {
    font-size: var(--karl-font-more);
  }
  button:is(.compress, .ways) {
    align-self: stretch;
  }
  button.compress {
    border-radius: var(--karl-radius-medium) 0 0 var(--karl-radius-medium);
  }
  button.ways {
    margin-left: -3px;
    padding: 0 2px;
    border-radius: 0 var(--karl-radius-medium) var(--karl-radius-medium) 0;
  }
  .symbol {
    display: none;
  }
  /* In a narrow view the button is only a symbol. */
  @container (max-width: 260px) {
    .word {
      display: none;
    }
    .symbol {
      display: inline;
    }
  }
`;

/**
 * Opens the menu `webview/context` of the manifest below a button, which gets the focus back from it. VS Code reads what the
 * menu is about from the document.
 */
function openWays(button: HTMLElement): void {
  const { left: clientX, bottom: clientY } = button.getBoundingClientRect();
  const { dataset } = document.body;
  dataset.vscodeContext = JSON.stringify({ karlWays: true, preventDefaultContextMenuItems: true });
  document.body.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }));
  delete dataset.vscodeContext;
  // Before the page gives the focus to the message box.
  window.addEventListener('focus', () => button.focus(), { once: true, capture: true });
}

/** The title of the open conversation, with the buttons for the log and for compressing. `from` dispatches intents. */
export function renderTitle(
  { activity, gauge }: ViewState,
  { title, readOnly }: NonNullable<ViewState['conversation']>,
  from: EventTarget,
): TemplateResult {
  const compressing = activity.kind === 'compacting' ? t('Karl is compressing. Wait or press Stop.') : undefined;
  const locked = readOnly ?? compressing;
  // A compression is due.
  const kind = gauge?.level === 'due' || gauge?.level === 'over' ? 'primary' : 'secondary';
  // Not disabled in HTML, which would take the focus away.
  const button = (
    name: string,
    label: string,
    hint: string,
    words: TemplateResult,
    press: (button: HTMLElement) => void,
  ) =>
    html`<button
      class="${name} ${kind} firm"
      aria-disabled=${locked !== undefined}
      aria-haspopup=${press === openWays ? 'menu' : nothing}
      aria-label=${label}
      aria-description=${(locked ?? hint) === label ? '' : nothing}
      title=${locked ?? hint}
      @click=${({ currentTarget }: Event) => locked === undefined && currentTarget instanceof HTMLElement && press(currentTarget)}
    >${words}</button>`;
  const more = t('More ways to compress');
  return html`<div class="title beside">
    <h1 class="ellipsis grow" dir="auto" title=${title}>${title}</h1>
    ${iconButton('log', { label: t("Open today's log") }, () => ask(from, { type: 'open-log' }))}
    ${button(
      'compress',
      t('Compress'),
      t('Compress the conversation now'),
      html`<span class="word">${t('Compress')}</span><span class="symbol">${icon('compressed')}</span>`,
      () => ask(from, { type: 'compress' }),
    )}
    ${button('ways beside', more, more, html`<span class="chevron down">${icon('chevron')}</span>`, openWays)}
  </div>`;
}
