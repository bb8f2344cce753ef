import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { t } from '../language/language.ts';
import type { FromWebview } from '../protocol/fromWebview.ts';
import type { ActivityState, QuestionState, TodoState } from '../protocol/viewState.ts';
import { chevron, icon, linkButton, pushButton } from './controls.ts';
import { renderPath } from './format.ts';
import { ask } from './intent.ts';
import { shared } from './styles/shared.ts';

/** The activity of Karl or its agent. */
@customElement('karl-activity')
export class KarlActivity extends LitElement {
  static override readonly styles = [
    shared,
    css`
      .line {
        min-height: 24px;
        padding: 0 12px;
      }
      /* Shorter activity is not shown: a flashing bar says nothing and moves what is being read. */
      :host > * {
        animation: late 200ms;
      }
      @keyframes late {
        from,
        to {
          display: none;
        }
      }
      /* The bar of VS Code. */
      .progress {
        height: 2px;
        overflow: hidden;
      }
      .progress::before {
        content: '';
        display: block;
        width: 2%;
        height: 100%;
        background: var(--vscode-progressBar-background);
        animation: progress 4s linear infinite;
      }
      @keyframes progress {
        50% {
          transform: translateX(2500%) scaleX(3);
        }
        to {
          transform: translateX(4900%);
        }
      }
      :host-context(.vscode-reduce-motion) .progress {
        display: none;
      }
    `,
  ];
  @property({ attribute: false }) accessor activity: ActivityState = { kind: 'idle' };

  protected override render(): TemplateResult | typeof nothing {
    const { activity } = this;
    // What waits for the user has its own card below.
    if (activity.kind === 'idle' || activity.kind === 'waiting') return nothing;
    // Outside of the status element, so that screen readers do not read every second.
    const countdown = activity.kind === 'retrying' ? activity.countdown : undefined;
    return html`<div class="progress" role="progressbar" aria-label=${activity.label}></div>
      <div class="line beside ${countdown === undefined ? '' : 'wrap'}">
        <span class="muted ${countdown === undefined ? 'ellipsis' : ''}" role="status">${activity.label}</span>
        ${countdown && html`<span class="figures muted">${countdown}</span>`}
      </div>`;
  }
}

const MARKS: Readonly<Record<TodoState['state'], string>> = { open: '○', active: '◐', done: '●', dropped: '×' };

const wordsOfState = (): Readonly<Record<TodoState['state'], string>> => ({
  open: t('open'),
  active: t('in progress'),
  done: t('done'),
  dropped: t('cancelled'),
});

/** The to-do list below the conversation. */
export const todoStyles = css`
  .todos {
    flex: 0 1000 auto;
    min-height: 18px;
    max-height: 28vh;
    padding: 0 12px;
    margin-bottom: 4px;
    overflow: hidden auto;

    .bare {
      margin: 4px 0 0;
      padding-left: 22px;
    }
    li {
      align-items: baseline;
    }
    :is(.done, .dropped) {
      color: var(--vscode-descriptionForeground);
      text-decoration: line-through;
    }
    .active {
      font-weight: 600;
    }
  }
`;

/** The agent's to-do list: one line with the current item, which unfolds. */
export function renderTodos(todos: readonly TodoState[]): TemplateResult {
  const done = todos.filter(({ state }) => state === 'done' || state === 'dropped').length;
  const next = todos.find(({ state }) => state === 'active') ?? todos.find(({ state }) => state === 'open');
  return html`<details class="todos">
    <summary class="beside">
      <span class="unseen">${t('To-do list')}</span>
      ${chevron()}
      <span class="muted figures firm">${t('{0} of {1}', done, todos.length)}</span>
      <span class="ellipsis">${next?.text}</span>
    </summary>
    <ul class="bare">
      ${todos.map(
        ({ text, state }) =>
          html`<li class="beside"><span aria-hidden="true">${MARKS[state]}</span><span class=${state}>${text}</span>
            <span class="unseen">${wordsOfState()[state]}</span></li>`,
      )}
    </ul>
  </details>`;
}

/** Ends the second click of a double click before it reaches a button: it may meet the next question, unread. */
const ONE_CLICK = {
  capture: true,
  handleEvent: (event: MouseEvent) => void (event.detail > 1 && event.stopPropagation()),
};

/** The agent's question: the change, command or tool call, and the possible answers. */
@customElement('karl-question')
export class KarlQuestion extends LitElement {
  static override readonly styles = [
    shared,
    css`
      :host,
      .card {
        display: flex;
        flex-direction: column;
      }
      .card {
        min-height: 0;
        gap: 6px;
        max-height: 45vh;
        margin: 0 12px 6px;
        padding: 8px 10px;
        overflow-y: auto;
        border-color: var(--vscode-focusBorder, var(--vscode-contrastBorder, transparent));
        overflow-wrap: anywhere;
      }
      /* The card scrolls before it hides a part of the command. */
      pre {
        flex: none;
        max-height: 9em;
        padding: 4px 8px;
        border-radius: var(--karl-radius-medium);
        background: var(--vscode-textCodeBlock-background);
      }
      .wrap {
        row-gap: 4px;
      }
      .answers {
        display: grid;
        gap: 6px;
        flex: none;
      }
      /* They stay in sight while what they are about scrolls behind them, unless they would cover all of it. */
      @media (height >= 600px) {
        .answers {
          position: sticky;
          bottom: -8px;
          padding: 4px 0 2px;
          background: inherit;
        }
      }
      input {
        flex: 1 1 12em;
        min-width: 0;
        padding: 3px 6px;
      }
      .bare {
        margin-top: 4px;
      }
    `,
  ];
  @property({ attribute: false }) accessor question: QuestionState | undefined;

  /** Another question begins without the reason that was written for the one before. */
  protected override render(): unknown {
    return this.question === undefined ? nothing : keyed(this.question.id, this.#renderQuestion(this.question));
  }

  #renderQuestion(question: QuestionState): TemplateResult {
    const answer = (how: Extract<FromWebview, { type: 'answer' }>['answer'], offer = 0): void => {
      const reason = how === 'deny' ? (this.renderRoot.querySelector('input')?.value ?? '') : '';
      ask(this, { type: 'answer', id: question.id, answer: how, reason, offer });
    };
    const turn = t('No more questions about {0} until the turn ends', question.tool);
    return html`<section class="card" role="group" aria-label=${t('The agent asks')} @click=${ONE_CLICK}>
      ${this.#renderSubject(question)}
      <div class="answers">
      <div class="beside wrap">
        ${pushButton({ label: t('Allow') }, () => answer('allow'), { secondary: false })}
        ${pushButton({ label: t('Allow for This Turn'), hint: turn }, () => answer('turn'))}
      </div>
      <div class="beside wrap">
        ${pushButton({ label: t('Deny') }, () => answer('deny'))}
        <input
          class="field"
          aria-label=${t('Why not (the agent is told)')}
          placeholder=${t('Why not, or what to do instead')}
          maxlength="4000"
          @keydown=${(event: KeyboardEvent) => {
            if (event.key === 'Enter' && !event.isComposing) answer('deny');
          }}
        />
      </div>
      </div>
      <details class="small">
        <summary class="muted">${t('Always allow…')}</summary>
        <ul class="bare">
          ${question.always.map(
            (name, offer) =>
              html`<li>${linkButton({ label: t('Always allow {0}', name) }, () => answer('always', offer))}</li>`,
          )}
        </ul>
      </details>
    </section>`;
  }

  #renderSubject(question: QuestionState): TemplateResult {
    switch (question.kind) {
      case 'edit':
        return html`<h2 class="beside">${icon('edit')}${question.isNew ? t('Create this file?') : t('Change this file?')}</h2>
          <div class="beside wrap">
            <span class="ellipsis" title=${question.path}>${renderPath(question.path)}</span>
            <span class="figures"><span class="added">+${question.added}</span> <span class="removed">−${question.removed}</span></span>
            ${linkButton({ label: t('Show the change') }, () => ask(this, { type: 'show-change' }))}
          </div>`;
      case 'command':
        return html`<h2 class="beside">${icon('run')}${t('Run this command?')}</h2>
          <pre tabindex="0">${question.command}</pre>
          <p class="muted small">${t('It runs with your rights, in {0}.', question.folder)}</p>`;
      case 'tool':
        return html`<h2 class="beside">${icon('tool')}${t('Call the tool {0}?', question.tool)}</h2>
          <pre tabindex="0">${question.input}</pre>
          <p class="muted small">${t('It belongs to another extension or an MCP server and can do whatever they can.')}</p>`;
    }
  }
}
