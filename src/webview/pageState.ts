import type { FromWebview } from '../protocol/fromWebview.ts';

/** The state that survives when VS Code discards and restores the page: only what the host does not know. */
export interface PageState {
  /** What is written and not sent, by conversation, newest last. */
  readonly texts: readonly Texts[];
}

/** The unsent texts of a conversation. */
interface Texts {
  /** Its id; '' for what was written while none was open. */
  readonly conversation: string;
  /** The text in the message box. */
  readonly draft: string;
  /** The message that is being edited there, with the earlier draft. */
  readonly editing?: { readonly id: number; readonly draft: string } | undefined;
  /** Summaries that the user is writing in a preview. */
  readonly summaries: readonly SummaryDraft[];
  /** The messages at the beginning of the draft that were not sent and came back. */
  readonly returned?: string;
}

/** A text that the user is writing in place of a summary. */
export interface SummaryDraft {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The preview has it. It is kept for a preview after a reload. */
  readonly isUsed?: boolean;
}

/** The most conversations whose texts are kept. */
const MOST_CONVERSATIONS = 50;

/** Reads a saved state; missing or invalid fields have their default values. */
export function readPageState(saved: unknown): PageState {
  const { texts, draft }: Record<string, unknown> = Object(saved);
  // Version 0.1.0 kept one draft, of whichever conversation was open.
  return { texts: [texts ?? { conversation: '', draft }].flat().flatMap(readTexts) };
}

function readTexts(saved: unknown): readonly Texts[] {
  const { conversation, draft, editing, summaries }: Record<keyof Texts, unknown> = Object(saved);
  if (typeof conversation !== 'string' || typeof draft !== 'string') return [];
  const [edited] = listOf(editing, { id: 0, draft: '' });
  return [{ conversation, draft, editing: edited, summaries: listOf(summaries, { from: 0, to: 0, text: '' }) }];
}

/** The items whose fields have the example's types. */
function listOf<T extends object>(saved: unknown, example: T): readonly T[] {
  const hasAll = (value: unknown): value is T =>
    Object.entries(example).every(([name, field]) => typeof Object(value)[name] === typeof field);
  return [saved].flat().filter(hasAll);
}

/** The same object each time, so that nothing is drawn again. */
const NOTHING = { draft: '', summaries: [] } as const;

/** The texts of a conversation. The first one that is shown gets those that were written while none was open. */
export function textsOf({ texts }: PageState, conversation = ''): Texts {
  const find = (id: string) => texts.find((one) => one.conversation === id);
  return find(conversation) ?? { ...NOTHING, ...find(''), conversation };
}

/** Changes the texts of a conversation. */
export function write(page: PageState, conversation: string | undefined, change: Partial<Texts>): PageState {
  const changed = { ...textsOf(page, conversation), ...change };
  const isNew = page.texts.every((one) => one.conversation !== changed.conversation);
  const isGone = (id: string) => id === changed.conversation || (id === '' && isNew);
  const others = page.texts.filter((one) => !isGone(one.conversation));
  const isEmpty = changed.draft === '' && changed.editing === undefined && changed.summaries.length === 0;
  return { texts: isEmpty ? others : [...others, changed].slice(-MOST_CONVERSATIONS) };
}

/** Begins to edit a message in the message box, and stores the draft. */
export function beginEditing(page: PageState, conversation: string, id: number, text: string): PageState {
  const { draft } = textsOf(endEditing(page, conversation), conversation);
  return write(page, conversation, { draft: text, editing: { id, draft } });
}

/** Ends the editing in a conversation, and restores the draft. */
export function endEditing(page: PageState, conversation: string | undefined): PageState {
  const { draft, editing } = textsOf(page, conversation);
  return write(page, conversation, { draft: editing?.draft ?? draft, editing: undefined });
}

/** Puts an unsent message back into the draft: below those that came back before, and above newer text. */
export function takeBack(page: PageState, conversation: string | undefined, text: string): PageState {
  const { draft, returned = '' } = textsOf(page, conversation);
  const isThere = returned !== '' && (draft === returned || draft.startsWith(`${returned}\n`));
  const all = isThere ? `${returned}\n${text}` : text;
  const since = isThere ? draft.slice(returned.length + 1) : draft;
  return write(page, conversation, { draft: since === '' ? all : `${all}\n${since}`, returned: all });
}

/** Stores the user's text in place of a summary; without text, removes it. */
export function writeSummary(
  page: PageState,
  conversation: string | undefined,
  { text, ...range }: Omit<SummaryDraft, 'text'> & { readonly text: string | undefined },
): PageState {
  const others = textsOf(page, conversation).summaries.filter(({ from }) => from !== range.from);
  return write(page, conversation, { summaries: text === undefined ? others : [...others, { ...range, text }] });
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
type KeptPage = EventTarget & { page: PageState };

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
    this.#app.page = readPageState(saved);
    this.#keep();
  }

  #keep(): void {
    const saved = { ...this.#app.page, at: Date.now() };
    this.#vscode.setState(saved);
    if (isSame(saved, this.#told)) return;
    clearTimeout(this.#timer);
    const tell = () => {
      const text = JSON.stringify(saved);
      if (text.length <= LONGEST) this.#vscode.postMessage({ type: 'keep-page', saved: text });
    };
    // A message that was sent must not come back as a draft.
    const isSent = ({ conversation, draft }: Texts) => draft !== '' && textsOf(saved, conversation).draft === '';
    const isUrgent = this.#told.texts.some(isSent);
    this.#told = saved;
    this.#timer = setTimeout(tell, isUrgent ? 0 : WAIT_MS);
  }
}

function isSame(one: PageState, other: PageState): boolean {
  return JSON.stringify(one.texts) === JSON.stringify(other.texts);
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
