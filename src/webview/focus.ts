/**
 * After the next frame, calls `go` if the focused element has disappeared or is disabled, without another one taking the
 * focus, or if `isLost`. Never while the focus is elsewhere in VS Code.
 */
export async function whenFocusIsLost(go: () => void, isLost: boolean): Promise<void> {
  const held = focused();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const isGone = held?.checkVisibility({ visibilityProperty: true }) === false || held?.matches(':disabled') === true;
  if ((isLost || (isGone && document.activeElement === document.body)) && document.hasFocus()) go();
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
export function focused(): Element | null {
  let held = document.activeElement;
  while (held?.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
  return held;
}

/** Gives the focus back to an element; false if it is no longer visible. */
export function refocus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || element === document.body) return false;
  const isVisible = element.checkVisibility({ visibilityProperty: true });
  if (isVisible) element.focus({ preventScroll: true });
  return isVisible;
}
