/**
 * Text for a notification or an input box. VS Code makes links of `[words](address)` there, even links that run
 * commands: what a setting, a file, a server or a model wrote must not become one.
 */
export function plainText(text: string): string {
  return text.replaceAll('](', '] (');
}
