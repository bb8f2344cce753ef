/** An unguessable id that is also a folder name. */
export function newId(): string {
  return crypto.randomUUID();
}
