import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { t } from '../../language/language.ts';
import type { ViewState } from '../../protocol/viewState.ts';
import { icon, iconButton, linkButton } from '../controls.ts';
import { formatShort, renderPath } from '../format.ts';
import { ask, writtenIn } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { MentionList } from './mentionList.ts';
import { composerStyles } from './styles.ts';

/** The image types that every server with image support takes. */
const TYPES = /^image\/(?:png|jpeg|gif|webp)$/;

/** The largest image that the host takes, bytes. */
const LARGEST_IMAGE = 5_000_000;

/** An image as a base64 `data:` URL. */
function readImage(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the image cannot be read'));
    reader.readAsDataURL(file);
  });
}

/** The message box. Enter sends, or queues during a run; Shift+Enter makes a new line; Escape stops the run. */
@customElement('karl-composer')
export class KarlComposer extends LitElement {
  static override readonly styles = [shared, composerStyles];
  /** The text that is not sent yet. */
  @property({ attribute: false }) accessor draft = '';
  @property({ attribute: false }) accessor state: ViewState | undefined;
  /** The message that is being edited. */
  @property({ attribute: false }) accessor editing: number | undefined;

  /** The files that are offered for what was typed after an `@`. */
  readonly mentions = new MentionList(this);
  /** How many images are being read. */
  #reading = 0;
  /** The message is sent when all images are read. */
  #sendsLater = false;

  /** Focuses the text, or the model's button if nothing can be written. */
  override focus(): void {
    const place = this.#mayWrite() ? 'textarea' : '.model';
    this.renderRoot.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
  }

  /** Why nothing can be sent, if that is so. */
  get #locked(): string | undefined {
    const { readOnly, otherAgent } = this.state?.conversation ?? {};
    return readOnly ?? otherAgent;
  }

  /** Karl is working, so that messages are queued. Another agent's model does not count. */
  get #running(): boolean {
    const { activity, conversation } = this.state ?? {};
    if (activity === undefined || activity.kind === 'idle') return false;
    return !(conversation?.otherAgent !== undefined && activity.kind === 'model');
  }

  /** Closes the list of files when the draft changes other than by typing. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('draft') && this.draft !== this.renderRoot.querySelector('textarea')?.value) this.mentions.close();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { state, editing } = this;
    if (state?.conversation === undefined) return nothing;
    const { model, modelHint = '', server, otherAgent } = state.conversation;
    const running = this.#running;
    const locked = this.#locked;
    const sendLabel = running ? t('Queue (Enter): sent when the turn is done') : t('Send (Enter)');
    const busy = running && editing !== undefined;
    const stop = { label: t('Stop'), hint: t('Stop (Escape)') };
    return html`${this.#renderQueue(state)}
      ${editing === undefined ? nothing : this.#renderEditing(editing)}
      ${
        locked === undefined
          ? nothing
          : html`<div class="locked wrap muted" id="locked" role="status">
              ${icon('lock')}<span>${locked}</span>
              ${otherAgent === undefined ? linkButton({ label: t('Take Over') }, () => ask(this, { type: 'take-over' }), 'firm push') : nothing}
            </div>`
      }
      <div class="box field">
        ${this.mentions.render()}
        ${state.attachments.length === 0 ? nothing : this.#renderAttachments(state.attachments)}
        <textarea
          rows="1" dir="auto"
          aria-label=${t('Message to the agent')}
          aria-describedby="locked"
          aria-autocomplete="list"
          aria-controls=${this.mentions.isOpen ? 'mentions' : nothing}
          aria-activedescendant=${this.mentions.active ?? nothing}
          placeholder=${this.#placeholder}
          .value=${live(this.draft)}
          ?disabled=${!this.#mayWrite()}
          @input=${this.#typed}
          @blur=${() => this.mentions.end()}
          @paste=${this.#pasted}
          @keydown=${this.#pressed}
        ></textarea>
        <div class="bar beside firm">
          <button
            class="plain model small"
            title=${modelHint === '' ? t('Select the model') : `${t('Select the model')}\n\n${modelHint}`}
            @click=${() => ask(this, { type: 'select-model' })}
          >
            <span class="ellipsis">${model === '' ? t('Select Model…') : model}</span>
            <span class="chevron down">${icon('chevron')}</span>
          </button>
          ${
            server === undefined
              ? nothing
              : html`<button
                  class="plain server small"
                  title=${t('Messages go to {0}. Select another server', server)}
                  aria-label=${t('Server {0}, select another', server)}
                  @click=${() => ask(this, { type: 'select-server' })}
                >
                  <span class="ellipsis muted">${server.replace(/^https?:\/\//, '')}</span>
                </button>`
          }
          <span class="buttons beside push">
            ${this.#renderPause(state)}
            ${running ? iconButton('stop', stop, () => ask(this, { type: 'cancel' }), 'stop') : nothing}
            <button
              class="plain send"
              title=${busy ? t('Karl is busy. Wait or press Stop.') : sendLabel}
              aria-label=${running ? t('Queue') : t('Send')}
              ?disabled=${busy || !this.#mayWrite() || this.draft.trim() === ''}
              @click=${this.#send}
            >
              ${icon('send')}
            </button>
          </span>
        </div>
      </div>`;
  }

  #renderPause({ activity, isPaused = false }: ViewState): TemplateResult | typeof nothing {
    if (!this.#running || this.#locked !== undefined || (activity.kind === 'compacting' && !isPaused)) return nothing;
    const press = () => ask(this, { type: 'pause', isPaused: !isPaused });
    return isPaused
      ? iconButton('goOn', { label: t('Resume') }, press, 'pause')
      : iconButton('pause', { label: t('Pause'), hint: t('Pause before the next step') }, press, 'pause');
  }

  /** The messages that wait for their turn, each with a button that takes it back. */
  #renderQueue({ queued, queueing = [], held = 0 }: ViewState): TemplateResult | typeof nothing {
    const running = this.#running;
    if (queued.length + queueing.length === 0) return nothing;
    // After a failure, no message is sent automatically.
    const waits = running ? held : queued.length;
    const head = html`<div class="held beside small">
      <span class="muted">${waits === 1 ? t('1 message is waiting.') : t('{0} messages are waiting.', waits)}</span>
      <button class="link" ?disabled=${this.#locked !== undefined} @click=${() => ask(this, { type: 'send-queued' })}>
        ${waits === 1 ? t('Send it') : t('Send them')}
      </button>
    </div>`;
    return html`${waits > 0 ? head : nothing}<ol class="queue bare" aria-label=${t('Queued messages')}>
        ${[...queued, ...queueing].map(
          (text, index) =>
            html`<li class="beside">
              ${index < waits ? nothing : html`<span class="muted small">${running && index === waits ? t('next') : t('waiting')}</span>`}
              <span class="ellipsis" title=${text}>${text}</span>
              <span class="buttons beside push">
                ${running && index >= waits && index < queued.length ? this.#renderQueued('send-between', index, text) : nothing}
                ${index < queued.length ? this.#renderQueued('unqueue', index, text) : nothing}
              </span>
            </li>`,
        )}
      </ol>`;
  }

  /** A button of a queued message. */
  #renderQueued(type: 'send-between' | 'unqueue', index: number, text: string): TemplateResult {
    const [start, act] = [text.slice(0, 60), () => ask(this, { type, index, text })];
    return type === 'unqueue'
      ? iconButton('close', { label: t('Remove from the queue'), name: t('Remove from the queue: {0}', start) }, act)
      : iconButton(
          'send',
          { label: t('Send now: the agent reads it at its next step'), name: t('Send now: {0}', start) },
          act,
        );
  }

  #renderAttachments(attachments: ViewState['attachments']): TemplateResult {
    const total = attachments.reduce((sum, { tokens }) => sum + tokens, 0);
    return html`<ul class="attachments bare wrap" aria-label=${t('Attached, {0} tokens', total)}>
      ${attachments.map(
        ({ kind, label, tokens }, index) =>
          html`<li class="chip card less" title=${t('{0}, {1} tokens', label, tokens)}>
            ${kind === 'file' ? renderPath(label) : html`<span class="ellipsis">${label}</span>`}
            <span class="muted small figures">${formatShort(tokens)}</span>
            ${iconButton('close', { label: t('Remove'), name: t('Remove {0}, {1} tokens', label, tokens) }, () =>
              ask(this, { type: 'detach', index, label }),
            )}
          </li>`,
      )}
    </ul>`;
  }

  #renderEditing(id: number): TemplateResult {
    const names = { label: t('Stop editing message {0}', String(id)), hint: t('Stop editing (Escape)') };
    return html`<div class="editing beside less" role="status">
      <span class="muted grow">${t('Editing message {0}. It is sent in a fork; this conversation stays as it is.', String(id))}</span>
      ${iconButton('close', names, () => this.#stopEditing())}
    </div>`;
  }

  #stopEditing(): void {
    this.dispatchEvent(new Event('karl-stop-editing'));
    ask(this, { type: 'stop-editing' });
    this.focus();
  }

  /** Attaches the images among some files; false if there are none. */
  takeImages(files: Iterable<File>): boolean {
    const images = [...files].filter(({ type }) => TYPES.test(type));
    if (images.length === 0 || !this.#mayWrite()) return false;
    for (const image of images) {
      if (image.size > LARGEST_IMAGE) ask(this, { type: 'refuse-image', bytes: image.size });
      else void this.#attach(image);
    }
    return true;
  }

  async #attach(image: File): Promise<void> {
    this.#reading += 1;
    try {
      ask(this, { type: 'attach-image', url: await readImage(image) });
    } finally {
      this.#reading -= 1;
      if (this.#sendsLater && this.#reading === 0) this.#send();
    }
  }

  /** Attaches images; everything else is pasted as usual. */
  #pasted(event: ClipboardEvent): void {
    if (this.takeImages(event.clipboardData?.files ?? [])) event.preventDefault();
  }

  get #placeholder(): string {
    if (!this.#mayWrite()) return '';
    if (this.#running) return t('Add a message to the queue');
    return t('Ask the agent. @ for files');
  }

  /** Messages may be edited even in a read-only conversation, since they go into a fork. */
  #mayWrite(): boolean {
    return this.#locked === undefined || this.editing !== undefined;
  }

  #typed(event: Event): void {
    this.write(writtenIn(event));
    this.mentions.typed();
  }

  #pressed(event: KeyboardEvent): void {
    if (this.mentions.pressed(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === 'Escape' && this.editing !== undefined && !event.isComposing) {
      event.stopPropagation();
      this.#stopEditing();
      return;
    }
    // An Enter that ends an input method's composition belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#send();
  }

  #send(): void {
    const text = this.draft.trim();
    const id = this.editing;
    if (text === '' || !this.#mayWrite() || (this.#running && id !== undefined)) return;
    this.#sendsLater = this.#reading > 0;
    if (this.#sendsLater) return;
    this.mentions.end();
    this.dispatchEvent(new Event('karl-sending'));
    ask(this, id === undefined ? { type: 'send', text } : { type: 'resend', id, text });
    this.write('');
    if (id !== undefined) this.dispatchEvent(new Event('karl-stop-editing'));
    this.focus();
  }

  /** Replaces the text. */
  write(draft: string): void {
    this.draft = draft;
    this.dispatchEvent(new CustomEvent('karl-draft', { detail: { draft } }));
  }
}
