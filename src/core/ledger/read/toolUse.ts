import type { MessageId } from '../../messages/message.ts';
import type { CallFields } from './callFields.ts';

/** One tool use with its result, whatever the agent calls its tools and however it writes the call. */
export interface ToolUse {
  readonly name: string;
  readonly fields: CallFields;
  /** The arguments as the model wrote them. */
  readonly source: string;
  /** The shell command, when the tool runs one. */
  readonly command?: string;
  /** True for a real tool call, whose result says how it went; false for tool use written as text. */
  readonly fromCall: boolean;
  /** The message with the call. */
  readonly at: MessageId;
  /** Absent until a result is recorded. */
  readonly result?: ToolResult;
}

/** What came back. */
export interface ToolResult {
  readonly text: string;
  /** What the human said in it: an answer, or words with which the call was declined. */
  readonly reply?: string;
  readonly at: MessageId;
  readonly failed: boolean;
  readonly exitCode?: number;
}

const SHELL_NAME =
  /(?:^|[_\-.])?(?:bash|shell|terminal|exec|cmd|powershell|pwsh|zsh|run_?commands?|execute_?command|command|console|process|spawn|proc|subprocess)/i;

/**
 * Fields that hold a command, as a text or as a list of words; those that other tools have too count only if the tool's
 * name says that it is a shell.
 */
const COMMAND_FIELDS = [
  'command',
  'cmd',
  'commands',
  'script',
  'commandline',
  'shellcommand',
  'cmdline',
  'commandstring',
  'argv',
  'line',
  'exec',
  'run',
];
/** Fields for a program whose arguments are in a field of their own. */
const PROGRAM_FIELDS = ['program', 'executable', 'binary'];
const NAMED_BY_TOOL: ReadonlySet<string> = new Set(['script', 'line', 'exec', 'run']);

/**
 * The shell command that a call runs; undefined when it runs none. Recognised by its fields, or else by the tool's
 * name.
 */
export function commandOf(name: string, fields: CallFields, source: string): string | undefined {
  const { text } = fields;
  if (text.has('path') || text.has('filepath') || text.has('filename')) return undefined;
  for (const field of COMMAND_FIELDS) {
    const values = text.get(field);
    if (values === undefined) continue;
    if (NAMED_BY_TOOL.has(field) && !SHELL_NAME.test(name)) continue;
    return field === 'commands' ? values.join('\n') : unwrapShell(values);
  }
  const program = PROGRAM_FIELDS.flatMap((field) => text.get(field) ?? []);
  if (program.length === 1) return [...program, ...(text.get('args') ?? text.get('arguments') ?? [])].join(' ');
  if (text.size === 0 && fields.parsed === undefined && SHELL_NAME.test(name)) return source;
  if (typeof fields.parsed === 'string' && SHELL_NAME.test(name)) return fields.parsed;
  if (SHELL_NAME.test(name)) return text.get('input')?.[0] ?? text.get('code')?.[0];
  return undefined;
}

/** `["bash", "-lc", "npm test"]` runs `npm test`. */
function unwrapShell(words: readonly string[]): string {
  const flag = words.findIndex((word) => /^-[a-z]*c$|^\/c$/i.test(word));
  const script = words[flag + 1];
  if (flag > 0 && flag <= 2 && script !== undefined) return script;
  const only = words.length === 1 ? words[0] : undefined;
  const quoted = only === undefined ? null : /^(?:\/bin\/)?(?:ba|z|da)?sh -l?c (['"])([\s\S]*)\1$/.exec(only);
  return quoted?.[2] ?? words.join(' ');
}
