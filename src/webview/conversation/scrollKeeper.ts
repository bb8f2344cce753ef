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
 * Keeps the scroll position of a growing list at the end while the reader is there. Otherwise the browser keeps in place
 * what is being read, whatever grows, shrinks or is inserted above it.
 */
export class ScrollKeeper {
  readonly #scroller: HTMLElement;
  readonly #parts: ScrollKeeperParts;
  #following = true;
  /** The scroll position at the end, pixels. While it is unchanged, the reader has not scrolled, whatever the layout did. */
  #end = -1;

  constructor(scroller: HTMLElement, list: HTMLElement, parts: ScrollKeeperParts) {
    this.#scroller = scroller;
    this.#parts = parts;
    const observer = new ResizeObserver(() => this.#adjust());
    observer.observe(list);
    observer.observe(scroller);
    scroller.addEventListener('scroll', () => this.#remember(), { passive: true });
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

  #remember(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (clientHeight === 0 || (this.#following && scrollTop === this.#end)) return;
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= END_DISTANCE;
    // A reader who asked for the end waits at the end of the list until it arrives.
    this.#setFollowing(isAtEnd && (this.#following || this.#parts.hasEnd()), 'reader');
    // At the very top, the browser would show what comes in above.
    if (scrollTop === 0) this.#scroller.scrollTop = 1;
  }

  #adjust(): void {
    if (!this.#following) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#end = this.#scroller.scrollTop;
  }

  #setFollowing(following: boolean, by: 'reader' | 'page'): void {
    if (following === this.#following) return;
    this.#following = following;
    // At the end the page leads: what the browser corrects there would look like a reader who scrolls.
    this.#scroller.style.overflowAnchor = following ? '' : 'auto';
    this.#parts.onFollowing(following, by);
  }
}
