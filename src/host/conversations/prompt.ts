import { buildSystemPrompt } from '../../core/session/systemPrompt.ts';
import type { ReadInstructions, ToolFolder } from '../adapters.ts';

/** Conventions for agents that a workspace folder may have at its top. */
const INSTRUCTIONS_FILE = 'AGENTS.md';

/** The system prompt for this window, with the AGENTS.md of every workspace folder. */
export async function readPrompt(folders: readonly ToolFolder[], readFile: ReadInstructions): Promise<string> {
  const read = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(folder, INSTRUCTIONS_FILE);
      const path = folders.length > 1 ? `${folder.name}/${INSTRUCTIONS_FILE}` : INSTRUCTIONS_FILE;
      return text === undefined ? [] : [{ path, text }];
    }),
  );
  return buildSystemPrompt({ folders: folders.map(({ name }) => name), instructions: read.flat() });
}
