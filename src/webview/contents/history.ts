import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { t } from '../../core/language.ts';
import type { HistoryPointState } from '../../protocol/contents.ts';
import { type IconName, icon } from '../controls.ts';
import { formatShort, formatTime } from '../format.ts';
import { RevealEvent } from '../intent.ts';
import { shared } from '../styles/shared.ts';
import { layoutHistory } from './historyLayout.ts';
import { historyStyles } from './styles.ts';

type Kind = HistoryPointState['kind'];

/** The icons of the points that are marked. */
const MARKS: Readonly<Partial<Record<Kind, IconName>>> = {
  compressed: 'compressed',
  'by-hand': 'edit',
  undone: 'undo',
  redone: 'redo',
  error: 'close',
  model: 'reasoning',
};

/** How many points each key moves. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
  ...{ PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity },
};

/** A chart of the tokens of each request, with compressions, undos, errors and changes of the model as points. */
@customElement('karl-history')
export class KarlHistory extends LitElement {
  static override readonly styles = [shared, historyStyles];
  @property({ attribute: false }) accessor points: readonly HistoryPointState[] = [];
  /** The point that is described below the chart. */
  @state() accessor at = -1;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('points')) return;
    const { length } = this.points;
    const before = changed.get('points')?.length ?? 0;
    // A reader at the newest point stays at the newest.
    if (this.at >= before - 1 || this.at >= length) this.at = length - 1;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { points } = this;
    const read = points[this.at];
    if (points.length < 2 || read === undefined) return nothing;
    const { tokens, limit, trigger, points: places } = layoutHistory(points);
    const { x = 0, y = 0 } = places[this.at] ?? {};
    // Places are set through the object model (`.style`), which the page's policy allows.
    return html`<section aria-label=${t('Tokens of each request')}>
      <h3>${t('Tokens of each request')}</h3>
      <div
        class="chart"
        tabindex="0"
        role="slider"
        aria-label=${t('Tokens of each request, oldest to newest; Enter goes to the place')}
        aria-valuemin="1"
        aria-valuemax=${points.length}
        aria-valuenow=${this.at + 1}
        aria-valuetext=${describe(read)}
        @keydown=${this.#pressed}
        @pointermove=${(event: PointerEvent) => this.#read(event)}
        @click=${(event: MouseEvent) => {
          this.#read(event);
          this.#go(this.points[this.at]);
        }}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path class="area" d=${tokens && `${tokens}V100H0Z`}></path>
          <path class="limit" d=${limit}></path>
          <path class="trigger" d=${trigger}></path>
          <path class="tokens" d=${tokens}></path>
        </svg>
        ${places.map(({ kind, x, y }) => {
          const name = MARKS[kind];
          return name && html`<span class="mark ${kind}" .style=${`left: ${x}%; top: ${y}%`}>${icon(name)}</span>`;
        })}
        <i class="dot" .style=${`left: ${x}%; top: ${y}%`}></i>
      </div>
      <p class="read small figures">${describe(read)}</p>
      <p class="legend wrap small muted">
        <span><i class="key limit"></i>${t('budget {0}', formatShort(read.limit))}</span>
        <span><i class="key trigger"></i>${t('threshold {0}', formatShort(read.trigger))}</span>
      </p>
    </section>`;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#go(this.points[this.at]);
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.at = Math.max(0, Math.min(this.points.length - 1, this.at + step));
  }

  /** Shows the point that is nearest to the pointer. */
  #read({ clientX, currentTarget }: MouseEvent): void {
    if (!(currentTarget instanceof HTMLElement)) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (clientX - left) / Math.max(1, width)));
    this.at = Math.round(share * (this.points.length - 1));
  }

  #go(point: HistoryPointState | undefined): void {
    if (point === undefined) return;
    const { row, message } = point;
    this.dispatchEvent(new RevealEvent(row === undefined ? { from: message, to: message } : { compressions: row }));
  }
}

function describe({ at, text }: HistoryPointState): string {
  return `${formatTime(at)} · ${text}`;
}
