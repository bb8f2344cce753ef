/** Name in the source → [name in profiles, base URL]. */
export const PROVIDERS: Readonly<Record<string, readonly [string, string]>>;
/** The built-in table as text, made from the data files in `folder`, a URL that ends with a slash. */
export function makeBuiltin(folder: URL): string;
