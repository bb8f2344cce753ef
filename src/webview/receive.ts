import type { ToWebview } from '../protocol/viewState.ts';

const LISTS = ['entries', 'compressions', 'queued', 'attachments', 'notices'] as const;

/**
 * Checks the structure of what arrives in the page, enough to draw it without a crash. This is no security boundary:
 * only messages of the page's own host come here, and every text in them is treated as data anyway.
 */
export function readToWebview(value: unknown): ToWebview | undefined {
  if (
    isState(value) ||
    isExpanded(value) ||
    isEdit(value) ||
    isUnsent(value) ||
    isRestore(value) ||
    isFound(value) ||
    isCompletions(value) ||
    isBare(value)
  )
    return value;
  return undefined;
}

function isState(value: unknown): value is Extract<ToWebview, { type: 'state' }> {
  if (!isRecord(value) || value.type !== 'state') return false;
  const state = value.state;
  return (
    isRecord(state) &&
    Number.isInteger(value.received) &&
    Number.isInteger(state.revision) &&
    Number.isInteger(state.earlier) &&
    Number.isInteger(state.later) &&
    isRecord(state.activity) &&
    LISTS.every((list) => Array.isArray(state[list]))
  );
}

function isExpanded(value: unknown): value is Extract<ToWebview, { type: 'expanded' }> {
  return (
    isRecord(value) &&
    value.type === 'expanded' &&
    typeof value.key === 'string' &&
    Array.isArray(value.texts) &&
    value.texts.every((text) => typeof text === 'string')
  );
}

function isEdit(value: unknown): value is Extract<ToWebview, { type: 'edit' }> {
  return isRecord(value) && value.type === 'edit' && Number.isInteger(value.id) && typeof value.text === 'string';
}

function isUnsent(value: unknown): value is Extract<ToWebview, { type: 'unsent' }> {
  if (!isRecord(value) || value.type !== 'unsent' || typeof value.text !== 'string') return false;
  return value.of === undefined || typeof value.of === 'string';
}

function isRestore(value: unknown): value is Extract<ToWebview, { type: 'restore' }> {
  return isRecord(value) && value.type === 'restore' && typeof value.saved === 'string';
}

function isFound(value: unknown): value is Extract<ToWebview, { type: 'found' }> {
  return (
    isRecord(value) &&
    value.type === 'found' &&
    typeof value.text === 'string' &&
    Array.isArray(value.rows) &&
    value.rows.every((row) => isRecord(row) && typeof row.key === 'string' && Number.isInteger(row.id))
  );
}

function isCompletions(value: unknown): value is Extract<ToWebview, { type: 'completions' }> {
  return (
    isRecord(value) &&
    value.type === 'completions' &&
    typeof value.text === 'string' &&
    Array.isArray(value.paths) &&
    value.paths.every((path) => typeof path === 'string')
  );
}

const BARE = ['focus', 'find', 'contents', 'edited'] as const;

function isBare(value: unknown): value is Extract<ToWebview, { type: (typeof BARE)[number] }> {
  return isRecord(value) && BARE.some((type) => type === value.type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
