import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { t } from '../../core/language.ts';
import { ask } from '../intent.ts';

/** What the compression must keep, in the user's words. Enter, or leaving the box, has the preview made anew. */
export function renderInstructions(instructions: string, disabled: boolean, of: EventTarget): TemplateResult {
  return html`<input
    class="instructions"
    type="text"
    maxlength="4000"
    aria-label=${t('What this compression must keep')}
    placeholder=${t('What to keep, e.g. the SQL')}
    .value=${live(instructions)}
    ?disabled=${disabled}
    @change=${({ currentTarget }: Event) => {
      if (currentTarget instanceof HTMLInputElement)
        ask(of, { type: 'preview-instructions', text: currentTarget.value });
    }}
  />`;
}
