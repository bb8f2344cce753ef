import { t } from '../core/language.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { FromWebview } from '../protocol/fromWebview.ts';
import type { QuestionState } from '../protocol/viewState.ts';
import { renderPath } from './format.ts';
import { icon } from './icons.ts';
import { ask } from './intent.ts';
import { fades, shared } from './styles/shared.ts';

type Answer = Extract<FromWebview, { type: 'answer' }>;

/** The agent's question: the change, command or tool call, and the possible answers. */
@customElement('karl-question')
export class KarlQuestion extends LitElement {
  static override readonly styles = [
    shared,
    fades,
    css`
      :host {
        display: flex;
        flex-direction: column;
      }
      section {
        flex: 0 1 auto;
        min-height: 0;
        display: flex;
        flex-direction: column;
        gap: 6px;
        max-height: 45vh;
        margin: 0 12px 6px;
        padding: 8px 10px;
        overflow-y: auto;
        border: 1px solid var(--vscode-focusBorder, var(--vscode-contrastBorder, transparent));
        border-radius: var(--karl-radius-medium);
        background: var(--vscode-editorWidget-background);
        overflow-wrap: anywhere;
      }
      h2 {
        gap: 6px;
        margin: 0;
        font-size: inherit;
        font-weight: 600;
      }
      pre {
        flex: 0 1 auto;
        max-height: 9em;
        min-height: 1.9em;
        margin: 0;
        padding: 4px 8px;
        overflow: auto;
        border-radius: var(--karl-radius-medium);
        background: var(--vscode-textCodeBlock-background);
        font-family: var(--vscode-editor-font-family);
        white-space: pre-wrap;
      }
      p {
        margin: 0;
      }
      .line {
        gap: 4px 6px;
      }
      input {
        flex: 1 1 12em;
        min-width: 0;
        padding: 3px 6px;
        border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent));
        border-radius: var(--karl-radius-medium);
        background: var(--vscode-input-background);
        color: var(--vscode-input-foreground);
        font: inherit;
      }
      input::placeholder {
        color: var(--vscode-input-placeholderForeground);
      }
      details .bare {
        margin-top: 4px;
      }
    `,
  ];
  @property({ attribute: false }) accessor question: QuestionState | undefined;

  /** Clears the input when another question is shown. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const before: unknown = changed.get('question');
    if (before === undefined || (before as QuestionState).id === this.question?.id) return;
    const input = this.renderRoot.querySelector('input');
    if (input !== null) input.value = '';
    const details = this.renderRoot.querySelector('details');
    if (details !== null) details.open = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { question } = this;
    if (question === undefined) return nothing;
    const answer = (how: Answer['answer'], offer = 0): void => {
      const reason = how === 'deny' ? (this.renderRoot.querySelector('input')?.value ?? '') : '';
      ask(this, { type: 'answer', id: question.id, answer: how, reason, offer });
    };
    return html`<section role="group" aria-label=${t('The agent asks')}>
      ${this.#renderSubject(question)}
      <div class="line beside wrap">
        <vscode-button @click=${() => answer('allow')}>${t('Allow')}</vscode-button>
        <vscode-button
          secondary
          title=${t('No more questions about {0} until the turn ends', question.tool)}
          @click=${() => answer('turn')}
        >${t('Allow for This Turn')}</vscode-button>
      </div>
      <div class="line beside wrap">
        <vscode-button secondary @click=${() => answer('deny')}>${t('Deny')}</vscode-button>
        <input
          aria-label=${t('Why not; the agent is told')}
          placeholder=${t('Why not, or what to do instead')}
          maxlength="4000"
          @keydown=${(event: KeyboardEvent) => {
            if (event.key === 'Enter' && !event.isComposing) answer('deny');
          }}
        />
      </div>
      <details class="small">
        <summary class="muted">${t('Always allow…')}</summary>
        <ul class="bare">
          ${question.always.map(
            (name, offer) =>
              html`<li><button class="link" @click=${() => answer('always', offer)}>${t('Always allow {0}', name)}</button></li>`,
          )}
        </ul>
      </details>
    </section>`;
  }

  #renderSubject(question: QuestionState): TemplateResult {
    switch (question.kind) {
      case 'edit':
        return html`<h2 class="beside">${icon('edit')}${question.isNew ? t('Create this file?') : t('Change this file?')}</h2>
          <div class="line beside wrap">
            <span class="ellipsis" title=${question.path}>${renderPath(question.path)}</span>
            <span class="figures"><span class="added">+${question.added}</span> <span class="removed">−${question.removed}</span></span>
            <button class="link" @click=${() => ask(this, { type: 'show-change' })}>${t('Show the change')}</button>
          </div>`;
      case 'command':
        return html`<h2 class="beside">${icon('run')}${t('Run this command?')}</h2>
          <pre tabindex="0">${question.command}</pre>
          <p class="muted small">${t('It runs with your rights, in {0}.', question.folder)}</p>`;
      case 'tool':
        return html`<h2 class="beside">${icon('tool')}${t('Call the tool {0}?', question.tool)}</h2>
          <pre tabindex="0">${question.input}</pre>
          <p class="muted small">${t('It belongs to another extension or an MCP server, and may do what these can.')}</p>`;
    }
  }
}
