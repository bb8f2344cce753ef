import type { FromWebview } from '../protocol/fromWebview.ts';

/** The state that survives when VS Code discards and restores the page: only what the host does not know. */
export interface PageState {
  /** The text in the message box, for `conversation` once one was shown. */
  readonly draft: string;
  readonly conversation: string | undefined;
  /** The drafts of other conversations, newest last. */
  readonly drafts: readonly Draft[];
  readonly detailsOpen: boolean;
  /** The messages that are being edited, at most one per conversation, each with the earlier draft. */
  readonly editing: readonly Editing[];
  /** Summaries that the user is writing in a preview. */
  readonly summaries: readonly SummaryDraft[];
}

/** Unsent text. */
interface Draft {
  readonly conversation: string;
  readonly draft: string;
}

/** A message that is being edited, with the earlier draft. */
interface Editing extends Draft {
  readonly id: number;
}

/** A text that the user is writing in place of a summary. */
export interface SummaryDraft {
  readonly conversation: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The most conversations whose drafts are kept. */
const MOST_DRAFTS = 50;

/** Reads a saved state; missing or invalid fields have their default values. */
export function readPageState(saved: unknown): PageState {
  const { draft, conversation, drafts, detailsOpen, editing, summaries }: Record<keyof PageState, unknown> =
    Object(saved);
  return {
    draft: typeof draft === 'string' ? draft : '',
    conversation: typeof conversation === 'string' ? conversation : undefined,
    drafts: listOf<Draft>(drafts, DRAFT),
    detailsOpen: detailsOpen === true,
    // An earlier version kept one for all conversations.
    editing: listOf<Editing>(editing, { ...DRAFT, id: 0 }),
    summaries: listOf<SummaryDraft>(summaries, { conversation: '', from: 0, to: 0, text: '' }),
  };
}

const DRAFT: Draft = { conversation: '', draft: '' };

/** What of a list has fields of the same types as an example. */
function listOf<T extends object>(saved: unknown, example: T): readonly T[] {
  const hasAll = (value: unknown): value is T =>
    Object.entries(example).every(([name, field]) => typeof Object(value)[name] === typeof field);
  return [saved].flat().filter(hasAll);
}

/** Shows a conversation with its own draft, and stores the previous draft. */
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

/** Begins to edit a message in the message box, and stores the draft. */
export function beginEditing(page: PageState, conversation: string, id: number, text: string): PageState {
  const { draft, editing } = endEditing(page, conversation);
  return { ...page, draft: text, editing: [...editing, { conversation, id, draft }].slice(-MOST_DRAFTS) };
}

/** Ends the editing in a conversation, and restores the draft. */
export function endEditing(page: PageState, conversation: string | undefined): PageState {
  const { draft } = editingIn(page, conversation) ?? page;
  return { ...page, draft, editing: page.editing.filter((one) => one.conversation !== conversation) };
}

/**
 * Puts an unsent message back into the draft: below `returned`, the messages that came back before, and above newer text.
 * A message of another conversation, `of`, is added to the end of that draft.
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

/** Stores the user's text in place of a summary; without text, removes it. */
export function writeSummary(
  page: PageState,
  { text, ...of }: Omit<SummaryDraft, 'text'> & { readonly text: string | undefined },
): PageState {
  const others = page.summaries.filter(({ from }) => from !== of.from);
  return { ...page, summaries: text === undefined ? others : [...others, { ...of, text }] };
}

/** The delay before the host gets written text, since more may follow, milliseconds. */
const WAIT_MS = 300;

/** The longest state that the host gets, characters. */
const LONGEST = 1_000_000;

/** The object that VS Code gives to a webview, once. */
export interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: PageState): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

/** The page whose state is kept. It fires `karl-page-state` when that changes. */
type KeptPage = EventTarget & { page: PageState; restorePage(page: PageState): void };

/** Keeps the texts of the page: in VS Code's webview state at once, and in the host soon after. */
export class PageKeeper {
  readonly #app: KeptPage;
  readonly #vscode: VsCodeApi;
  /** When the initial state was written, milliseconds since 1970; 0 if there was none. */
  readonly #at: number;
  readonly #began: PageState;
  /** The state that the host has, or will get. */
  #told: PageState;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(app: KeptPage, vscode: VsCodeApi) {
    this.#app = app;
    this.#vscode = vscode;
    const saved = vscode.getState();
    this.#at = timeOf(saved);
    this.#began = readPageState(saved);
    this.#told = this.#began;
    app.page = this.#began;
    app.addEventListener('karl-page-state', () => this.#keep());
  }

  /** Restores the host's state of the previous window, if it is newer and nothing was written here since. */
  restore(text: string): void {
    const saved = parse(text);
    if (timeOf(saved) <= this.#at || !isSame(this.#app.page, this.#began)) return;
    this.#app.restorePage(readPageState(saved));
  }

  #keep(): void {
    const saved = { ...this.#app.page, at: Date.now() };
    this.#vscode.setState(saved);
    if (isSame(saved, this.#told)) return;
    this.#told = saved;
    clearTimeout(this.#timer);
    const tell = () => {
      const text = JSON.stringify(saved);
      if (text.length <= LONGEST) this.#vscode.postMessage({ type: 'keep-page', saved: text });
    };
    // A message that was sent must not come back as a draft.
    this.#timer = setTimeout(tell, saved.draft === '' ? 0 : WAIT_MS);
  }
}

/** Whether two states have the same texts. Drafts of other conversations change when another one is shown. */
function isSame(one: PageState, other: PageState): boolean {
  return one.draft === other.draft && one.editing === other.editing && one.summaries === other.summaries;
}

function timeOf(saved: unknown): number {
  const { at }: { at?: unknown } = Object(saved);
  return typeof at === 'number' ? at : 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The file is incomplete or not Karl's: there is nothing to restore.
    return undefined;
  }
}
