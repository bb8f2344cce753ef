import type { Editing, PageChange, PageState } from './vscodeApi.ts';

// What is written in the message box and not sent: each conversation has its own.

/** The most conversations whose drafts are kept. */
const MOST_DRAFTS = 50;

/** The change when a conversation is shown: its own draft is in the message box, and the one before is put away. */
export function enterConversation(page: PageState, id: string): PageChange {
  const { conversation, draft, drafts = [] } = page;
  if (conversation === undefined || conversation === id) return { conversation: id };
  const others = drafts.filter((one) => one.conversation !== id && one.conversation !== conversation);
  return {
    conversation: id,
    draft: drafts.find((one) => one.conversation === id)?.draft ?? '',
    drafts: draft === '' ? others : [...others, { conversation, draft }].slice(-MOST_DRAFTS),
  };
}

/** The message that is being edited in a conversation. */
export function editingIn({ editing = [] }: PageState, conversation: string | undefined): Editing | undefined {
  return editing.find((one) => one.conversation === conversation);
}

/** The change when a message is edited: its text is in the message box, and the draft before it is put away. */
export function beginEditing(page: PageState, conversation: string, id: number, text: string): PageChange {
  const { draft } = editingIn(page, conversation) ?? page;
  return {
    draft: text,
    editing: [...otherEditing(page, conversation), { conversation, id, draft }].slice(-MOST_DRAFTS),
  };
}

/** The change when the editing in a conversation ends: what was written before is in the message box again. */
export function endEditing(page: PageState, conversation: string | undefined): PageChange {
  const { draft } = editingIn(page, conversation) ?? page;
  return { draft, editing: otherEditing(page, conversation) };
}

function otherEditing({ editing = [] }: PageState, conversation: string | undefined): readonly Editing[] {
  return editing.filter((one) => one.conversation !== conversation);
}

/**
 * The change when a message comes back that was not sent: above what was written since, below `returned`, what came back
 * before it and is the beginning of the draft. One of another conversation, `of`, goes below the draft of that.
 */
export function takeBack(
  { conversation, draft, drafts = [] }: PageState,
  { text, of = conversation }: { readonly text: string; readonly of?: string | undefined },
  returned: string,
): { readonly change: PageChange; readonly returned: string } {
  if (of !== undefined && conversation !== undefined && of !== conversation) {
    const there = drafts.find((one) => one.conversation === of)?.draft ?? '';
    const others = drafts.filter((one) => one.conversation !== of);
    const both = { conversation: of, draft: there === '' ? text : `${there}\n${text}` };
    return { change: { drafts: [...others, both].slice(-MOST_DRAFTS) }, returned };
  }
  const all = returned === '' ? text : `${returned}\n${text}`;
  const since = returned === '' ? draft : draft.slice(returned.length + 1);
  return { change: { draft: since === '' ? all : `${all}\n${since}` }, returned: all };
}
