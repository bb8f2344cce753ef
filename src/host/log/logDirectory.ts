/** What the variables of `karl.log.directory` stand for. */
export interface LogPlaces {
  /** The folder that VS Code gives this extension. */
  readonly storage: string;
  /** The first folder of the workspace; absent in a window without one. */
  readonly workspaceFolder?: string;
  readonly home: string;
}

/**
 * The folder that a checked value of `karl.log.directory` names. `${workspaceFolder}` in a window without a folder
 * stands for `${storage}`: there is no workspace whose folder could be meant.
 */
export function resolveLogDirectory(setting: string, places: LogPlaces): string {
  return setting
    .replace(/^\$\{storage\}/, () => places.storage)
    .replace(/^\$\{workspaceFolder\}/, () => places.workspaceFolder ?? places.storage)
    .replace(/^~(?=[\\/]|$)/, () => places.home);
}
