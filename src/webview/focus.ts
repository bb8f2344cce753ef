/**
 * Calls `go` when the page has been drawn anew and what has the focus now is gone, unless something else in the page has
 * taken it; where it `isLost` in any case, always. Never while the focus is elsewhere in VS Code.
 */
export async function whenFocusIsLost(go: () => void, isLost: boolean): Promise<void> {
  let held = document.activeElement;
  while (held?.shadowRoot?.activeElement) held = held.shadowRoot.activeElement;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const isGone = held?.checkVisibility() === false && document.activeElement === document.body;
  if ((isLost || isGone) && document.hasFocus()) go();
}
