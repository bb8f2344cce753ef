/**
 * Used in place of a server's address for the models that VS Code itself has, from Copilot or other vendors. Such a
 * model is named `vendor/id`.
 */
export const EDITOR_MODELS = 'vscode:models';

/**
 * What a key, a decision of the user and learned figures are stored under: scheme, host and port; `EDITOR_MODELS` for
 * VS Code's own models.
 */
export function originOf(baseUrl: string): string | undefined {
  if (baseUrl === EDITOR_MODELS) return EDITOR_MODELS;
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}
