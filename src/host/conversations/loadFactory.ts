import type { Connections } from './connections.ts';
import type { ConversationFactory } from './conversationFactory.ts';

/**
 * Loads and makes the factory. What brings conversations to life is most of the code, and activation does not wait for
 * it.
 */
export async function loadFactory(parts: Connections): Promise<ConversationFactory> {
  // Where its loader has hooks, as in the extension host, Node reads and compiles an import synchronously.
  await new Promise((resolve) => setImmediate(resolve));
  const { ConversationFactory } = await import('./conversationFactory.ts');
  const { diskFolders } = await import('./tools.ts');
  return new ConversationFactory(parts, await parts.adapters.createTools(diskFolders));
}
