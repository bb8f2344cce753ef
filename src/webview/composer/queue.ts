import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../core/language.ts';
import { icon } from '../icons.ts';
import { ask } from '../intent.ts';

/** What the composer shows of the queue. */
export interface Queue {
  readonly queued: readonly string[];
  /** How many of them, the first ones, the user stopped: they are not sent by themselves. */
  readonly held: number;
  /** What will be in the queue in a moment: it cannot be taken back yet. */
  readonly queueing: readonly string[];
  readonly running: boolean;
  /** Why nothing can be sent, when that is so. */
  readonly locked: string | undefined;
}

/** The messages that wait for their turn, each with a button that takes it back. */
export function renderQueue(
  { queued, held, queueing, running, locked }: Queue,
  from: EventTarget,
): TemplateResult | typeof nothing {
  if (queued.length + queueing.length === 0) return nothing;
  // After a failure none is sent by itself.
  const waits = running ? held : queued.length;
  const head = html`<div class="held small">
    <span class="muted">${waits === 1 ? t('1 message waits.') : t('{0} messages wait.', waits)}</span>
    <button class="link" ?disabled=${locked !== undefined} @click=${() => ask(from, { type: 'send-queued' })}>
      ${waits === 1 ? t('Send it') : t('Send them')}
    </button>
  </div>`;
  return html`${waits > 0 ? head : nothing}<ol class="queue" aria-label=${t('Queued messages')}>
      ${[...queued, ...queueing].map(
        (text, index) =>
          html`<li>
            ${index < waits ? nothing : html`<span class="muted small">${running && index === waits ? t('next') : t('waiting')}</span>`}
            <span class="ellipsis" title=${text}>${text}</span>
            ${
              index < queued.length
                ? html`<button
                    class="plain"
                    title=${t('Remove from the queue')}
                    aria-label=${t('Remove from the queue: {0}', text.slice(0, 60))}
                    aria-description=""
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
