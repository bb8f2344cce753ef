/** What the page keeps when VS Code discards and restores it: only what the extension host does not know. */
export interface PageState {
  /** What is written in the message box, for `conversation` once one was shown. */
  readonly draft: string;
  readonly conversation: string | undefined;
  /** What is written there for other conversations, the latest last. */
  readonly drafts: readonly Draft[];
  readonly detailsOpen: boolean;
  /** Messages of the user that are being edited, one in a conversation, each with the draft that was there before. */
  readonly editing: readonly Editing[];
  /** Summaries of a preview that the user is writing, not yet used. */
  readonly summaries: readonly SummaryDraft[];
}

/** What is written in the message box, not yet sent. */
interface Draft {
  readonly conversation: string;
  readonly draft: string;
}

/** A message that is being edited, with the draft that was there before. */
interface Editing extends Draft {
  readonly id: number;
}

/** What the user is writing in place of a summary. */
export interface SummaryDraft {
  readonly conversation: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The most conversations whose drafts are kept. */
const MOST_DRAFTS = 50;

/** Reads what an earlier page saved; what is missing or of another type is as in a new page. */
export function readPageState(saved: unknown): PageState {
  const { draft, conversation, drafts, detailsOpen, editing, summaries }: Record<keyof PageState, unknown> =
    Object(saved);
  return {
    draft: typeof draft === 'string' ? draft : '',
    conversation: typeof conversation === 'string' ? conversation : undefined,
    drafts: [drafts].flat().filter(isDraft),
    detailsOpen: detailsOpen === true,
    // An earlier version kept one for all conversations.
    editing: [editing].flat().filter(isEditing),
    summaries: [summaries].flat().filter(isSummaryDraft),
  };
}

function isDraft(value: unknown): value is Draft {
  const { conversation, draft }: Record<keyof Draft, unknown> = Object(value);
  return typeof conversation === 'string' && typeof draft === 'string';
}

function isEditing(value: unknown): value is Editing {
  const { id }: Record<keyof Editing, unknown> = Object(value);
  return isDraft(value) && Number.isInteger(id);
}

function isSummaryDraft(value: unknown): value is SummaryDraft {
  const { conversation, from, to, text }: Record<keyof SummaryDraft, unknown> = Object(value);
  return typeof conversation === 'string' && Number.isInteger(from) && Number.isInteger(to) && typeof text === 'string';
}

/** A conversation is shown: its own draft is in the message box, and the one before is put away. */
export function enterConversation(page: PageState, id: string): PageState {
  const { conversation, draft, drafts } = page;
  if (conversation === undefined || conversation === id) return { ...page, conversation: id };
  const others = drafts.filter((one) => one.conversation !== id && one.conversation !== conversation);
  return {
    ...page,
    conversation: id,
    draft: drafts.find((one) => one.conversation === id)?.draft ?? '',
    drafts: draft === '' ? others : [...others, { conversation, draft }].slice(-MOST_DRAFTS),
  };
}

/** The message that is being edited in a conversation. */
export function editingIn({ editing }: PageState, conversation: string | undefined): Editing | undefined {
  return editing.find((one) => one.conversation === conversation);
}

/** A message is edited: its text is in the message box, and the draft before it is put away. */
export function beginEditing(page: PageState, conversation: string, id: number, text: string): PageState {
  const { draft, editing } = endEditing(page, conversation);
  return { ...page, draft: text, editing: [...editing, { conversation, id, draft }].slice(-MOST_DRAFTS) };
}

/** The editing in a conversation ends: what was written before is in the message box again. */
export function endEditing(page: PageState, conversation: string | undefined): PageState {
  const { draft } = editingIn(page, conversation) ?? page;
  return { ...page, draft, editing: page.editing.filter((one) => one.conversation !== conversation) };
}

/**
 * A message comes back that was not sent: above what was written since, below `returned`, what came back before it and is
 * the beginning of the draft. One of another conversation, `of`, goes below the draft of that.
 */
export function takeBack(
  page: PageState,
  { text, of = page.conversation }: { readonly text: string; readonly of?: string | undefined },
  returned: string,
): { readonly page: PageState; readonly returned: string } {
  const { conversation, draft, drafts } = page;
  if (of !== undefined && conversation !== undefined && of !== conversation) {
    const there = drafts.find((one) => one.conversation === of)?.draft ?? '';
    const others = drafts.filter((one) => one.conversation !== of);
    const both = { conversation: of, draft: there === '' ? text : `${there}\n${text}` };
    return { page: { ...page, drafts: [...others, both].slice(-MOST_DRAFTS) }, returned };
  }
  const all = returned === '' ? text : `${returned}\n${text}`;
  const since = returned === '' ? draft : draft.slice(returned.length + 1);
  return { page: { ...page, draft: since === '' ? all : `${all}\n${since}` }, returned: all };
}

/** The user writes in place of a summary; without text, no longer. */
export function writeSummary(
  page: PageState,
  { text, ...of }: Omit<SummaryDraft, 'text'> & { readonly text: string | undefined },
): PageState {
  const others = page.summaries.filter(({ from }) => from !== of.from);
  return { ...page, summaries: text === undefined ? others : [...others, { ...of, text }] };
}
