import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type ProfileLayer, type ProfileProblem, parseProfileFile } from '../../core/model/profileFile.ts';
import type { Words } from '../../core/phrase.ts';
import { runInSlices } from '../../core/steps.ts';
import { sentence } from '../../language/language.ts';
import { withFile } from './durableWrite.ts';
import { SLICES } from './slices.ts';
import { errorCode } from './storageError.ts';

/** Where a workspace keeps its profiles. */
export const WORKSPACE_PROFILES = '.karl/model-profiles.json';

/** The environment variable that names the user's own file. */
export const PROFILES_VARIABLE = 'KARL_MODEL_PROFILES';

/** A file of profiles is small; anything larger is something else. */
const LARGEST_FILE = 1_000_000;

/**
 * Reads the profile files in the order in which they apply: each workspace folder's, then the one that
 * `KARL_MODEL_PROFILES` names. A workspace need not have such a file; a named file must exist. Pass no folders while the
 * workspace is not trusted.
 */
export async function readProfileFiles(
  folders: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ layers: ProfileLayer[]; problems: ProfileProblem[] }> {
  const layers: ProfileLayer[] = [];
  const problems: ProfileProblem[] = [];
  const read = async (path: string, folder?: string): Promise<void> => {
    const text = await readSmallFile(path);
    if (typeof text === 'string') {
      const parsed = await runInSlices(parseProfileFile(text, path, folder), SLICES);
      layers.push(parsed.layer);
      for (const problem of parsed.problems) problems.push(problem);
    } else if (folder === undefined || !text.missing) problems.push({ source: path, path: '', reason: text.reason });
  };
  for (const folder of folders) await read(join(folder, WORKSPACE_PROFILES), folder);
  const named = environment[PROFILES_VARIABLE];
  if (named === undefined || named === '') return { layers, problems };
  const reason = sentence('must be an absolute path, not {0}', JSON.stringify(named));
  if (isAbsolute(named)) await read(named);
  else problems.push({ source: PROFILES_VARIABLE, path: '', reason });
  return { layers, problems };
}

async function readSmallFile(path: string): Promise<string | { readonly missing: boolean; readonly reason: Words }> {
  try {
    // Open without blocking, then check: a pipe would wait for its writer, and a device may never end.
    return await withFile(await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)), async (file) => {
      const status = await file.stat();
      if (!status.isFile()) return { missing: false, reason: sentence('is not a regular file') };
      const { size } = status;
      if (size > LARGEST_FILE)
        return { missing: false, reason: sentence('is too large for a file of profiles ({0} bytes)', size) };
      return file.readFile('utf8');
    });
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    return {
      missing,
      reason: missing ? sentence('does not exist') : sentence('cannot be read from the disk ({0})', code),
    };
  }
}
