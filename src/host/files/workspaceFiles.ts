import * as vscode from 'vscode';
import { findIgnored, type GitExtension, rankFiles } from './fileNames.ts';
import { findLink } from './openFile.ts';

/** How many files are listed at most. */
const MOST_FILES = 20_000;

/** The files of the workspace that can be attached, without those that settings hide or Git ignores. */
export class WorkspaceFiles {
  #listed: Thenable<readonly vscode.Uri[]> | undefined;

  /** The paths that match what was typed, best first. Files are listed again whenever the user begins to type. */
  async complete(typed: string): Promise<readonly string[]> {
    if (typed === '' || this.#listed === undefined) {
      this.#listed = vscode.workspace.findFiles('**/*', hiddenFiles(), MOST_FILES);
    }
    const byPath = new Map((await this.#listed).map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
    const ranked = rankFiles([...byPath.keys()], typed).flatMap((path) => byPath.get(path) ?? []);
    const git = vscode.extensions.getExtension<GitExtension<vscode.Uri>>('vscode.git');
    const ignored = await findIgnored(git?.isActive === true ? git.exports : {}, ranked);
    const attachable = await Promise.all(ranked.map(isWithoutLink));
    return ranked
      .filter(({ fsPath }, index) => attachable[index] && !ignored.has(fsPath))
      .map((uri) => vscode.workspace.asRelativePath(uri));
  }
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
