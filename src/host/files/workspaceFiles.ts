import * as vscode from 'vscode';
import { findIgnored, type GitExtension, namesIn, rankFiles } from './fileNames.ts';
import { findFile, findLink } from './openFile.ts';

/** How many files are listed at most. */
const MOST_FILES = 20_000;

/** The files of the workspace that can be attached, without those that settings hide or Git ignores. */
export class WorkspaceFiles {
  #listed: Thenable<readonly vscode.Uri[]> | undefined;

  /** The paths that match what was typed, best first. Files are listed again whenever the user begins to type. */
  async complete(typed: string): Promise<readonly string[]> {
    if (!vscode.workspace.isTrusted) return [];
    if (typed === '' || this.#listed === undefined) {
      this.#listed = vscode.workspace.findFiles('**/*', hiddenFiles(), MOST_FILES);
    }
    const byPath = new Map((await this.#listed).map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
    const ranked = rankFiles([...byPath.keys()], typed);
    return await pathsToOffer(ranked.flatMap((path) => byPath.get(path) ?? []));
  }

  /** The paths of the files that a text names after an `@`. */
  async named(text: string): Promise<readonly string[]> {
    if (!vscode.workspace.isTrusted) return [];
    const found = (await Promise.all(namesIn(text).map(findFirst))).filter((uri) => uri !== undefined);
    const byPath = new Map(found.map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
    if (byPath.size === 0) return [];
    // Characters with a meaning in patterns match anything; paths that only match because of that are dropped below.
    const patterns = found.map((uri) => vscode.workspace.asRelativePath(uri, false).replace(/[*?[\]{},]/g, '?'));
    const listed = await vscode.workspace.findFiles(`{${patterns.join(',')}}`, hiddenFiles());
    const paths = new Set(listed.map((uri) => vscode.workspace.asRelativePath(uri)));
    return await pathsToOffer([...byPath].flatMap(([path, uri]) => (paths.has(path) ? uri : [])));
  }
}

/** The paths of the files that Git does not ignore and that can be attached. */
async function pathsToOffer(files: readonly vscode.Uri[]): Promise<readonly string[]> {
  const git = vscode.extensions.getExtension<GitExtension<vscode.Uri>>('vscode.git');
  const ignored = await findIgnored(git?.isActive === true ? git.exports : {}, files);
  const attachable = await Promise.all(files.map(isWithoutLink));
  return files
    .filter(({ fsPath }, index) => attachable[index] && !ignored.has(fsPath))
    .map((uri) => vscode.workspace.asRelativePath(uri));
}

async function findFirst(names: readonly string[]): Promise<vscode.Uri | undefined> {
  const found = await Promise.all(names.map(findFile));
  return found.find((uri) => uri !== undefined);
}

/** False for files behind a link, which cannot be attached, and for files that no longer exist. */
async function isWithoutLink(uri: vscode.Uri): Promise<boolean> {
  return await findLink(uri).then(
    (link) => link === undefined,
    () => false,
  );
}

/** `files.exclude` and `search.exclude` as one pattern. */
function hiddenFiles(): string {
  const patterns = ['files', 'search'].flatMap((section) => {
    const exclude = vscode.workspace.getConfiguration(section).get<Readonly<Record<string, unknown>>>('exclude', {});
    return Object.entries(exclude).flatMap(([pattern, hides]) => (hides === true ? [pattern] : []));
  });
  return `{${patterns.join(',')}}`;
}
