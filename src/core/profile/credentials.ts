/** Names of query fields in which servers take keys; `code` is used by Azure Functions. */
const KEY_FIELD =
  /^(?:(?:x[-_])?(?:api|subscription|access)[-_]?key|key|(?:access[-_]?|auth[-_]?)?token|secret|sig|signature|password|code)$/i;

/**
 * Whether an address contains a secret: a user, a password, or a key in its query. Such an address must not be kept in
 * a file.
 */
export function carriesCredentials(url: URL): boolean {
  return (
    url.username !== '' || url.password !== '' || [...url.searchParams.keys()].some((name) => KEY_FIELD.test(name))
  );
}
