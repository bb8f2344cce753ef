import type { FromWebview } from '../protocol/fromWebview.ts';

/** What the page keeps when VS Code discards and restores it: only what the extension host does not know. */
export interface PageState {
  /** What is written in the message box, for `conversation` once one was shown. */
  readonly draft: string;
  readonly conversation?: string;
  /** What is written there for other conversations, the latest last. */
  readonly drafts?: readonly Draft[];
  readonly detailsOpen: boolean;
  /** Messages of the user that are being edited, one in a conversation, each with the draft that was there before. */
  readonly editing?: readonly Editing[];
  /** Summaries of a preview that the user is writing, not yet used. */
  readonly summaries?: readonly SummaryDraft[];
}

/** A change of it; a field that is `undefined` is removed. */
export type PageChange = { readonly [Name in keyof PageState]?: PageState[Name] | undefined };

/** The state of the page after a change. */
export function changePage(page: PageState, change: PageChange): PageState {
  const { draft = page.draft, detailsOpen = page.detailsOpen } = change;
  const { conversation, drafts, editing, summaries }: PageChange = { ...page, ...change };
  return {
    draft,
    detailsOpen,
    ...(conversation !== undefined && { conversation }),
    ...(drafts !== undefined && { drafts }),
    ...(editing !== undefined && { editing }),
    ...(summaries !== undefined && { summaries }),
  };
}

/** The summaries that are being written, after a change of one; without that one when it has no text any more. */
export function withSummary(
  { summaries = [] }: PageState,
  { text, ...of }: Omit<SummaryDraft, 'text'> & { readonly text: string | undefined },
): readonly SummaryDraft[] {
  const others = summaries.filter(({ from }) => from !== of.from);
  return text === undefined ? others : [...others, { ...of, text }];
}

/** What is written in the message box, not yet sent. */
export interface Draft {
  readonly conversation: string;
  readonly draft: string;
}

/** What the user is writing in place of a summary. */
export interface SummaryDraft {
  readonly conversation: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A message that is being edited, with the draft that was there before. */
export interface Editing extends Draft {
  readonly id: number;
}

/** The object that VS Code gives to a webview, once. */
export interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: PageState): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

/** Reads what an earlier page saved; what is missing or of another type is as in a new page. */
export function readPageState(saved: unknown): PageState {
  const fields: Partial<Record<keyof PageState, unknown>> = typeof saved === 'object' && saved !== null ? saved : {};
  return {
    draft: typeof fields.draft === 'string' ? fields.draft : '',
    ...(typeof fields.conversation === 'string' && { conversation: fields.conversation }),
    ...(Array.isArray(fields.drafts) && { drafts: fields.drafts.filter(isDraft) }),
    detailsOpen: fields.detailsOpen === true,
    // An earlier version kept one for all conversations.
    ...(fields.editing !== undefined && { editing: [fields.editing].flat().filter(isEditing) }),
    ...(Array.isArray(fields.summaries) && { summaries: fields.summaries.filter(isSummaryDraft) }),
  };
}

function isDraft(value: unknown): value is Draft {
  const { conversation, draft }: Partial<Record<keyof Draft, unknown>> = Object(value);
  return typeof conversation === 'string' && typeof draft === 'string';
}

function isEditing(value: unknown): value is Editing {
  const { id }: Partial<Record<keyof Editing, unknown>> = Object(value);
  return isDraft(value) && Number.isInteger(id);
}

function isSummaryDraft(value: unknown): value is SummaryDraft {
  const { conversation, from, to, text }: Partial<Record<keyof SummaryDraft, unknown>> = Object(value);
  return typeof conversation === 'string' && Number.isInteger(from) && Number.isInteger(to) && typeof text === 'string';
}
