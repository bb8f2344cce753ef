import * as vscode from 'vscode';
import { speak } from '../core/language.ts';

/**
 * Lets Karl speak VS Code's display language where it has a bundle for it; English otherwise. To be called before
 * anything is said.
 */
export function speakDisplayLanguage(): void {
  const { bundle } = vscode.l10n;
  if (bundle !== undefined) speak(vscode.env.language, bundle);
}
