import { ok, type Result } from '../../../core/result.ts';
import type { WorkspaceFolder } from './pathRules.ts';
import { findInWorkspace, type WorkspacePath } from './workspacePath.ts';

/** Where a listing or a search begins: the place asked for, or every folder of the workspace. */
export async function findStartPlaces(
  folders: readonly WorkspaceFolder[],
  wanted: string | undefined,
): Promise<Result<readonly WorkspacePath[], string>> {
  const everywhere = wanted === undefined || ['', '.', './'].includes(wanted);
  const names = everywhere && folders.length > 1 ? folders.map(({ name }) => name) : [everywhere ? '.' : wanted];
  const places: WorkspacePath[] = [];
  for (const name of names) {
    const place = await findInWorkspace(folders, name);
    if (!place.ok) return place;
    places.push(place.value);
  }
  return ok(places);
}
