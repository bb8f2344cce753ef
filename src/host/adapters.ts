import type { AgentCompaction } from '../core/conversation/agentRecords.ts';
import type { ConversationState } from '../core/conversation/conversationOptions.ts';
import type { Sentence, Words } from '../core/language.ts';
import type { ChatMessage } from '../core/messages/chat.ts';
import type { LearnedWindow } from '../core/model/budget.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import type { Result } from '../core/result.ts';
import type { ConversationStore, StorageLimits } from '../core/session/conversationStore.ts';
import type { RunHook } from '../core/session/hooks.ts';
import type { ModelClient } from '../core/session/modelClient.ts';
import type { Relay } from '../core/session/relay/relay.ts';
import type { ThreadStore, ThreadStoreProblem } from '../core/session/threads/threadStore.ts';
import type { Tool } from '../core/session/tools.ts';
import type { Restored, RestorePlan, WorkPorts } from '../core/session/workPorts.ts';
import type { Encoding, TextCounter } from '../core/tokens/counter.ts';
import type { LoadedProfiles } from './conversations/modelProfiles.ts';
import type { LogPort } from './log/windowLog.ts';

/** Reads the key for an origin; `undefined` for a server without one. */
export type ReadKey = (origin: string) => Promise<string | undefined>;

/** Warns the user, in one sentence. */
export type Warn = (message: Words) => void;

/** A folder that tools may read. */
export interface ToolFolder {
  readonly name: string;
  readonly path: string;
}

/** The tools of Karl's own agent. */
export interface ToolKit {
  /** Those that read the workspace. */
  readonly readers: readonly Tool[];
  /** Makes those that change it, for one conversation stored below `root`. */
  readonly createWork: (root: string, conversation: string, ports: WorkPorts) => Work;
}

/** The tools that change the workspace, and what they keep, for one conversation. */
export interface Work {
  readonly tools: readonly Tool[];
  readonly checkpoints: {
    /** The messages that began turns which changed files. */
    turns(): Promise<Result<ReadonlySet<number>, string>>;
    /** Plans how to restore the files to their state at a moment. */
    planRestore(moment: number): Promise<Result<RestorePlan, string>>;
    /** Carries out a plan before message number `next`, as far as possible. */
    restore(plan: RestorePlan, next: number): Promise<Result<Restored, string>>;
  };
  /** Ends running commands. */
  close(): void;
}

/** Reads a text file at the top of a folder; `undefined` if there is none that may be read. */
export type ReadInstructions = (folder: ToolFolder, name: string) => Promise<string | undefined>;

/** What a server says about a model's window. */
export interface ServedWindow {
  /** Absent if it does not say. */
  readonly window?: LearnedWindow;
  /** The server silently drops the oldest messages of a request that is too long. */
  readonly dropsOldest: boolean;
}

/** Why a server could not be asked: one sentence for the user, and the HTTP status if it answered. */
export interface ServerRefusal {
  readonly kind: 'invalid-url' | 'cancelled' | 'unreachable' | 'refused';
  readonly status?: number;
  readonly message: Words;
}

/** The chat models of a server, undefined if it lists no models at all; or why it could not be asked. */
export type ListedModels = Result<readonly string[] | undefined, ServerRefusal>;

/** A server that answered at one of the usual ports of this machine. */
export interface FoundServer {
  readonly label?: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly needsKey: boolean;
}

/** Keeps the conversations of other agents, within the limits. */
export interface PrunedThreadStore extends ThreadStore {
  /** Deletes what exceeds the limits, oldest first; never what is in memory. */
  prune(limits: StorageLimits): Promise<Result<readonly string[], ThreadStoreProblem>>;
  delete(id: string): Promise<Result<void, ThreadStoreProblem>>;
}

/** The options of a gateway. */
interface GatewayStart {
  /** 0 = a free one. */
  readonly port: number;
  readonly token: string;
  readonly relay: Relay;
  readonly listModels: (signal: AbortSignal) => Promise<Result<unknown, string>>;
  readonly readKey: ReadKey;
  /** Called once for each thing in agents' requests that cannot be translated for the model's server. */
  readonly onLoss: (sentence: string) => void;
  readonly onBug: (error: unknown) => void;
  /** Further host names under which it can be reached; may grow. */
  readonly hosts: ReadonlySet<string>;
}

/** A running gateway. */
export interface RunningGateway {
  /** The base URL for clients on this machine. */
  readonly url: string;
  close(): Promise<void>;
}

/** A session that an agent has stored on this machine. */
export interface StoredSession {
  readonly file: string;
  /** The name of its format, and the agent's own name. */
  readonly agent: string;
  readonly agentTitle: string;
  readonly title: string;
  readonly folder: string | undefined;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Of the last request and its answer, if the file says so. */
  readonly tokens: number | undefined;
  readonly model: string | undefined;
  /** Tokens, where the file tells. */
  readonly window: number | undefined;
}

/** The sessions that were used last, of how many, and the folders that could not be read. */
export interface StoredSessions {
  readonly sessions: readonly StoredSession[];
  readonly all: number;
  readonly unread: readonly string[];
}

/** What a stored session holds. */
export interface SessionContent {
  /** The name of its format, and the agent's own name. */
  readonly agent: string;
  readonly agentTitle: string;
  readonly title: string | undefined;
  readonly messages: readonly ChatMessage[];
  /** Where its agent compacted it itself, oldest first. */
  readonly compactions: readonly AgentCompaction[];
  /** What was skipped or repaired, each a sentence. */
  readonly repairs: readonly string[];
}

/** A session that was compressed into a new one. */
export interface RescuedSession {
  /** Tokens. */
  readonly before: { readonly tokens: number };
  readonly after: { readonly tokens: number };
  /** The folder and the command in which to continue. */
  readonly folder: string;
  readonly resume: string;
  /** How many keys and tokens were masked. */
  readonly masked: number;
  /** Messages of the original that came after those that were open here. */
  readonly newer: number;
}

/** How a session is rescued. */
export interface RescueRequest {
  /** The agent that goes on, by the name of its format. */
  readonly for: string;
  /** Tokens. */
  readonly window: number;
  readonly signal: AbortSignal;
  /** Of a session that is open here: the conversation, with what was restored in it. */
  readonly made: Pick<ConversationState, 'messages' | 'compactions' | 'pins'> | undefined;
}

/** Compresses sessions into new ones that agents can resume. */
export interface SessionRescue {
  /** The agents for which this works. */
  readonly listRescuers: () => readonly { readonly name: string; readonly title: string }[];
  /** The window, tokens, that the agent of a session works with. */
  readonly usualWindow: (session: {
    readonly window: number | undefined;
    readonly model: string | undefined;
  }) => number;
  /** Makes a new session; the original is only read. The error is one sentence. Rejects only with the reason of the signal. */
  readonly tryRescue: (file: string, options: RescueRequest) => Promise<Result<RescuedSession, string>>;
}

/** An agent that Karl can start in a terminal, and what its process is given. */
export interface StartableAgent {
  /** As `karl wrap` knows it. */
  readonly name: string;
  readonly title: string;
  /** The npm package that brings it. */
  readonly package: string;
  /** Undefined if it is not installed. */
  readonly program?: string | undefined;
  /** What would keep it from asking the gateway. */
  readonly problem?: Sentence | undefined;
  readonly prepare: (gateway: { readonly address: string; readonly token: string; readonly model: string }) => {
    readonly environment: Readonly<Record<string, string>>;
    readonly words: readonly string[];
    /** Removes the files that were written for it. */
    readonly remove: () => void;
  };
}

/** The outside world, as the composition root passes it to the host. Nothing here does work before it is called. */
export interface HostAdapters {
  /** The user's home folder. */
  readonly home: string;
  /** Whether to open the sample conversation at start. */
  readonly openSample: boolean;
  readonly createStore: (root: string) => ConversationStore;
  /** Stores the conversations of other agents; `warn` is told of damage found in the files. */
  readonly createThreadStore: (root: string, warn: Warn) => PrunedThreadStore;
  readonly createLog: (directory: string, warn: Warn) => LogPort;
  readonly createCounter: (encoding: Encoding, warn: Warn) => TextCounter;
  readonly createClient: (readKey: ReadKey) => ModelClient;
  readonly loadTools: (folders: () => readonly ToolFolder[]) => Promise<ToolKit>;
  readonly readInstructions: ReadInstructions;
  /** Asks a server for its chat models, which also tests the connection. Never rejects. */
  readonly listModels: (baseUrl: string, readKey: ReadKey, signal: AbortSignal) => Promise<ListedModels>;
  /** Looks for servers at the usual ports of this machine, without sending a key. Never rejects. */
  readonly findServers: (signal: AbortSignal) => Promise<readonly FoundServer[]>;
  /** Asks the server for the model's actual window. Never rejects. */
  readonly discoverWindow: (profile: ModelProfile, readKey: ReadKey, signal: AbortSignal) => Promise<ServedWindow>;
  /** The server's list of models, unchanged. Never rejects; the error is one sentence. */
  readonly askForModels: (baseUrl: string, readKey: ReadKey, signal: AbortSignal) => Promise<Result<unknown, string>>;
  /** Starts a gateway for other agents on 127.0.0.1. Never rejects; the error is one sentence. */
  readonly startGateway: (start: GatewayStart) => Promise<Result<RunningGateway, Words>>;
  /** The agents that can be started behind the gateway. */
  readonly listAgents: () => Promise<readonly StartableAgent[]>;
  /** The sessions of agents on this machine, newest first, at most `most`. */
  readonly listSessions: (most: number) => Promise<StoredSessions>;
  /** The files that look like sessions and have this name and size. */
  readonly findSessionFiles: (name: string, bytes: number) => Promise<readonly string[]>;
  /** Reads a session; the error is one sentence. Rejects only with the reason of the signal. */
  readonly readSession: (
    file: string,
    options: { readonly signal: AbortSignal; readonly onProgress: (read: number, all: number) => void },
  ) => Promise<Result<SessionContent, string>>;
  /** Summarizes a session from the start and end of its file; undefined if the file is no session. */
  readonly glanceAtSession: (file: string) => Promise<StoredSession | undefined>;
  readonly rescue: () => Promise<SessionRescue>;
  readonly runHook: RunHook;
  /** Reads the user's model profiles, and those in `folders`. Never rejects. */
  readonly loadProfiles: (folders: readonly string[]) => Promise<LoadedProfiles>;
}
