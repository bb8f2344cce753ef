import { SYSTEM_PROMPT_TEXT } from './systemPromptText.ts';

/** What varies between workspaces. The host reads it; here it is data. */
export interface PromptContext {
  /** Names of the workspace folders, in order. */
  readonly folders: readonly string[];
  /** The content of AGENTS.md files, with the paths by which the user knows them. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[];
}

/** How much of an AGENTS.md goes into the prompt, which is sent with every request. Characters. */
export const LONGEST_INSTRUCTIONS = 32_000;

/** Builds the system prompt. Everything in it is counted like any other message. */
export function buildSystemPrompt(context: PromptContext): string {
  const folders =
    context.folders.length === 0 ? 'No folder is open.' : `Open workspace folders: ${context.folders.join(', ')}.`;
  const sections = context.instructions.map(({ path, text }) => {
    const mark = path.replace(/["<>\n]/g, '');
    return `<workspace-instructions path="${mark}">\n${closeMarks(shorten(text, path))}\n</workspace-instructions>`;
  });
  const introduction =
    sections.length === 0
      ? []
      : [
          'The workspace has conventions for agents. Follow them for work in this workspace, unless the user or the rules above say otherwise:',
        ];
  return [SYSTEM_PROMPT_TEXT, folders, ...introduction, ...sections].join('\n\n');
}

function shorten(text: string, path: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= LONGEST_INSTRUCTIONS) return trimmed;
  return `${trimmed.slice(0, LONGEST_INSTRUCTIONS)}\n[cut after ${LONGEST_INSTRUCTIONS} characters; read ${path} for the rest]`;
}

/** Makes sure that the file cannot end its own section. */
function closeMarks(text: string): string {
  return text.replaceAll('workspace-instructions', 'workspace instructions');
}
