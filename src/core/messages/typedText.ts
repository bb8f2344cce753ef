import { topLevelParts } from './elements.ts';
import { isClientMade, typedIn } from './human.ts';
import { replyInMessage } from './reply.ts';

/** Elements that clients put around or after what a human typed: attached files, the state of the editor, reminders. */
const ATTACHMENTS = new Set(
  [
    'file_content folder_content url_content workspace_diagnostics terminal_output git_commit environment_details',
    'environment_info environment_context workspace_info system-reminder attachment attachments attached_files context',
    'editorcontext reminderinstructions open_and_recently_viewed_files additional_data user_instructions user_info',
    'project_layout uploaded_files repocontext selection runtime_information repository_info extra_info',
  ].flatMap((line) => line.split(' ')),
);

/** A heading after which a client puts the typed words. */
const REQUEST_HEADING = /^## My request for \w{1,20}:\s*$/m;

/** A message in the user's role, split into what the human typed and what a client added. */
export interface UserText {
  /** Absent when a client wrote all of it. */
  readonly typed?: string;
  /** '' when there is nothing else. */
  readonly attached: string;
}

/**
 * Splits a message in the user's role by the marks that clients use. Cautious: only known elements count as
 * attachments, and where nothing typed would be left, everything counts as typed.
 */
export function splitUserText(text: string): UserText {
  if (isClientMade(text)) return { attached: text };
  if (!text.includes('<') && !text.includes('## My request')) return { typed: text, attached: '' };
  const heading = REQUEST_HEADING.exec(text);
  if (heading !== null && text.startsWith('# Context from my IDE')) {
    return { typed: text.slice(heading.index + heading[0].length), attached: text.slice(0, heading.index) };
  }
  const reply = replyInMessage(text);
  if (reply !== undefined) return { typed: reply, attached: text.replace(reply, '').trim() };
  const inElements = text.trimStart().startsWith('<') ? typedElements(text) : undefined;
  if (inElements !== undefined) return inElements;
  const { typed, attached } = splitAttachments(text);
  return typed.trim() === '' ? { typed: text, attached: '' } : { typed, attached };
}

/** Text in elements for typed words, and after them; undefined when there are no such elements. */
function typedElements(text: string): UserText | undefined {
  const parts = topLevelParts(text);
  const isTyped = parts.map((part) => part.kind === 'element' && typedIn(part) !== undefined);
  const first = isTyped.indexOf(true);
  if (first < 0) return undefined;
  const last = isTyped.lastIndexOf(true);
  const typed = parts.filter((part, index) => isTyped[index] === true || (index > last && part.kind === 'text'));
  const attached = parts.filter((part) => !typed.includes(part));
  return {
    typed: typed
      .map((part) => (part.kind === 'element' ? part.inner : part.text))
      .join('\n')
      .trim(),
    attached: attached
      .map((part) => part.text)
      .join('')
      .trim(),
  };
}

function splitAttachments(text: string): { typed: string; attached: string } {
  const parts = topLevelParts(text, (name) => ATTACHMENTS.has(name));
  const textOf = (kind: 'text' | 'element'): string =>
    parts
      .filter((part) => part.kind === kind)
      .map((part) => part.text)
      .join('\n');
  return { typed: textOf('text'), attached: textOf('element') };
}
