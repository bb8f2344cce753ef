import * as vscode from 'vscode';
import { inEnglish } from '../../core/language.ts';
import { FolderServers, type NamedServer } from '../../core/model/folderServers.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { describeProblems, type ProfileLayer, type ProfileProblem } from '../../core/model/profileFile.ts';
import { type ResolvedProfile, resolveProfile } from '../../core/model/resolve.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import type { ReadKey } from '../adapters.ts';
import type { Host } from '../host.ts';
import { diskFolders } from '../settings/trust.ts';
import { SAMPLE_PROVIDER } from './conversations.ts';

/** What this window knows about models: the profiles as they were last read, with the settings in force. */
export class ModelProfiles {
  readonly #host: Host;
  #loaded: LoadedProfiles = { layers: [], problems: [] };
  #loading: Promise<void> = Promise.resolve();

  constructor(host: Host) {
    this.#host = host;
  }

  /**
   * Reads the model profiles; those of the workspace only if it is trusted. New problems are reported in one warning, and
   * the other entries are used. Reads run one after another, so that the newest folders and trust win.
   */
  load(): Promise<void> {
    const read = () => this.#read();
    // A failure rejects only for those who asked for that read.
    this.#loading = this.#loading.then(read, read);
    return this.#loading;
  }

  async #read(): Promise<void> {
    const wanted = this.#settings['profiles.workspaceFile'] && vscode.workspace.isTrusted;
    const known = new Set(this.#loaded.problems.map(nameOf));
    this.#loaded = await this.#host.adapters.loadProfiles(wanted ? diskFolders().map((folder) => folder.path) : []);
    const added = this.#loaded.problems.filter((problem) => !known.has(nameOf(problem)));
    if (added.length > 0) this.#host.log.warn(describeProblems(added));
  }

  resolve(model: string): ResolvedProfile {
    return resolveWithSettings(model, this.#settings, this.usable);
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

  /** The profiles without servers that may not be used. */
  get usable(): readonly ProfileLayer[] {
    return this.#servers.usable;
  }

  /** A server that a folder names for the models of the settings, about which the user has not decided. */
  async findUndecidedServer(): Promise<NamedServer | undefined> {
    await this.load();
    const { model, 'summary.model': summary } = this.#settings;
    return this.#servers.findUndecided(summary === '' ? [model] : [model, summary]);
  }

  /** A server that only a folder names gets no key, even if the user has one for it. */
  readonly readKey: ReadKey = async (origin) =>
    this.#servers.isForeign(origin) ? undefined : await this.#host.readKey(origin);

  get #settings() {
    return this.#host.settings.current;
  }

  get #servers(): FolderServers {
    return new FolderServers(this.#loaded.layers, this.#settings.baseUrl, this.#host.servers.decision);
  }
}

/** The user's own model profiles: entries by source, and what is wrong with those that could not be used. */
export interface LoadedProfiles {
  readonly layers: readonly ProfileLayer[];
  readonly problems: readonly ProfileProblem[];
}

/** Resolves a model with the settings in force. The timeout is the profile's unless the setting is set. */
export function resolveWithSettings(
  model: string,
  settings: KarlSettings,
  layers: readonly ProfileLayer[],
): ResolvedProfile {
  const { baseUrl, requestTimeoutSeconds } = settings;
  const resolved = resolveProfile({ model, ...(baseUrl !== '' && { baseUrl }) }, layers);
  if (requestTimeoutSeconds === null) return resolved;
  return { ...resolved, profile: { ...resolved.profile, timeoutMs: requestTimeoutSeconds * 1000 } };
}

function nameOf(problem: ProfileProblem): string {
  return inEnglish(describeProblems([problem]));
}
