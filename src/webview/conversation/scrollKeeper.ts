/** A reader this close to the end is at the end, pixels. */
const END_DISTANCE = 24;

/** Room above an entry that was scrolled to, for its focus ring, pixels. */
const ROOM_ABOVE = 4;

/** The callbacks of a scroll keeper. */
export interface ScrollKeeperParts {
  /** Whether the end of the list is the end of the conversation, which is the only end to follow. */
  readonly hasEnd: () => boolean;
  readonly onFollowing: (following: boolean, by: 'reader' | 'page') => void;
}

/**
 * Keeps the scroll position of a growing list: at the end while the reader is there; otherwise the entry at the top of the
 * view stays in place, whatever grows, shrinks or is inserted above it.
 */
export class ScrollKeeper {
  readonly #scroller: HTMLElement;
  readonly #list: HTMLElement;
  readonly #parts: ScrollKeeperParts;
  readonly #observer: ResizeObserver;
  readonly #onScroll = (): void => this.#remember();
  #following = true;
  /** The scroll position at the end, pixels. While it is unchanged, the reader has not scrolled, whatever the layout did. */
  #end = -1;
  #anchor: { element: Element; top: number } | undefined;

  /** The scroller must have `overflow-anchor: none`, or the browser would adjust the position as well. */
  constructor(scroller: HTMLElement, list: HTMLElement, parts: ScrollKeeperParts) {
    this.#scroller = scroller;
    this.#list = list;
    this.#parts = parts;
    this.#observer = new ResizeObserver(() => this.#adjust());
    this.#observer.observe(list);
    this.#observer.observe(scroller);
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
  }

  /** Goes to the end and stays there. */
  follow(): void {
    this.#setFollowing(true, 'page');
    this.#adjust();
  }

  /** Goes to the start of an entry, or no further than needed to see it, and stays with it. */
  goTo(entry: Element, block: 'start' | 'nearest' = 'start'): void {
    this.#setFollowing(false, 'page');
    // `scrollIntoView` with `start` would also move the frame in which VS Code shows the page.
    if (block === 'nearest') entry.scrollIntoView({ block });
    else
      this.#scroller.scrollTop +=
        entry.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top - ROOM_ABOVE;
    this.#remember();
  }

  /** Stops observing. */
  dispose(): void {
    this.#observer.disconnect();
    this.#scroller.removeEventListener('scroll', this.#onScroll);
  }

  #remember(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (clientHeight === 0 || (this.#following && scrollTop === this.#end)) return;
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= END_DISTANCE;
    // A reader who asked for the end waits at the end of the list until it arrives.
    this.#setFollowing(isAtEnd && (this.#following || this.#parts.hasEnd()), 'reader');
    const edge = this.#scroller.getBoundingClientRect().top;
    for (const element of this.#list.children) {
      const { top, bottom, height } = element.getBoundingClientRect();
      if (height === 0 || bottom <= edge) continue;
      this.#anchor = { element, top: top - edge };
      return;
    }
    this.#anchor = undefined;
  }

  #adjust(): void {
    // The list is hidden.
    if (this.#scroller.clientHeight === 0) return;
    if (this.#following) {
      this.#scroller.scrollTop = this.#scroller.scrollHeight;
      this.#end = this.#scroller.scrollTop;
      return;
    }
    if (!this.#anchor?.element.isConnected) return;
    const edge = this.#scroller.getBoundingClientRect().top;
    const moved = this.#anchor.element.getBoundingClientRect().top - edge - this.#anchor.top;
    if (Math.abs(moved) >= 1) this.#scroller.scrollTop += moved;
  }

  #setFollowing(following: boolean, by: 'reader' | 'page'): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#parts.onFollowing(following, by);
  }
}
