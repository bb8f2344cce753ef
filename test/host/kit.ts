import { DEFAULT_SETTINGS } from '../../src/core/session/settings.ts';
import type { Host } from '../../src/host/host.ts';
import { Notices } from '../../src/host/notices/notices.ts';

const ignore = () => undefined;

/** A host that has these parts, the default settings, and notices; it has nothing else. */
export function hostOf(parts: object = {}): Host {
  const log = { run: ignore, warn: ignore, note: ignore };
  const settings = { current: DEFAULT_SETTINGS };
  const host = { refresh: ignore, modelsChanged: ignore, notices: new Notices(ignore), log, settings };
  // What the parts say with a getter stays as it is.
  return Object.setPrototypeOf(parts, host) as Host;
}
