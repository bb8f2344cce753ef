import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../language/language.ts';
import type { NoticeState } from '../protocol/viewState.ts';
import { icon, iconButton, pushButton } from './controls.ts';
import { ask } from './intent.ts';
import { shared } from './styles/shared.ts';

const RANK: Readonly<Record<NoticeState['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Questions first, then by severity; newest first among equals. */
function byUrgency(notices: readonly NoticeState[]): readonly NoticeState[] {
  const rank = ({ canDismiss, severity }: NoticeState) => (canDismiss ? RANK[severity] : -1);
  return notices.toReversed().toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Problems and hints with their buttons, until they are solved or dismissed, the most urgent first.
 */
@customElement('karl-notices')
export class KarlNotices extends LitElement {
  static override readonly styles = [
    shared,
    css`
      :host,
      .list {
        display: flex;
        flex-direction: column;
        min-height: 0;
        max-height: 40vh;
      }
      .list {
        overflow: hidden auto;
      }
      .notice {
        display: grid;
        grid-template-columns: 1fr auto;
        grid-template-rows: minmax(1.4em, 1fr) auto;
        flex: none;
        /* As high as the list at most, so that a long text scrolls and the buttons stay in sight. */
        max-height: calc(100% - 6px);
        gap: 4px 8px;
        margin: 0 12px 6px;
        padding: 5px 10px;
        overflow-wrap: anywhere;
      }
      .text {
        align-items: flex-start;
        gap: 8px;
        max-height: 8.4em;
        overflow-y: auto;
      }
      .dismiss {
        align-self: start;
        margin: -2px -4px 0 0;
      }
      .actions {
        grid-column: 1 / -1;
        gap: 6px;
        margin-top: 2px;
      }
    `,
  ];
  @property({ attribute: false }) accessor notices: readonly NoticeState[] = [];

  protected override render(): TemplateResult {
    return html`<div class="list">
        ${repeat(
          byUrgency(this.notices),
          ({ id }) => id,
          (notice) =>
            html`<div class="notice card ${notice.severity}" role="group" aria-label=${notice.text}>
              <span class="text beside" tabindex="0" role=${notice.severity === 'error' ? 'alert' : 'status'}
                >${icon(notice.severity)}<span>${notice.text}</span></span
              >
              ${notice.canDismiss ? iconButton('close', { label: t('Dismiss') }, () => this.#answer(notice, 'dismiss'), 'dismiss') : nothing}
              ${
                notice.actions.length === 0
                  ? nothing
                  : html`<div class="actions wrap">
                      ${notice.actions.map(({ id, label }, index) =>
                        pushButton({ label }, () => this.#answer(notice, id), { secondary: index > 0 }),
                      )}
                    </div>`
              }
            </div>`,
        )}
      </div>`;
  }

  #answer({ id }: NoticeState, action: string): void {
    ask(this, { type: 'notice', id, action });
  }
}
