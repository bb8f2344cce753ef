import * as vscode from 'vscode';
import type { RestorePlan } from '../../core/session/workPorts.ts';
import { t, translate } from '../../language/language.ts';
import type { SessionParts } from '../actions/agentSessions.ts';
import type { ActiveConversation } from '../conversations/activeConversation.ts';
import { requireTrust } from '../settings/trust.ts';

/** How many files the question names. */
const MOST_NAMED = 15;

/**
 * Restores the files of the workspace to their state before a turn, or at another moment, if the user confirms the list.
 * The notice afterwards offers to undo it.
 */
export async function restoreFiles(moment: number, parts: SessionParts): Promise<void> {
  const { karl } = parts;
  const { active } = karl;
  const checkpoints = active?.agent?.work.checkpoints;
  if (active === undefined || checkpoints === undefined || !requireTrust()) return;
  const refusal = active.isBusy ? t('Karl is busy. Wait or press Stop.') : active.readOnly;
  if (refusal !== undefined) return karl.tell(translate(refusal));
  const planned = await checkpoints.planRestore(moment);
  if (!planned.ok) return karl.tell(planned.error);
  const { steps } = planned.value;
  if (steps.length === 0) return karl.tell(t('The files are as they were then: there is nothing to restore.'));
  const unsaved = vscode.workspace.textDocuments.find(
    ({ isDirty, uri }) => isDirty && steps.some(({ file }) => file === uri.fsPath),
  );
  if (unsaved !== undefined)
    return karl.tell(t('{0} has unsaved changes. Save or revert it first.', nameOf(unsaved.uri.fsPath)));
  const restore = t('Restore');
  const question = steps.length === 1 ? t('Restore 1 file?') : t('Restore {0} files?', steps.length);
  const detail = describePlan(planned.value);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, restore)) !== restore) return;
  if (active.isBusy || karl.active !== active) return;
  await carryOut(planned.value, active, parts);
}

async function carryOut(plan: RestorePlan, active: ActiveConversation, parts: SessionParts): Promise<void> {
  const { karl, notices, log } = parts;
  const next = active.conversation.transcript.nextId;
  const restored = await active.agent?.work.checkpoints.restore(plan, next);
  if (restored === undefined) return;
  if (!restored.ok) return karl.tell(restored.error);
  const { moment, notRestored } = restored.value;
  if (notRestored.length > 0) karl.tell(t('Not restored: {0}', notRestored.slice(0, MOST_NAMED).join('; ')));
  const count = plan.steps.length - notRestored.length;
  notices.show({
    id: 'restored',
    severity: 'info',
    text: count === 1 ? t('1 file was restored.') : t('{0} files were restored.', count),
    actions: [{ label: t('Undo'), run: () => log.run(restoreFiles(moment, parts)) }],
    passing: true,
  });
}

function describePlan({ steps, notKept, isPart }: RestorePlan): string {
  const named = steps
    .slice(0, MOST_NAMED)
    .map(({ file, hash }) => (hash === null ? t('{0} (removed)', nameOf(file)) : nameOf(file)));
  const lost = notKept.map(nameOf).join(', ');
  return [
    ...named,
    ...(steps.length > MOST_NAMED ? [t('and {0} more', steps.length - MOST_NAMED)] : []),
    '',
    t('All later changes in these files are replaced, including your own. This can be undone.'),
    ...(lost === '' ? [] : [t('Not restored, because they were too large to keep or could not be read: {0}', lost)]),
    ...(isPart
      ? [t('There were too many files to check them all: what commands did to the others is not undone.')]
      : []),
  ].join('\n');
}

function nameOf(file: string): string {
  return vscode.workspace.asRelativePath(file);
}
