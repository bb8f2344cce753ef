import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../core/language.ts';
import type { TodoState } from '../protocol/viewState.ts';
import { icon } from './icons.ts';
import { shared } from './styles/shared.ts';

/** The agent's to-do list: one line with the current item, which unfolds. */
@customElement('karl-todos')
export class KarlTodos extends LitElement {
  static override readonly styles = [
    shared,
    css`
      details {
        margin: 0 12px 4px;
      }
      summary {
        gap: 6px;
      }
      .figures {
        flex: none;
      }
      ul {
        max-height: 25vh;
        margin: 4px 0 0;
        padding: 0 0 0 22px;
        overflow-y: auto;
        list-style: none;
      }
      li {
        display: flex;
        gap: 6px;
      }
      :is(.done, .dropped) {
        color: var(--vscode-descriptionForeground);
        text-decoration: line-through;
      }
      .active {
        font-weight: 600;
      }
    `,
  ];
  @property({ attribute: false }) accessor todos: readonly TodoState[] | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { todos } = this;
    if (todos === undefined) return nothing;
    const done = todos.filter(({ state }) => state === 'done' || state === 'dropped').length;
    const next = todos.find(({ state }) => state === 'active') ?? todos.find(({ state }) => state === 'open');
    return html`<details>
      <summary class="beside">
        <span class="unseen">${t('To-do list')}</span>
        <span class="chevron">${icon('chevron')}</span>
        <span class="muted figures">${t('{0} of {1}', done, todos.length)}</span>
        <span class="ellipsis">${next?.text}</span>
      </summary>
      <ul>
        ${todos.map(
          ({ text, state }) =>
            html`<li><span aria-hidden="true">${MARKS[state]}</span><span class=${state}>${text}</span>
              <span class="unseen">${words(state)}</span></li>`,
        )}
      </ul>
    </details>`;
  }
}

const MARKS: Readonly<Record<TodoState['state'], string>> = { open: '○', active: '◐', done: '●', dropped: '×' };

function words(state: TodoState['state']): string {
  const words: Readonly<Record<TodoState['state'], string>> = {
    open: t('open'),
    active: t('in progress'),
    done: t('done'),
    dropped: t('cancelled'),
  };
  return words[state];
}
