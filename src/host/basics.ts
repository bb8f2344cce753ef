import type * as vscode from 'vscode';
import type { HostAdapters, ReadKey } from '../adapters.ts';
import type { WindowLog } from './log/windowLog.ts';
import type { Notices } from './notices/notices.ts';
import type { Windows } from './servers/windows.ts';
import type { Settings } from './settings/settings.ts';
import type { KarlView } from './view/view.ts';

/** What nearly every part of the host works with. These are made first and know nothing of the others. */
export interface Basics {
  readonly adapters: HostAdapters;
  /** VS Code's memory of the workspace. */
  readonly memory: vscode.Memento;
  /** The user's key for an origin. */
  readonly readKey: ReadKey;
  readonly settings: Settings;
  readonly log: WindowLog;
  readonly view: KarlView;
  readonly notices: Notices;
  readonly windows: Windows;
}
