import { CLAUDE_CODE } from './claudeCode.ts';
import { CODEX } from './codex.ts';
import { PI } from './pi.ts';
import { openRecords, SessionFileError, type OnProgress } from './records.ts';
import { type AgentSession, counted, type SessionFormat } from './session.ts';

/** The formats that are known, the more telling ones first. */
export const FORMATS: readonly SessionFormat[] = [CLAUDE_CODE, CODEX, PI];

/**
 * Reads a session of any agent; its format is found by its content. The file is only read.
 * @throws the file system's error; `SessionFileError` where it is no session that is known; the reason of the signal.
 */
export async function readSession(
  file: string,
  options: { readonly signal?: AbortSignal; readonly onProgress?: OnProgress } = {},
): Promise<AgentSession> {
  const records = await openRecords(file, options);
  const format = FORMATS.find((one) => one.recognizes(records.first));
  if (format === undefined) {
    const known = FORMATS.map(({ title }) => title).join(', ');
    throw new SessionFileError(`${file} is not a session of an agent that Karl knows: ${known}.`);
  }
  const session = await format.read(records.all());
  const damaged = counted([records.damaged(), 'A line that is no JSON was passed over.', 'lines that are no JSON were passed over.']);
  return { ...session, repairs: [...damaged, ...session.repairs] };
}
