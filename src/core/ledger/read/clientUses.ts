import type { MessageId } from '../../messages/message.ts';
import { readOutcome } from './outcome.ts';
import { isFilePath } from './paths.ts';
import type { ToolUse } from './toolUse.ts';

/**
 * The beginnings of messages in the user's role in which a client reports tool use: files that it added, a command that
 * it ran.
 */

const MOST_FILES = 60;
const ADDED_FILES = /^\s*(?:I have \*?added these files to the chat\b|Here are some READ ONLY files\b)/i;
const RAN = /^\s*I ran this command:\n\n([^\n][\s\S]{0,3000}?)\n\nAnd got this output:\n\s*/;
const FENCED_FILE = /^([^\s`<>|*][^\n`<>|*]{0,300})\n(`{3,10})[\w+-]{0,20}\n/gm;

/** The tool uses that a client's message reports; any other text of a client is the output of an unknown tool. */
export function clientUses(text: string, at: MessageId): ToolUse[] {
  const ran = RAN.exec(text.slice(0, 4000));
  if (ran !== null) {
    const output = text.slice(ran[0].length);
    return [use('bash', new Map(), output, at, ran[1] ?? '')];
  }
  const files = ADDED_FILES.test(text.slice(0, 100)) ? addedFiles(text, at) : [];
  return files.length > 0 ? files : [use('client', new Map(), text, at)];
}

/**
 * Files as `src/a.ts`, a code fence with the content, and so on. A file may itself contain fences, so it extends to the
 * next file's name.
 */
function addedFiles(text: string, at: MessageId): ToolUse[] {
  const opens = [...text.matchAll(FENCED_FILE)].filter(([, path = '']) => isFilePath(path.trim())).slice(0, MOST_FILES);
  return opens.map((open, index) => {
    const body = text.slice(open.index + open[0].length, opens[index + 1]?.index);
    const end = body.lastIndexOf(`\n${open[2]}`);
    const path = (open[1] ?? '').trim();
    return use('read_file', new Map([['path', [path]]]), end < 0 ? body : body.slice(0, end), at);
  });
}

function use(
  name: string,
  fields: ReadonlyMap<string, readonly string[]>,
  output: string,
  at: MessageId,
  command?: string,
): ToolUse {
  return {
    name,
    fields: { parsed: fields.size === 0 ? undefined : Object.fromEntries(fields), text: fields },
    source: '',
    fromCall: false,
    at,
    ...(command === undefined ? {} : { command }),
    result: { text: output, at, ...readOutcome(output, {}) },
  };
}
