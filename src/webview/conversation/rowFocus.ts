/** How far an arrow key scrolls a row that is taller than the view, pixels: three lines. */
const LINES = 60;

/** Focusable controls. */
const CONTROLS = 'button:not(:disabled), summary, a[href], [tabindex="0"]';

/**
 * One tab stop for all rows of a list: arrow keys, Page Up, Page Down, Home and End go from row to row, Enter goes to the
 * controls of a row, Escape back to the row.
 *
 * A row is an element around a component. While the component has `tabindex="-1"`, Tab skips everything in its shadow
 * tree. While its controls are in use it has 0, and passes the focus on to its row; removing the attribute would blur it.
 */
export class RowFocus {
  readonly #scroller: HTMLElement;
  readonly #list: HTMLElement;
  readonly #onCurrent: (index: number) => void;

  /** `onCurrent` gets the index of a new tab stop. */
  constructor(scroller: HTMLElement, list: HTMLElement, onCurrent: (index: number) => void) {
    this.#scroller = scroller;
    this.#list = list;
    this.#onCurrent = onCurrent;
    list.addEventListener('focusin', (event) => this.#entered(event));
    list.addEventListener('focusout', (event) => this.#left(event));
    list.addEventListener('keydown', (event) => this.#pressed(event));
  }

  #entered(event: FocusEvent): void {
    const row = this.#rowOf(event);
    if (row === undefined) return;
    this.#onCurrent(this.#rows().indexOf(row));
    if (event.target === row) return;
    const component = row.firstElementChild;
    if (event.composedPath()[0] === component) row.focus({ preventScroll: true });
    else component?.setAttribute('tabindex', '0');
  }

  #left(event: FocusEvent): void {
    const component = this.#rowOf(event)?.firstElementChild;
    if (event.relatedTarget !== component) component?.setAttribute('tabindex', '-1');
  }

  #pressed(event: KeyboardEvent): void {
    const row = this.#rowOf(event);
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const isLeft = event.target !== row && event.key === 'Escape';
    if (isLeft) row.focus();
    if (!isLeft && !(event.target === row && this.#go(event.key, row))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #go(key: string, row: HTMLElement): boolean {
    const moves: Readonly<Record<string, () => boolean>> = {
      ArrowDown: () => this.#step(row, 1, false),
      ArrowUp: () => this.#step(row, -1, false),
      PageDown: () => this.#step(row, 1, true),
      PageUp: () => this.#step(row, -1, true),
      Home: () => moveTo(this.#rows()[0]),
      End: () => moveTo(this.#rows().at(-1)),
      Enter: () => enter(row),
    };
    return moves[key]?.() ?? false;
  }

  /** Goes to the next row, or a page further; scrolls along a row that continues outside the view. */
  #step(row: HTMLElement, direction: 1 | -1, byPage: boolean): boolean {
    const view = this.#scroller.getBoundingClientRect();
    const { top, bottom } = row.getBoundingClientRect();
    if (direction > 0 ? bottom > view.bottom + 1 : top < view.top - 1) {
      this.#scroller.scrollBy(0, direction * (byPage ? view.height * 0.9 : LINES));
      return true;
    }
    const rows = this.#rows();
    const next = rows.indexOf(row) + direction;
    if (!byPage) return moveTo(rows[next]);
    const isNear = (other: HTMLElement) => Math.abs(other.getBoundingClientRect().top - top) <= view.height;
    const far = direction > 0 ? rows.findLastIndex(isNear) : rows.findIndex(isNear);
    return moveTo(rows[direction > 0 ? Math.max(next, far) : Math.min(next, far)]);
  }

  #rows(): HTMLElement[] {
    return [...this.#list.children].filter((child) => child instanceof HTMLElement);
  }

  #rowOf(event: Event): HTMLElement | undefined {
    return this.#rows().find((row) => event.target instanceof Node && row.contains(event.target));
  }
}

/** Focuses a row. True even at the ends: the key was handled. */
function moveTo(row: HTMLElement | undefined): true {
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
  return true;
}

function enter(row: HTMLElement): boolean {
  const component = row.firstElementChild;
  const first = component === null ? undefined : firstControl(component);
  if (first === undefined) return false;
  first.focus();
  return true;
}

/** The first control in the shadow tree of an element and of the components in it. */
function firstControl(element: Element): HTMLElement | undefined {
  for (const each of element.shadowRoot?.querySelectorAll('*') ?? []) {
    if (each instanceof HTMLElement && each.matches(CONTROLS) && each.checkVisibility()) return each;
    const inner = firstControl(each);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
