import type { LitElement, ReactiveController } from 'lit';

/** Whether the view is narrower than a line of a few words; its component is drawn anew when that changes. */
export class Narrow implements ReactiveController {
  readonly #query = matchMedia('(width < 400px)');
  readonly #draw: () => void;

  constructor(component: LitElement) {
    this.#draw = () => component.requestUpdate();
    component.addController(this);
  }

  get now(): boolean {
    return this.#query.matches;
  }

  hostConnected(): void {
    this.#query.addEventListener('change', this.#draw);
  }

  hostDisconnected(): void {
    this.#query.removeEventListener('change', this.#draw);
  }
}
