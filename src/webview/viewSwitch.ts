import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../core/language.ts';
import type { Shows } from '../protocol/viewState.ts';
import { icon } from './controls.ts';
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
        gap: 8px;
        padding: 0 12px 6px;
      }
      .sides {
        background: none;
        overflow: hidden;
      }
      .sides button {
        padding: 1px 8px;
        border: 0;
        background: none;
        color: var(--vscode-descriptionForeground);
        cursor: pointer;
      }
      .sides button:hover {
        color: var(--vscode-foreground);
        background: var(--vscode-toolbar-hoverBackground);
      }
      .sides button[aria-checked='true'] {
        background: var(--vscode-inputOption-activeBackground, var(--vscode-toolbar-activeBackground));
        color: var(--vscode-inputOption-activeForeground, var(--vscode-foreground));
        outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
        outline-offset: -1px;
      }
      button.jump {
        gap: 3px;
        white-space: nowrap;
      }
      @container (max-width: 380px) {
        .word {
          display: none;
        }
      }
      @container (max-width: 280px) {
        .long {
          display: none;
        }
      }
      @container (min-width: 280.1px) {
        .short {
          display: none;
        }
      }
      @container (max-width: 220px) {
        .row {
          gap: 4px;
        }
        .sides button {
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
    return html`<div class="row beside">
      <div class="sides card chip" role="radiogroup" aria-label=${t('What is shown')} @keydown=${this.#pressed}>
        ${sides().map(
          ([shows, label, short, title], index) =>
            html`<button
              role="radio"
              class="ellipsis less"
              aria-checked=${this.shows === shows}
              tabindex=${this.shows === shows || (this.shows === 'contents' && index === 0) ? 0 : -1}
              title=${title}
              @click=${() => ask(this, { type: 'show', shows })}
              aria-label=${label}
            ><span class="long">${label}</span><span class="short">${short}</span></button>`,
        )}
      </div>
      ${
        count === 0
          ? nothing
          : html`<button
              class="link jump beside push less"
              title=${t('Go to the newest compression; again: to the one before')}
              aria-label=${count === 1 ? t('1 compression') : t('{0} compressions', count)}
              @click=${this.#jump}
            >${icon('compressed')}${count} <span class="word">${count === 1 ? t('compression') : t('compressions')}</span></button>`
      }
    </div>`;
  }

  #pressed(event: KeyboardEvent): void {
    if (!/^Arrow/.test(event.key)) return;
    event.preventDefault();
    const shows = this.shows === 'history' ? 'request' : 'history';
    ask(this, { type: 'show', shows });
    const index = sides().findIndex(([side]) => side === shows);
    this.renderRoot.querySelectorAll<HTMLElement>('[role=radio]')[index]?.focus();
  }

  #jump(): void {
    const last = this.#last;
    const before = last === undefined ? undefined : this.compressions.findLast((position) => position < last);
    this.#last = before ?? this.compressions.at(-1);
    if (this.#last !== undefined) this.dispatchEvent(new RevealEvent({ compressions: this.#last }));
  }
}
