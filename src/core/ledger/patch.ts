import type { FileAction } from './files.ts';

const PATCH_LINE =
  /^(?:\*\*\* (Add|Update|Delete) File: (.+)|\*\*\* (Move) to: (.+)|(\+\+\+|---) (?:[ab]\/)?([^\t\n]+)(?:\t.*)?|rename (from|to) (.+))$/;
/** How such a line begins; lines of a patch that begin otherwise are not looked at any further. */
const PATCH_MARKS = ['*** ', '+++ ', '--- ', 'rename '];

/** True for text that is a patch: the `*** Begin Patch` envelope or a unified diff. */
export function isPatch(text: string): boolean {
  return /^\*\*\* (?:Begin Patch|Add File|Update File|Delete File)/m.test(text) || /^--- .+\n\+\+\+ .+\n@@/m.test(text);
}

/** The files that a patch adds, changes, renames or deletes, in order. */
export function patchActions(text: string): FileAction[] {
  const actions: FileAction[] = [];
  let old: string | undefined;
  for (const line of text.split('\n')) {
    const match = PATCH_MARKS.some((mark) => line.startsWith(mark)) ? PATCH_LINE.exec(line) : null;
    if (match === null) continue;
    const [, verb, file, moved, target, side, sideFile, renamed, renamedFile] = match;
    if (verb !== undefined && file !== undefined) {
      actions.push({ kind: verb === 'Delete' ? 'delete' : 'change', path: file.trim() });
    } else if (moved !== undefined && target !== undefined) {
      const from = actions.pop();
      actions.push({ kind: 'rename', path: target.trim(), ...(from === undefined ? {} : { from: from.path }) });
    } else if (side !== undefined && sideFile !== undefined) {
      const path = sideFile.trim();
      if (side === '---') old = path;
      else if (path !== '/dev/null') actions.push({ kind: 'change', path });
      else if (old !== undefined) actions.push({ kind: 'delete', path: old });
    } else if (renamed === 'from' && renamedFile !== undefined) {
      old = renamedFile.trim();
    } else if (renamed === 'to' && renamedFile !== undefined) {
      actions.push({ kind: 'rename', path: renamedFile.trim(), ...(old === undefined ? {} : { from: old }) });
    }
  }
  return actions;
}

/** The lines that a patch adds or removes, without their signs. None for text that is not a patch. */
export function changedLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^[+-](?![+-]{2})/.test(line) || line.startsWith('@@'))
    .map((line) => (line.startsWith('@@') ? line.replace(/^@@[^@]*@@/, '') : line.slice(1)))
    .join('\n');
}
