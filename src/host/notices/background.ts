import * as vscode from 'vscode';
import type { Output } from '../log/output.ts';
import { plainText } from './plainText.ts';

/** Returns what runs work that nobody waits for: an error that it throws is a bug, and is shown. */
export function background(output: Output): (work: Promise<unknown>) => void {
  return (work) => {
    work.catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      output.say('error', text);
      void vscode.window.showErrorMessage(plainText(`Karl: ${error instanceof Error ? error.message : text}`));
    });
  };
}
