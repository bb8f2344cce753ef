import { isClientMade } from './human.ts';

/** Elements that clients put around or behind what a human typed: attached files, the state of the editor, reminders. */
const ATTACHMENT =
  /<(file_content|folder_content|url_content|workspace_diagnostics|terminal_output|git_commit|environment_details|environment_info|environment_context|workspace_info|system-reminder|attachments?|attached_files|context|editorContext|reminderInstructions|open_and_recently_viewed_files|additional_data|user_instructions|user_info|project_layout|uploaded_files|repoContext|selection|RUNTIME_INFORMATION|REPOSITORY_INFO|EXTRA_INFO)(?:\s[^<>]{0,300})?>/g;

/** Elements in which a client puts the typed words when it writes the rest of the message itself. */
const TYPED = /<(user_?-?(?:query|request|message|prompt)|task|feedback|answer|question|command-args)>/gi;

/** A heading behind which a client puts the typed words. */
const REQUEST_HEADING = /^## My request for \w{1,20}:\s*$/m;

const MOST_ELEMENTS = 200;

/** A message of the user's role, apart: what the human typed, and what a client put beside it. */
export interface UserText {
  /** Absent when a client wrote all of it. */
  readonly typed?: string;
  /** '' when there is nothing else. */
  readonly attached: string;
}

/**
 * Splits a user-role message by the marks that clients use. Careful: only known elements are taken for attachments, and
 * where nothing typed would be left, all of it counts as typed.
 */
export function splitUserText(text: string): UserText {
  if (isClientMade(text)) return { attached: text };
  if (!text.includes('<') && !text.includes('## My request')) return { typed: text, attached: '' };
  const heading = REQUEST_HEADING.exec(text);
  if (heading !== null && text.startsWith('# Context from my IDE')) {
    return { typed: text.slice(heading.index + heading[0].length), attached: text.slice(0, heading.index) };
  }
  const start = text.trimStart();
  const inElements = /^[<[]/.test(start) ? typedElements(text) : undefined;
  if (inElements !== undefined) return inElements;
  const { typed, attached } = splitAttachments(text);
  return typed.trim() === '' ? { typed: text, attached: '' } : { typed, attached };
}

function typedElements(text: string): UserText | undefined {
  const typed: string[] = [];
  const attached: string[] = [];
  let from = 0;
  TYPED.lastIndex = 0;
  for (let open = TYPED.exec(text); open !== null && typed.length < MOST_ELEMENTS; open = TYPED.exec(text)) {
    const end = text.indexOf(`</${open[1]}>`, TYPED.lastIndex);
    if (end < 0) break;
    attached.push(text.slice(from, open.index));
    typed.push(text.slice(TYPED.lastIndex, end));
    from = end + (open[1]?.length ?? 0) + 3;
    TYPED.lastIndex = from;
  }
  if (typed.length === 0) return undefined;
  const rest = splitAttachments(text.slice(from));
  return {
    typed: [...typed, rest.typed].join('\n').trim(),
    attached: [...attached, rest.attached].join('\n').trim(),
  };
}

function splitAttachments(text: string): { typed: string; attached: string } {
  const typed: string[] = [];
  const attached: string[] = [];
  let from = 0;
  let misses = 0;
  ATTACHMENT.lastIndex = 0;
  for (let open = ATTACHMENT.exec(text); open !== null && misses < 20; open = ATTACHMENT.exec(text)) {
    const end = text.indexOf(`</${open[1]}>`, ATTACHMENT.lastIndex);
    if (end < 0) {
      misses += 1;
      continue;
    }
    typed.push(text.slice(from, open.index));
    from = end + (open[1]?.length ?? 0) + 3;
    attached.push(text.slice(open.index, from));
    if (attached.length >= MOST_ELEMENTS) break;
    ATTACHMENT.lastIndex = from;
  }
  return { typed: [...typed, text.slice(from)].join('\n'), attached: attached.join('\n') };
}
