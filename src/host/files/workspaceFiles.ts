import * as vscode from 'vscode';
import { namesIn } from '../present/namesIn.ts';
import { rankFiles } from '../present/rankFiles.ts';
import { findIgnored, type GitExtension } from './findIgnored.ts';
import { findLink } from './findLink.ts';
import { findFile } from './openFile.ts';

/** The most files that are listed; others are not offered. */
const MOST_FILES = 20_000;

/** The files of the workspace as they are offered: without what the settings hide or Git ignores. */
export class WorkspaceFiles {
  #listed: Thenable<readonly vscode.Uri[]> | undefined;

  /** Paths, best first, for what was typed; the files are listed again whenever the user begins to type. */
  async complete(typed: string): Promise<readonly string[]> {
    if (!vscode.workspace.isTrusted) return [];
    if (typed === '' || this.#listed === undefined) {
      this.#listed = vscode.workspace.findFiles('**/*', hiddenFiles(), MOST_FILES);
    }
    const byPath = new Map((await this.#listed).map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
    const ranked = rankFiles([...byPath.keys()], typed);
    const git = vscode.extensions.getExtension<GitExtension<vscode.Uri>>('vscode.git');
    const files = ranked.flatMap((path) => byPath.get(path) ?? []);
    const ignored = await findIgnored(git?.isActive === true ? git.exports : {}, files);
    const attachable = await Promise.all(files.map(isWithoutLink));
    return ranked.filter((path, index) => attachable[index] && !ignored.has(byPath.get(path)?.fsPath ?? ''));
  }

  /** The paths of the files that a text names after an `@`; only of those that are offered. */
  async named(text: string): Promise<readonly string[]> {
    if (!vscode.workspace.isTrusted) return [];
    const found = await Promise.all(namesIn(text).map(findFirst));
    const paths = [...new Set(found.flatMap((uri) => (uri === undefined ? [] : vscode.workspace.asRelativePath(uri))))];
    // Since the files were listed, one of these may have been made.
    if (paths.length > 0) this.#listed = undefined;
    const offered = await Promise.all(paths.map((path) => this.complete(path)));
    return paths.filter((path, index) => offered[index]?.includes(path));
  }
}

async function findFirst(names: readonly string[]): Promise<vscode.Uri | undefined> {
  const found = await Promise.all(names.map(findFile));
  return found.find((uri) => uri !== undefined);
}

/** What is behind a link cannot be attached, so it is not offered; nor is what no longer exists. */
async function isWithoutLink(uri: vscode.Uri): Promise<boolean> {
  return await findLink(uri).then(
    (link) => link === undefined,
    () => false,
  );
}

/** What `files.exclude` and `search.exclude` hide, as one pattern. */
function hiddenFiles(): string {
  const patterns = ['files', 'search'].flatMap((section) => {
    const exclude = vscode.workspace.getConfiguration(section).get<Readonly<Record<string, unknown>>>('exclude', {});
    return Object.entries(exclude).flatMap(([pattern, hides]) => (hides === true ? [pattern] : []));
  });
  return `{${patterns.join(',')}}`;
}
