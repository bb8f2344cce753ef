import type { Envelope, ModelProfile } from '../../model/profile.ts';

/** The format in which calls travel as text. */
export type TextEnvelope = Exclude<Envelope, 'standard'>;

/**
 * The name given to a call that could not be read. Its arguments are the model's own text, which is sent back
 * unchanged; the session answers it with an error that the model sees.
 */
export const MALFORMED_CALL = 'karl_malformed_call';

/** The text envelope that a profile asks for; undefined when the API's own tool calls are used. */
export function textEnvelope(profile: ModelProfile): TextEnvelope | undefined {
  if (profile.envelope !== 'standard') return profile.envelope;
  return profile.tools ? undefined : 'json';
}

/**
 * The beginnings of calls in either envelope, since models mix them. Text from there on is not shown while it streams.
 */
export const OPENINGS: readonly string[] = ['```tool_call', '<tool_call>'];
