import type { LitElement } from 'lit';

/**
 * One tab stop for all rows of a list and the headings that fold them. Up and Down go from row to row; Left and Right go
 * along the controls of a row, and from its start to its parent row or heading, or fold and unfold a heading; Home and End
 * go to the ends; Delete drops the row. When rows come or go, the focus follows its row, or else stays under its heading.
 */
export class Roving {
  readonly #host: LitElement;
  /** The control that has, or last had, the focus: its row and its index in the row. */
  #current = { row: 0, control: 0 };
  /** The key of its row. */
  #key: string | undefined;
  /** The group that contains it. */
  #group: Element | null = null;
  #isInside = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController({ hostUpdated: () => this.update() });
  }

  /** Updates the tab stop after rows were drawn, unfolded or folded. */
  update(): void {
    const rows = this.#rows();
    const all = rows.flat();
    const wasLost = this.#isInside && !all.some((control) => control.matches(':focus'));
    const moved = wasLost ? rows.findIndex(([first]) => this.#key !== undefined && keyOf(first) === this.#key) : -1;
    const lastOfGroup = rows.findLastIndex(([first]) => first !== undefined && this.#group?.contains(first));
    const last = wasLost && lastOfGroup >= 0 ? lastOfGroup : rows.length - 1;
    const row = moved >= 0 ? moved : Math.min(this.#current.row, last);
    const control = Math.min(this.#current.control, (rows[row]?.length ?? 1) - 1);
    this.#current = { row: Math.max(0, row), control: Math.max(0, control) };
    const stop = rows[row]?.[control];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
    if (wasLost && document.hasFocus()) stop?.focus();
  }

  /** Focuses the tab stop; false if there is none. */
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
    if (row < 0 || !(event.target instanceof HTMLElement)) return;
    this.#current = { row, control: rows[row]?.indexOf(event.target) ?? 0 };
    this.#key = keyOf(event.target);
    this.#group = event.target.closest('details');
    this.update();
  }

  /** The focus left the list. A removed element fires no such event. */
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
    const goal = goalOf(event.key, row, control, rows);
    if (goal === undefined) return;
    event.preventDefault();
    this.#current = goal;
    rows[goal.row]?.[goal.control]?.focus();
  }

  /** The controls of each visible row or heading. */
  #rows(): readonly (readonly HTMLElement[])[] {
    return [...this.#host.renderRoot.querySelectorAll<HTMLElement>('.row, summary')]
      .filter(isVisible)
      .map(controlsOf)
      .filter((controls) => controls.length > 0);
  }
}

function keyOf(control: Element | undefined): string | undefined {
  return control?.closest<HTMLElement>('.row')?.dataset.key;
}

function isVisible(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
}

/** The controls of a row, or a heading and the buttons that act on all of its rows. A focusable row is its own first control. */
function controlsOf(row: HTMLElement): readonly HTMLElement[] {
  if (row.tagName === 'SUMMARY') {
    const ofAll = row.parentElement?.querySelectorAll<HTMLElement>(':scope > .all button') ?? [];
    return [row, ...ofAll].filter(isVisible);
  }
  const controls = [...row.querySelectorAll<HTMLElement>('button, input:enabled')];
  return row.hasAttribute('tabindex') ? [row, ...controls] : controls;
}

/** The index of the parent row or heading of a row. */
function parentOf(rows: readonly (readonly HTMLElement[])[], row: number): number | undefined {
  const outer = rows[row]?.[0]?.closest('li')?.parentElement?.closest('li, details');
  const heading = outer?.querySelector(':scope > .row, :scope > summary');
  const parent = rows.findIndex(([first]) => first !== undefined && heading?.contains(first));
  return parent < 0 ? undefined : parent;
}

/** The target of a key; undefined for keys that do not move the focus. */
function goalOf(key: string, row: number, control: number, rows: readonly (readonly HTMLElement[])[]) {
  const last = rows.length - 1;
  const most = (rows[row]?.length ?? 1) - 1;
  const goals: Readonly<Record<string, { row: number; control: number }>> = {
    ArrowDown: { row: Math.min(last, row + 1), control: 0 },
    ArrowUp: { row: Math.max(0, row - 1), control: 0 },
    ArrowRight: { row, control: Math.min(most, control + 1) },
    ArrowLeft: control > 0 ? { row, control: control - 1 } : { row: parentOf(rows, row) ?? row, control: 0 },
    Home: { row: 0, control: 0 },
    End: { row: last, control: 0 },
  };
  return goals[key];
}
