import type { FromWebview } from '../protocol/viewState.ts';

/** What the page keeps when VS Code discards and restores it: only what the extension host does not know. */
export interface PageState {
  readonly draft: string;
  readonly detailsOpen: boolean;
  /** A message of the user that is being edited, with the draft that was there before. */
  readonly editing?: Editing;
  /** Summaries of a preview that the user is writing, not yet used. */
  readonly summaries?: readonly SummaryDraft[];
}

/** A change of it; a field that is `undefined` is removed. */
export type PageChange = { readonly [Name in keyof PageState]?: PageState[Name] | undefined };

/** The state of the page after a change. */
export function changePage(page: PageState, change: PageChange): PageState {
  const { draft = page.draft, detailsOpen = page.detailsOpen } = change;
  const { editing, summaries } = { editing: page.editing, summaries: page.summaries, ...change };
  return {
    draft,
    detailsOpen,
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

/** What the user is writing in place of a summary. */
export interface SummaryDraft {
  readonly conversation: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A message that is being edited, with the draft that was there before. */
export interface Editing {
  readonly conversation: string;
  readonly id: number;
  readonly draft: string;
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
    detailsOpen: fields.detailsOpen === true,
    ...(isEditing(fields.editing) && { editing: fields.editing }),
    ...(Array.isArray(fields.summaries) && { summaries: fields.summaries.filter(isSummaryDraft) }),
  };
}

function isEditing(value: unknown): value is Editing {
  const { conversation, id, draft }: Partial<Record<keyof Editing, unknown>> = Object(value);
  return typeof conversation === 'string' && Number.isInteger(id) && typeof draft === 'string';
}

function isSummaryDraft(value: unknown): value is SummaryDraft {
  const { conversation, from, to, text }: Partial<Record<keyof SummaryDraft, unknown>> = Object(value);
  return typeof conversation === 'string' && Number.isInteger(from) && Number.isInteger(to) && typeof text === 'string';
}
