import type { Desk, DeskParts } from './desk.ts';

/** Makes the desk: what makes conversations alive is most of the code, and activation does not wait for it. */
export async function loadDesk(parts: DeskParts): Promise<Desk> {
  // With hooks on its loader, as in the extension host, Node reads and compiles an import at once.
  await new Promise((resolve) => setImmediate(resolve));
  const { Desk } = await import('./desk.ts');
  const { diskFolders } = await import('./tools.ts');
  return new Desk(parts, await parts.adapters.createTools(diskFolders));
}
