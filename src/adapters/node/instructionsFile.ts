import { decoderOf, openTextFile } from './workspaceTools/openTextFile.ts';
import type { WorkspaceFolder } from './workspaceTools/pathRules.ts';
import { findInWorkspace } from './workspaceTools/workspacePath.ts';

/** The number of bytes read from a file at most: more than any prompt uses. */
const MOST_BYTES = 256_000;

/**
 * A text file at the top of a workspace folder, cut when it is huge; `undefined` when there is none that can be read.
 * It is sent to the model unasked, so the rules of the file tools apply: no link that leaves the folder, no pipe, no
 * device.
 */
export async function readInstructionsFile(folder: WorkspaceFolder, name: string): Promise<string | undefined> {
  const place = await findInWorkspace([folder], name);
  if (!place.ok) return undefined;
  const file = await openTextFile(place.value);
  if (!file.ok) return undefined;
  const { handle, encoding } = file.value;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return decoderOf(encoding).decode(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
