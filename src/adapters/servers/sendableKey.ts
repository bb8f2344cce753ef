import { english } from '../../core/language.ts';

/**
 * What a header can carry (RFC 9110, field-content), without line ends and other control characters, which no key has.
 */
const SENDABLE = /^[\x21-\x7e\x80-\xff]+(?: +[\x21-\x7e\x80-\xff]+)*$/;

/**
 * Why a key cannot be sent; `undefined` when it can. Checked before a request is made: the errors of `fetch` quote a
 * header that they refuse. The sentence repeats nothing of the key.
 */
export function refuseKey(key: string, origin: string): string | undefined {
  return SENDABLE.test(key)
    ? undefined
    : english(
        'The API key for {0} has characters that cannot be sent, such as a line end: store it again with "Karl: Set API Key"',
        origin,
      );
}
