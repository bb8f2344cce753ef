import type { Connections } from './connections.ts';
import type { ConversationFactory } from './conversationFactory.ts';

/** Makes the factory: what makes conversations alive is most of the code, and activation does not wait for it. */
export async function loadFactory(parts: Connections): Promise<ConversationFactory> {
  // With hooks on its loader, as in the extension host, Node reads and compiles an import at once.
  await new Promise((resolve) => setImmediate(resolve));
  const { ConversationFactory } = await import('./conversationFactory.ts');
  const { diskFolders } = await import('./tools.ts');
  return new ConversationFactory(parts, await parts.adapters.createTools(diskFolders));
}
