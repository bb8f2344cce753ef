import type { ViewState } from '../../protocol/viewState.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import type { Shown } from './entries.ts';
import { type Presentation, presentView } from './presenter.ts';
import { type OpenParts, presentOpen } from './presentOpen.ts';
import { NEWEST } from './shownRows.ts';

/** The open conversation, where there is one, and everything else that the view shows. */
export interface PagesInput extends OpenParts, Omit<Presentation, 'open'> {
  readonly active: ActiveConversation | undefined;
}

/**
 * A snapshot for each page, in their order; without a page, one that shows the end. Pages that show the same part get
 * the same snapshot.
 */
export function presentPages(pages: readonly object[], input: PagesInput): readonly [ViewState, ...ViewState[]] {
  const { active, revision, notices } = input;
  const open = active === undefined ? undefined : presentOpen(active, input);
  const made = new Map<Shown, ViewState>();
  const presentTo = (page?: object): ViewState => {
    const shown = (page && active?.shownOn(page)) ?? NEWEST;
    const state = made.get(shown) ?? presentView({ revision, notices, ...(open && { open: { ...open, shown } }) });
    made.set(shown, state);
    return state;
  };
  const [first, ...others] = pages;
  return [presentTo(first), ...others.map(presentTo)];
}
