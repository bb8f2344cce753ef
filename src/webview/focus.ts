/**
 * After the next frame, calls `go` if the focused element has disappeared without another one taking the focus, or if
 * `isLost`. Never while the focus is elsewhere in VS Code.
 */
export async function whenFocusIsLost(go: () => void, isLost: boolean): Promise<void> {
  const held = focused();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const isGone = held?.checkVisibility() === false && document.activeElement === document.body;
  if ((isLost || isGone) && document.hasFocus()) go();
}

/** Calls `go` for Escape in an element, and hides the key from the page, which would stop the agent. */
export function onEscape(element: HTMLElement, go: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    go();
  });
}

/** The focused element, in any component. */
function focused(): Element | null {
  let held = document.activeElement;
  while (held?.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
  return held;
}

/** Remembers the element that opened a part of the page, to return the focus there when that part is closed. */
export class Opener {
  #element: Element | undefined;

  /** Remembers the focused element. */
  note(): void {
    this.#element = focused() ?? undefined;
  }

  /** The part was opened from outside of the page. */
  forget(): void {
    this.#element = undefined;
  }

  /** Focuses the element; false if there is none, or it is no longer visible. */
  focus(): boolean {
    const element = this.#element;
    this.#element = undefined;
    if (!(element instanceof HTMLElement) || element === document.body || !element.checkVisibility()) return false;
    element.focus({ preventScroll: true });
    return true;
  }
}
