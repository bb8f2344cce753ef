import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { t } from '../../language/language.ts';
import { ask } from '../intent.ts';

type Composer = LitElement & { write(draft: string): void };

/** The files that are offered after an `@`: arrow keys choose, Enter or Tab takes, Escape closes. */
export class MentionList implements ReactiveController {
  readonly #composer: Composer;
  #mention: Mention | undefined;
  /** What the host offers; undefined until it has answered. */
  #paths: readonly string[] | undefined;
  #selected = 0;

  constructor(composer: Composer) {
    this.#composer = composer;
    composer.addController(this);
  }

  get isOpen(): boolean {
    return this.#paths !== undefined && this.#paths.length > 0;
  }

  /** The id of the file that Enter takes. */
  get active(): string | undefined {
    return this.isOpen ? `mention-${this.#selected}` : undefined;
  }

  /** Checks the text at the caret. */
  typed(): void {
    const input = this.#input;
    const mention = input === null ? undefined : mentionAt(input.value, input.selectionEnd);
    if (mention === undefined) this.end();
    else ask(this.#composer, { type: 'complete', text: mention.typed });
    this.#mention = mention;
  }

  /** Closes the list. The host attaches a file that is named in full, even if its list has not arrived yet. */
  end(): void {
    const { typed = '' } = this.#mention ?? {};
    if (typed !== '' && this.#input?.value.includes(`@${typed}`)) ask(this.#composer, { type: 'mention', text: typed });
    this.close();
  }

  /** Takes the host's answer, unless the text has changed since. */
  show(typed: string, paths: readonly string[]): void {
    if (typed !== this.#mention?.typed) return;
    this.#paths = paths;
    this.#selected = 0;
    this.#composer.requestUpdate();
  }

  close(): void {
    this.#mention = undefined;
    this.#paths = undefined;
    this.#composer.requestUpdate();
  }

  /** True when the key was for the list. */
  pressed({ key, isComposing, shiftKey }: KeyboardEvent): boolean {
    if (this.#paths === undefined || isComposing || (!this.isOpen && key !== 'Escape')) return false;
    const count = this.#paths.length;
    if (key === 'ArrowDown') this.#selected = (this.#selected + 1) % count;
    else if (key === 'ArrowUp') this.#selected = (this.#selected + count - 1) % count;
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) this.#take(this.#selected);
    else if (key === 'Escape') this.close();
    else return false;
    this.#composer.requestUpdate();
    return true;
  }

  hostUpdated(): void {
    if (this.isOpen)
      this.#composer.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  render(): TemplateResult | typeof nothing {
    if (this.#paths === undefined) return nothing;
    if (!this.isOpen) return html`<div class="mentions card muted" role="status">${t('No file matches')}</div>`;
    return html`<ul class="mentions card bare" id="mentions" role="listbox" aria-label=${t('Files of the workspace')}>
      ${this.#paths.map((path, index) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        return html`<li
          class="beside"
          id="mention-${index}"
          role="option"
          aria-selected=${index === this.#selected}
          title=${path}
          @pointerdown=${(event: Event) => {
            event.preventDefault();
            this.#take(index);
          }}
        ><span class="ellipsis">${name}</span> <span class="muted small ellipsis">${path.slice(0, -name.length - 1)}</span></li>`;
      })}
    </ul>`;
  }

  get #input(): HTMLTextAreaElement | null {
    return this.#composer.renderRoot.querySelector('textarea');
  }

  #take(index: number): void {
    const [input, mention, path] = [this.#input, this.#mention, this.#paths?.[index]];
    if (input === null || mention === undefined || path === undefined) return;
    const { text, caret } = insertPath(input.value, mention, path);
    this.close();
    this.#composer.write(text);
    ask(this.#composer, { type: 'attach', path });
    void this.#composer.updateComplete.then(() => input.setSelectionRange(caret, caret));
  }
}

/** An `@` and the text between it and the caret. */
interface Mention {
  /** Where the `@` is. */
  readonly from: number;
  readonly typed: string;
}

/** The mention at the caret; none inside a word (`a@b.c`) or after a space. */
function mentionAt(text: string, caret: number): Mention | undefined {
  const found = /(?:^|[\s([{"'`])@([^\s@]{0,200})$/u.exec(text.slice(0, caret));
  if (found === null) return undefined;
  const typed = found[1] ?? '';
  return { from: caret - typed.length - 1, typed };
}

/** Replaces a mention by a path and a space, and returns the new place of the caret. */
function insertPath(text: string, { from, typed }: Mention, path: string) {
  const before = `${text.slice(0, from)}@${path} `;
  return { text: before + text.slice(from + 1 + typed.length).replace(/^ /, ''), caret: before.length };
}
