/**
 * What is wrong with the layout of the view, in words. Runs in its page, so that it uses nothing from outside itself.
 */
export function findFlaws(): string[] {
  const { innerWidth: width, innerHeight: height } = window;
  const { scrollWidth, scrollHeight } = document.documentElement;
  const app = document.querySelector('karl-app')?.shadowRoot;
  const controls = 'button, a[href], summary, input, textarea, select';
  const flaws: string[] = [];

  const allIn = (scope: ParentNode): Element[] =>
    [...scope.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? allIn(one.shadowRoot) : [])]);
  const parentOf = (one: Element): Element | undefined => {
    const up = one.assignedSlot ?? one.parentNode;
    return up instanceof ShadowRoot ? up.host : up instanceof Element ? up : undefined;
  };
  const around = (one: Element): Element[] => {
    const up = parentOf(one);
    return up === undefined ? [] : [up, ...around(up)];
  };
  const nameOf = (one: Element) => {
    const words = one.getAttribute('aria-label') ?? one.textContent?.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
    return `${[one.localName, ...one.classList].join('.')} "${words}"`;
  };
  /** What is in front at a point, through all shadow roots. */
  const frontAt = (x: number, y: number, root: Document | ShadowRoot = document): Element | null => {
    const front = root.elementFromPoint(x, y);
    return front?.shadowRoot && front.shadowRoot !== root ? (frontAt(x, y, front.shadowRoot) ?? front) : front;
  };

  if (scrollWidth > width || scrollHeight > height) flaws.push(`the page is ${scrollWidth} by ${scrollHeight}`);
  const composer = app?.querySelector('karl-composer')?.shadowRoot;
  const writing = composer?.querySelector('.box')?.getBoundingClientRect();
  if (composer && !(writing && writing.top >= 0 && writing.bottom <= height && writing.height > 40))
    flaws.push('the composer is not in sight');
  const main = app
    ?.querySelector(':is(karl-conversation, karl-contents, karl-preview):not([hidden])')
    ?.getBoundingClientRect();
  // The layout may lose fractions of a pixel.
  if (main !== undefined && main.height < height * 0.4 - 1) flaws.push(`${main.height} of ${height} for the main part`);

  const shown = allIn(document).filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.unseen'),
  );
  for (const text of shown.filter((one) => !one.closest('code, pre')).flatMap((one) => [...one.childNodes]))
    if (text instanceof Text && /^\s*(?:false|true|null|undefined|NaN|\[object \w+\])\s*$/.test(text.data))
      flaws.push(`"${text.data.trim()}" is written in ${text.parentElement?.className}`);

  // What is wider than its own box is scrolled there.
  for (const one of shown)
    if (one.getBoundingClientRect().right > width + 1 && !one.closest('pre, table'))
      flaws.push(`${nameOf(one)} goes out of the page`);

  for (const one of shown.filter((each) => each.matches('.icon')))
    if (one.getBoundingClientRect().width > 17) flaws.push(`an icon of ${one.getBoundingClientRect().width} pixels`);

  for (const one of shown.filter((each) => each.matches(controls))) {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const boxes = around(one).map((element) => ({
      style: getComputedStyle(element),
      edge: element.getBoundingClientRect(),
    }));
    if (
      boxes.some(
        ({ style, edge }) => style.overflowX === 'hidden' && (box.left < edge.left - 1 || box.right > edge.right + 1),
      )
    )
      flaws.push(`${nameOf(one)} is cut off`);
    const words = document.createRange();
    words.selectNodeContents(one);
    if (
      one.matches('.primary:not(.ways), .secondary:not(.ways)') &&
      words.getBoundingClientRect().width > box.width - 8
    )
      flaws.push(`${nameOf(one)} has words up to its edge`);
    // At the very edge of a part that scrolls, its neighbour is hit.
    const outOf = boxes.filter(
      ({ edge }) => y < edge.top + 1 || y > edge.bottom - 1 || x < edge.left || x > edge.right,
    );
    const isScrolledAway = outOf.some(({ style }) => /auto|scroll/.test(style.overflowY));
    // What appears only under the pointer is not there yet.
    if (isScrolledAway || getComputedStyle(one).pointerEvents === 'none') continue;
    if (outOf.some(({ style }) => style.overflowY !== 'visible')) {
      flaws.push(`${nameOf(one)} is cut away`);
      continue;
    }
    const front = frontAt(x, y);
    // The button that leads to the end floats over rows that scroll under it; a list closes at the next key.
    if (front?.closest('.latest, [role=listbox]')) continue;
    if (front === null || !(front === one || one.contains(front) || around(front).includes(one)))
      flaws.push(`${nameOf(one)} is covered by ${front === null ? 'nothing' : nameOf(front)}`);
  }
  return flaws;
}
