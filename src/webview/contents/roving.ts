/**
 * One tab stop for all rows of a list and the headings that fold them: arrow keys go from row to row and from control to
 * control within a row, Home and End to the ends; a heading is unfolded and folded by the arrows to the right and left;
 * Delete presses the button that drops the row. When rows come or go, the focus stays where it was, under its heading.
 */
export class Roving {
  readonly #root: () => ParentNode;
  /** The control that has, or last had, the focus: its row and its place in it, counted from 0. */
  #current = { row: 0, control: 0 };
  /** What the heading of that row folds. */
  #group: Element | null = null;
  #isInside = false;

  constructor(root: () => ParentNode) {
    this.#root = root;
  }

  /** Makes one control the tab stop, after rows were drawn, unfolded or folded. */
  update(): void {
    const rows = this.#rows();
    const all = rows.flat();
    const wasLost = this.#isInside && !all.some((control) => control.matches(':focus'));
    const lastOfGroup = rows.findLastIndex(([first]) => first !== undefined && this.#group?.contains(first));
    const last = wasLost && lastOfGroup >= 0 ? lastOfGroup : rows.length - 1;
    const row = Math.min(this.#current.row, last);
    const control = Math.min(this.#current.control, (rows[row]?.length ?? 1) - 1);
    this.#current = { row: Math.max(0, row), control: Math.max(0, control) };
    const stop = rows[row]?.[control];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
    if (wasLost && document.hasFocus()) stop?.focus();
  }

  /** Puts the focus on the tab stop; false when there is none. */
  focus(): boolean {
    const { row, control } = this.#current;
    const stop = this.#rows()[row]?.[control];
    stop?.focus();
    return stop !== undefined;
  }

  focused(event: Event): void {
    const rows = this.#rows();
    const row = rows.findIndex((controls) => controls.some((control) => control === event.target));
    this.#isInside = row >= 0;
    if (row < 0) return;
    const control = rows[row]?.findIndex((one) => one === event.target) ?? 0;
    this.#current = { row, control };
    this.#group = rows[row]?.[control]?.closest('details') ?? null;
    this.update();
  }

  /** The focus left the page, or went to something else in it. An element that is removed fires no such event. */
  left(event: FocusEvent): void {
    if (event.relatedTarget !== null || !document.hasFocus()) this.#isInside = false;
  }

  pressed(event: KeyboardEvent): void {
    const rows = this.#rows();
    const { row, control } = this.#current;
    if (!this.#isInside || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Delete') rows[row]?.find(({ dataset }) => dataset.act === 'dropped')?.click();
    const fold = rows[row]?.[control]?.parentElement;
    if (fold instanceof HTMLDetailsElement && fold.open === (event.key === 'ArrowLeft') && /Left|Right/.test(event.key))
      fold.open = !fold.open;
    const goal = goalOf(event.key, { row, control }, rows);
    if (goal === undefined) return;
    event.preventDefault();
    this.#current = goal;
    rows[goal.row]?.[Math.min(goal.control, (rows[goal.row]?.length ?? 1) - 1)]?.focus();
  }

  /** The controls of each visible row; a heading is its own. */
  #rows(): readonly (readonly HTMLElement[])[] {
    return [...this.#root().querySelectorAll<HTMLElement>('.row, summary')]
      .filter((row) => row.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
      .map((row) => (row.tagName === 'SUMMARY' ? [row] : [...row.querySelectorAll('button')]))
      .filter((controls) => controls.length > 0);
  }
}

type Place = { readonly row: number; readonly control: number };

function goalOf(key: string, { row, control }: Place, rows: readonly (readonly unknown[])[]): Place | undefined {
  const last = rows.length - 1;
  const most = (rows[row]?.length ?? 1) - 1;
  switch (key) {
    case 'ArrowDown':
      return { row: Math.min(last, row + 1), control };
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), control };
    case 'ArrowRight':
      return { row, control: Math.min(most, control + 1) };
    case 'ArrowLeft':
      return { row, control: Math.max(0, control - 1) };
    case 'Home':
      return { row: 0, control };
    case 'End':
      return { row: last, control };
    default:
      return undefined;
  }
}
