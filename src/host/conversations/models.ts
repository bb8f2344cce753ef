import * as vscode from 'vscode';
import type { HostAdapters, ReadKey } from '../../adapters.ts';
import { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange, ConversationOptions } from '../../core/conversation/conversationOptions.ts';
import type { ModelClient } from '../../core/model/modelClient.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { describeProblems, type ProfileProblem } from '../../core/model/profileFile.ts';
import { EDITOR_MODELS, originOf, profileKey } from '../../core/model/providers.ts';
import { type ResolvedProfile, resolveProfile } from '../../core/model/resolve.ts';
import { queueWork } from '../../core/steps.ts';
import type { Encoding, TextCounter } from '../../core/tokens/counter.ts';
import { inEnglish } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import { createEditorModelClient } from '../editorModels/editorModelClient.ts';
import { askEditorModel, findEditorWindow } from '../editorModels/editorModels.ts';
import { type Decision, FolderServers, type NamedServer } from '../servers/folderServers.ts';
import { diskFolders } from '../settings/trust.ts';
import { runHook } from './events.ts';
import { changeForSettings, createModelSummarizer } from './settingsChange.ts';
import { CONVERSATION_PORTS } from './system.ts';

/** The provider of the sample's profile, for which there is no server. */
export const SAMPLE_PROVIDER = 'sample';

/** What is needed to resolve models, to ask them and to count for them. */
export interface ModelParts extends Basics {
  /** Whether the user allows a server that a folder names. */
  readonly decision: Decision;
}

/**
 * What this window knows about models, and what it asks and counts with: the profiles as they were last read, with the
 * settings in force, a client, and a counter for each tokenizer.
 */
export class Models {
  readonly #parts: ModelParts;
  #loaded: Awaited<ReturnType<HostAdapters['loadProfiles']>> = { layers: [], problems: [] };
  readonly #inTurn = queueWork();
  /** Made when they are first needed. */
  readonly #counters = new Map<Encoding, TextCounter>();
  /** For Karl's own requests: asks the models of VS Code itself, and those of servers. */
  readonly client: ModelClient;
  /** Models that take no tool definitions. Forgotten with the window, since a server can be restarted with other options. */
  readonly withoutTools = new Set<string>();

  constructor(parts: ModelParts) {
    this.#parts = parts;
    const servers = parts.adapters.createClient(this.readKey);
    const editor = createEditorModelClient(askEditorModel, parts.adapters.readReply);
    this.client = {
      complete: (request, ...rest) =>
        (request.profile.baseUrl === EDITOR_MODELS ? editor : servers).complete(request, ...rest),
    };
  }

  /**
   * Reads the model profiles; those of the workspace only if it is trusted. New problems are reported in one warning, and
   * the other entries are used. Reads run one after another, so that the newest folders and trust win.
   */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      const { adapters, log } = this.#parts;
      const wanted = this.#settings['profiles.workspaceFile'] && vscode.workspace.isTrusted;
      const known = new Set(this.#loaded.problems.map(nameOf));
      this.#loaded = await adapters.loadProfiles(wanted ? diskFolders().map((folder) => folder.path) : []);
      const added = this.#loaded.problems.filter((problem) => !known.has(nameOf(problem)));
      if (added.length > 0) log.warn(describeProblems(added));
    });
  }

  /** The profile of a model on a server, by default that of the settings. The timeout is the profile's unless one is set. */
  resolve(model: string, server = this.#settings.baseUrl): ResolvedProfile {
    const { requestTimeoutSeconds } = this.#settings;
    const resolved = resolveProfile({ model, ...(server !== '' && { baseUrl: server }) }, this.#servers.usable);
    if (requestTimeoutSeconds === null) return resolved;
    return { ...resolved, profile: { ...resolved.profile, timeoutMs: requestTimeoutSeconds * 1000 } };
  }

  /**
   * The profile with which a stored conversation opens: that of the model in the settings. The sample keeps its own until
   * a message is sent, and so does every conversation while no model is chosen; `matches` is empty then.
   */
  toOpen(stored: ModelProfile | undefined): ResolvedProfile {
    const { model } = this.#settings;
    const isKept = stored !== undefined && (stored.provider === SAMPLE_PROVIDER || model === '');
    return isKept ? { profile: stored, matches: [] } : this.resolve(model);
  }

  /** A server that a folder names for the models of the settings, about which the user has not decided. */
  async findUndecidedServer(): Promise<NamedServer | undefined> {
    await this.load();
    const { model, 'summary.model': summary } = this.#settings;
    return this.#servers.findUndecided(summary === '' ? [model] : [model, summary]);
  }

  /** A server that only a folder names gets no key, even if the user has one for it. */
  readonly readKey: ReadKey = async (origin) =>
    this.#servers.isForeign(origin) ? undefined : await this.#parts.readKey(origin);

  /** Asks the server for the window that the model really has, or VS Code for that of one of its own. Never rejects. */
  readonly discoverWindow: HostAdapters['discoverWindow'] = (profile, readKey, signal) =>
    profile.baseUrl === EDITOR_MODELS
      ? findEditorWindow(profile, signal)
      : this.#parts.adapters.discoverWindow(profile, readKey, signal);

  /** The counter for the tokenizer of a model. */
  counter({ encoding = 'o200k_base' }: ModelProfile): TextCounter {
    const counter = this.#counters.get(encoding) ?? this.#parts.adapters.createCounter(encoding, this.#parts.log.warn);
    this.#counters.set(encoding, counter);
    return counter;
  }

  /** Opens a conversation with the settings in force. Its summarizer follows from `changeFor`. */
  async open(
    id: string,
    profile: ModelProfile,
    more: Pick<ConversationOptions, 'tools' | 'learnedWindow' | 'restore'>,
  ): Promise<Conversation> {
    return await Conversation.open({
      ...changeForSettings(this.#settings),
      ...more,
      profile,
      counter: this.counter(profile),
      acceptedSizes: this.#parts.windows.accepted,
      beforeCompact: async (about, signal) => {
        const verdict = await runHook(this.#parts, { hook: 'beforeCompact', conversation: id, ...about }, signal);
        return verdict.kind === 'veto' ? verdict.reason : undefined;
      },
      ports: CONVERSATION_PORTS,
    });
  }

  /**
   * What the settings determine in a conversation with a model, including the summarizer with the model of
   * `karl.summary.model` or of the session: none without a server, nor in an untrusted workspace, where no model is
   * asked. `client`: that of another server, if the conversation belongs to one; its text goes only there then, whatever
   * model the settings name.
   */
  changeFor(profile: ModelProfile, owner: Conversation | undefined, client = this.client): ConversationChange {
    const change = changeForSettings(this.#settings);
    if (profile.baseUrl === undefined || !vscode.workspace.isTrusted) return { ...change, summarizer: undefined };
    const named = this.#settings['summary.model'];
    const other = named === '' ? profile : this.resolve(named).profile;
    const isElsewhere = originOf(other.baseUrl ?? '') !== originOf(profile.baseUrl);
    const chosen = client !== this.client && isElsewhere ? profile : other;
    const findWindow = () => {
      const isOwn = owner !== undefined && profileKey(owner.profile()) === profileKey(chosen);
      return this.#parts.windows.known(chosen, isOwn ? owner.learnedWindow() : undefined);
    };
    return { ...change, summarizer: createModelSummarizer(client, chosen, findWindow) };
  }

  get #settings() {
    return this.#parts.settings.current;
  }

  get #servers(): FolderServers {
    return new FolderServers(this.#loaded.layers, this.#settings.baseUrl, this.#parts.decision);
  }
}

function nameOf(problem: ProfileProblem): string {
  return inEnglish(describeProblems([problem]));
}
