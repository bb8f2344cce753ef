import { randomUUID } from 'node:crypto';
import { open, readFile, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod/mini';
import { parseJson } from '../../core/chat/parseJson.ts';
import type { Phrase } from '../../core/phrase.ts';
import { sentence } from '../../language/language.ts';
import { replaceFile } from './durableWrite.ts';
import { ageOf, errorCode, unlessMissing } from './storageError.ts';

/** How often the holder touches its lock. Milliseconds. */
const HEARTBEAT_MS = 5_000;

/** A lock not touched for this long belongs to a process that is gone or hangs. Milliseconds. */
const STALE_MS = 30_000;

/** The pause after taking a live holder's lock, so that it can finish an append. Milliseconds. */
const TAKE_OVER_PAUSE_MS = 250;

/** Distinguishes this process from an earlier one with the same number, which containers reuse. */
const INSTANCE = randomUUID();

const lockContent = z.object({ pid: z.number(), host: z.string(), instance: z.string(), token: z.string() });
type LockContent = z.infer<typeof lockContent>;

/** Somebody else writes here: they took the lock, or changed the file although this window holds it. */
export class ForeignWriteError extends Error {
  override readonly name = 'ForeignWriteError';
}

/** A held lock. Whoever replaces the file holds it from then on; the old holder notices at its next check. */
export interface Lock {
  /** The lock was taken from someone who may still be in the middle of a write. */
  readonly wasTaken: boolean;
  /** `gone`: the file was removed and not replaced; `lost`: it is somebody else's now. */
  state(): Promise<'held' | 'gone' | 'lost'>;
  /** Writes the lock again after its folder was removed. False when somebody else has written one. */
  restore(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the lock file at `path`, or says who holds it. Takes locks of dead processes without asking. Throws the file
 * system's error when the file can be neither read nor written.
 */
export async function acquireLock(path: string, takeOver = false): Promise<Lock | { readonly holder: Phrase }> {
  const content: LockContent = { pid: process.pid, host: hostname(), instance: INSTANCE, token: randomUUID() };
  const text = JSON.stringify(content);
  if (await createFile(path, text)) return holdLock(path, content, false);
  const holder = await findHolder(path);
  if (holder !== undefined && !takeOver) return { holder };
  await replaceFile(path, text);
  if (holder !== undefined) await setTimeout(TAKE_OVER_PAUSE_MS);
  return holdLock(path, content, true);
}

/** False when the file exists. Leaves no empty file behind, which would look like a lock being taken. */
async function createFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text);
    return true;
  } catch (error) {
    // What was opened is this window's own.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Who holds the lock at `path`; `undefined` when nobody alive does. */
export async function findHolder(path: string): Promise<Phrase | undefined> {
  const age = await ageOf(path);
  if (age === undefined) return undefined;
  const content = await readLock(path);
  // Created but not yet filled: somebody is taking the lock right now.
  if (content === undefined) return age < STALE_MS ? sentence('another window') : undefined;
  const { pid, host, instance } = content;
  const here = host === hostname();
  if (here && pid === process.pid && instance !== INSTANCE) return undefined;
  if (here && !isAlive(pid)) return undefined;
  if (age >= STALE_MS) return undefined;
  return here ? sentence('another window') : sentence('another window on {0}', host);
}

function holdLock(path: string, content: LockContent, wasTaken: boolean): Lock {
  const state = async (): Promise<'held' | 'gone' | 'lost'> => {
    const found = await readLock(path);
    if (found?.token === content.token) return 'held';
    return (await ageOf(path)) === undefined ? 'gone' : 'lost';
  };
  const beat = async (): Promise<void> => {
    if ((await state()) !== 'held') return;
    const now = new Date();
    await utimes(path, now, now);
  };
  // A failed heartbeat (folder gone, disk read-only) is ignored: the next append fails the same way and reports it.
  const timer = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS);
  timer.unref();
  return {
    wasTaken,
    state,
    restore: async () => (await createFile(path, JSON.stringify(content))) || (await state()) === 'held',
    release: async () => {
      clearInterval(timer);
      if ((await state()) === 'held') await rm(path, { force: true });
    },
  };
}

async function readLock(path: string): Promise<LockContent | undefined> {
  return lockContent.safeParse(parseJson((await unlessMissing(readFile(path, 'utf8'))) ?? '')).data;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
