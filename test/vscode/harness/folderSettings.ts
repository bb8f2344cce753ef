import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** The file with the settings of the folder that a window shows. */
export function settingsOf(page: Page): string {
  const folder = new URL(page.url()).searchParams.get('folder');
  if (folder === null) throw new Error('the window shows no folder');
  return path.join(folder, '.vscode/settings.json');
}

/** Writes a file that VS Code watches, so that it never reads half of it. */
export function writeWhole(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.tmp`, text);
  fs.renameSync(`${file}.tmp`, file);
}
