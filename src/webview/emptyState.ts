import { css, html, type TemplateResult } from 'lit';
import { t } from '../language/language.ts';
import { pushButton } from './controls.ts';
import { ask } from './intent.ts';

export const emptyStyles = css`
  .welcome {
    display: grid;
    place-content: safe center;
    justify-items: center;
    padding: 24px 12px;
    text-align: center;

    svg {
      width: 56px;
      height: 56px;
      color: var(--vscode-charts-blue, var(--vscode-foreground));
    }
    h1 {
      margin: 14px 0 6px;
      font-size: var(--karl-font-title);
      text-wrap: balance;
    }
    p {
      max-width: 36em;
      margin-bottom: 18px;
      text-wrap: pretty;
    }
    .buttons {
      display: grid;
      gap: 8px;
      width: min(100%, 260px);
    }
  }
`;

const waysToBegin = () =>
  [
    [t('New Conversation'), 'new-conversation'],
    [t('Open Sample Conversation'), 'open-sample'],
    [t('Select Model…'), 'select-model'],
  ] as const;

/** The view without a conversation: what Karl does, and three ways to begin. `from` dispatches the intents. */
export function renderEmpty(from: EventTarget): TemplateResult {
  return html`<div class="welcome">
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true">
      <path d="M5.4 18.6a9.3 9.3 0 1 1 13.2 0"></path>
      <path d="M12 12 16.2 7.8" stroke-width="2"></path>
      <circle cx="12" cy="12" r="1.7" fill="currentColor" stroke="none"></circle>
      <path d="M8.5 20.4h7" stroke-width="2"></path>
    </svg>
    <h1>${t('A context budget for your agent')}</h1>
    <p class="muted">
      ${t(
        'Karl lets an agent work for days inside a fixed token budget: it compresses what is old before the window overflows, shows every byte that it removed, and lets you undo it.',
      )}
    </p>
    <div class="buttons">
      ${waysToBegin().map(([label, type], index) =>
        pushButton({ label }, () => ask(from, { type }), { secondary: index > 0 }),
      )}
    </div>
  </div>`;
}
