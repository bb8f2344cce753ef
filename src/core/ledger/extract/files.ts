import type { Found } from '../found.ts';
import type { FileAction } from '../read/fileAction.ts';
import { fileActions } from '../read/fileActions.ts';
import { changeSucceeded } from '../read/outcome.ts';
import { normalizePath } from '../read/paths.ts';
import type { Reading } from '../read/reading.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** Files that a tool printed. A failed read does not count, since it may name a file that does not exist. */
export function findFilesRead(reading: Reading): Found[] {
  return reading.uses.flatMap((use) =>
    use.result === undefined || (use.result.failed && use.command === undefined)
      ? []
      : fileActions(use)
          .filter((action) => action.kind === 'read')
          .map((action) => fileFact('file-read', action, use)),
  );
}

/** Files that a tool changed, renamed or deleted, unless the result says that it failed. */
export function findFilesChanged(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => {
    const actions = fileActions(use).filter((action) => action.kind !== 'read');
    return actions.length > 0 && changed(use) ? actions.flatMap((action) => changeFacts(action, use)) : [];
  });
}

function changed(use: ToolUse): boolean {
  const { result } = use;
  // Tool use in text has no result of its own: the edit counts as made unless an answer says otherwise.
  if (result === undefined) return use.source !== '' && !use.fromCall;
  if (use.command !== undefined) return !result.failed;
  return !result.failed && changeSucceeded(result.text);
}

function changeFacts(action: FileAction, use: ToolUse): Found[] {
  const fact = fileFact('file-changed', action, use);
  if (action.kind === 'delete') return [{ ...fact, state: 'deleted' }];
  if (action.kind !== 'rename' || action.from === undefined) return [fact];
  return [{ ...fact, state: `renamed from ${action.from}`, replaces: [normalizePath(action.from)] }];
}

function fileFact(kind: 'file-read' | 'file-changed', action: FileAction, use: ToolUse): Found {
  return {
    class: kind,
    value: action.path,
    key: normalizePath(action.path),
    at: use.at,
    by: 'tool',
  };
}
