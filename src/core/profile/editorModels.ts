/**
 * Stands in the place of a server's address for the models that VS Code itself has, of Copilot or other vendors. Such a
 * model is named `vendor/id`.
 */
export const EDITOR_MODELS = 'vscode:models';

/** What a key, a decision of the user and learned figures belong to: scheme, host and port; of VS Code's models their name. */
export function originOf(baseUrl: string): string | undefined {
  if (baseUrl === EDITOR_MODELS) return EDITOR_MODELS;
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}
