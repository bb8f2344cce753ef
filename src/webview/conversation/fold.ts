import { html, type TemplateResult } from 'lit';
import { type IconName, icon } from '../icons.ts';

/** A one-line header with a body behind it. */
export interface Fold {
  readonly icon: IconName;
  readonly title: string;
  /** One line beside the title, cut where there is no more room. */
  readonly preview?: string;
  readonly body: unknown;
}

/** Folds something long into one line. It is the browser's own disclosure, which keyboards and screen readers know. */
export function renderFold(fold: Fold): TemplateResult {
  return html`<details class="fold">
    <summary>
      <span class="chevron">${icon('chevron')}</span>${icon(fold.icon)}
      <span class="fold-title">${fold.title}</span>
      <span class="fold-preview muted ellipsis">${fold.preview ?? ''}</span>
    </summary>
    <div class="fold-body">${fold.body}</div>
  </details>`;
}

/** The start of a text as one line. */
export function firstLine(text: string): string {
  return text.slice(0, 200).replace(/\s+/g, ' ').trim();
}
