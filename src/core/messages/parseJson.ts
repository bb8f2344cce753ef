/** What a JSON text says; undefined (which no JSON text says) for any other, as models and servers write it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
