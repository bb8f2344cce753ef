import type { WindowLog } from './log/windowLog.ts';
import type { Notices } from './notices/notices.ts';
import type { Settings } from './settings/settings.ts';
import type { KarlView } from './view/view.ts';

/** What nearly every part of the host works with. These are made first and know nothing of the others. */
export interface Basics {
  readonly settings: Settings;
  readonly log: WindowLog;
  readonly view: KarlView;
  readonly notices: Notices;
}
