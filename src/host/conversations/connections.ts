import type { StrategyId } from '../../core/compaction/compaction.ts';
import type { Fanout } from '../../core/events/fanout.ts';
import type { HostAdapters, PrunedThreadStore, ReadKey, Warn } from '../adapters.ts';
import type { LoggedEvent } from '../log/windowLog.ts';
import type { Announcer } from '../notices/announcer.ts';
import type { Cure } from '../notices/describeModelError.ts';
import type { Notices } from '../notices/notices.ts';
import type { LearnedWindows } from '../servers/learnedWindows.ts';
import type { Servers } from '../servers/secrets.ts';
import type { Settings } from '../settings/settings.ts';
import type { ActiveConversation } from './activeConversation.ts';
import type { ConversationFactory } from './conversationFactory.ts';

/** What a conversation is connected to in this window. */
export interface Connections {
  readonly adapters: HostAdapters;
  readonly settings: Settings;
  /** Keeps the conversations of other agents. */
  readonly threadStore: PrunedThreadStore;
  readonly readKey: ReadKey;
  readonly windows: LearnedWindows;
  readonly servers: Servers;
  readonly sinks: Fanout<LoggedEvent>;
  readonly notices: Notices;
  readonly announcer: Announcer;
  /** The conversation that is open now: notices are about it alone. */
  readonly active: () => ActiveConversation | undefined;
  readonly refresh: () => void;
  /** Tells VS Code to ask for the models of its chat again. */
  readonly modelsChanged: () => void;
  readonly warn: Warn;
  /** Runs work that nobody waits for; an error that it throws is shown. */
  readonly run: (work: Promise<unknown>) => void;
  readonly actions: {
    readonly undo: (id: string) => Promise<void>;
    readonly preview: () => Promise<void>;
    readonly compress: (strategy: StrategyId, instructions?: string, inPlaceOf?: string) => Promise<void>;
    readonly mend: (cure: Cure) => Promise<boolean>;
    /** Shows the view; with the id of another agent's conversation, opens that in it. */
    readonly reveal: (thread?: string) => Promise<void>;
  };
}

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
