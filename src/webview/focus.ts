/**
 * After the next frame, calls `go` if the element that has the focus now is gone and nothing else in the page has taken
 * it, or if it `isLost` in any case. Never while the focus is elsewhere in VS Code.
 */
export async function whenFocusIsLost(go: () => void, isLost: boolean): Promise<void> {
  const held = focused();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const isGone = held?.checkVisibility() === false && document.activeElement === document.body;
  if ((isLost || isGone) && document.hasFocus()) go();
}

/** Calls `go` for Escape in an element: otherwise the page would take the key as a request to stop the agent. */
export function onEscape(element: HTMLElement, go: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    go();
  });
}

/** What has the focus, in whichever component. */
function focused(): Element | null {
  let held = document.activeElement;
  while (held?.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
  return held;
}

/** Remembers what opened a part of the page: the focus goes back there when that part is closed. */
export class Opener {
  #element: Element | undefined;

  /** Notes what has the focus now, as it opens the part. */
  note(): void {
    this.#element = focused() ?? undefined;
  }

  /** The part is opened by nothing in the page. */
  forget(): void {
    this.#element = undefined;
  }

  /** Puts the focus on it; false when it cannot be seen any more, or when there was none. */
  focus(): boolean {
    const element = this.#element;
    this.#element = undefined;
    if (!(element instanceof HTMLElement) || element === document.body || !element.checkVisibility()) return false;
    element.focus({ preventScroll: true });
    return true;
  }
}
