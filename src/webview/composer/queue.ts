import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../core/language.ts';
import { icon } from '../icons.ts';
import { ask } from '../intent.ts';

/** What the composer shows of the queue. */
export interface Queue {
  readonly queued: readonly string[];
  /** What will be in the queue in a moment: it cannot be taken back yet. */
  readonly queueing: readonly string[];
  readonly running: boolean;
  /** Why nothing can be sent, when that is so. */
  readonly locked: string | undefined;
}

/** The messages that wait for their turn, each with a button that takes it back. */
export function renderQueue(
  { queued, queueing, running, locked }: Queue,
  from: EventTarget,
): TemplateResult | typeof nothing {
  if (queued.length + queueing.length === 0) return nothing;
  const areHeld = !running && queued.length > 0;
  const held = html`<div class="held small">
    <span class="muted">${queued.length === 1 ? t('1 message waits.') : t('{0} messages wait.', queued.length)}</span>
    <button class="link" ?disabled=${locked !== undefined} @click=${() => ask(from, { type: 'send-queued' })}>
      ${queued.length === 1 ? t('Send it') : t('Send them')}
    </button>
  </div>`;
  return html`${areHeld ? held : nothing}<ol class="queue" aria-label=${t('Queued messages')}>
      ${[...queued, ...queueing].map(
        (text, index) =>
          html`<li>
            ${areHeld ? nothing : html`<span class="muted small">${running && index === 0 ? t('next') : t('waiting')}</span>`}
            <span class="ellipsis" title=${text}>${text}</span>
            ${
              index < queued.length
                ? html`<button
                    class="plain"
                    title=${t('Remove from the queue')}
                    aria-label=${t('Remove from the queue: {0}', text.slice(0, 60))}
                    @click=${() => ask(from, { type: 'unqueue', index, text })}
                  >
                    ${icon('close')}
                  </button>`
                : nothing
            }
          </li>`,
      )}
    </ol>`;
}
