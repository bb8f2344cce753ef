import { parseJson } from './parseJson.ts';

/**
 * The human's words in results of tools. Only the exact forms of known clients count, and only in the tools named here:
 * tools that ask the human, and tools that the human can decline and that print nothing from elsewhere. What a shell, a
 * search, a web page or another agent prints is never the human's, whatever it says.
 */

/** How a client writes the human's words into a result. */
interface ReplyForm {
  readonly client: string;
  /** The tools' names in lower case, separated by spaces. */
  readonly tools: string;
  /** Matches the text before the human's words, or all of the result with the words as its group. */
  readonly template: RegExp;
}

/** Longer results are not searched for the human's words. Characters. */
const LONGEST_RESULT = 40_000;
const LONGEST_REPLY = 12_000;

/** What Claude Code writes after the human's words. */
const CLAUDE_NOTE = /\n\nNote: The user['’]s next message|\n\s{0,20}<system-reminder>/;

const CLAUDE_EDITS = 'edit multiedit write notebookedit';
const CLINE_EDITS = 'write_to_file replace_in_file apply_diff insert_content search_and_replace edit_file apply_patch';

/** Each row has a real example in `test/core/chat/reply.test.ts`. */
export const REPLY_FORMS: readonly ReplyForm[] = [
  {
    client: 'Claude Code',
    tools: `${CLAUDE_EDITS} exitplanmode askuserquestion`,
    template:
      /^The user doesn't want to proceed with this tool use\. The tool use was rejected(?: \(eg\. if it was a file edit, the new_string was NOT written to the file\))?\. To tell you how to proceed, the user said:\n(?!The user wants to clarify these questions\.)/,
  },
  {
    client: 'Claude Code, OpenCode',
    tools: 'askuserquestion question',
    template:
      /^(?:User has answered your questions|Your questions have been answered): ([\s\S]+?)(?: You can now continue with (?:the user's|these) answers in mind\.)?$/,
  },
  { client: 'Claude Code in SpecStory', tools: 'askuserquestion', template: /^\*\*[\s\S]+\n\*\*Answer:\*\* / },
  {
    client: 'OpenCode',
    tools: 'edit write patch multiedit apply_patch',
    template: /^The user rejected permission to use this specific tool call with the following feedback: /,
  },
  {
    client: 'Cline, Roo Code, Kilo Code',
    tools: `${CLINE_EDITS} attempt_completion ask_followup_question plan_mode_respond`,
    template:
      /^(?:The user (?:denied this operation and provided the following feedback|approved this operation and provided the following context|has provided feedback on the results\. [^\n:]{0,200}):\n|The user has provided feedback on the results\. [^\n]{0,200}\n)<feedback>\n([\s\S]*?)\n<\/feedback>/,
  },
  {
    client: 'Roo Code, Kilo Code',
    tools: CLINE_EDITS,
    template: /^\{"status":"(?:denied|approved)","message":"The user [^"]{0,100}","feedback":("[\s\S]*")\}$/,
  },
  {
    client: 'Cline, Roo Code, Kilo Code',
    tools: 'ask_followup_question plan_mode_respond attempt_completion',
    template: /^<(?:answer|user_message)>\n?([\s\S]*?)\n?<\/(?:answer|user_message)>/,
  },
  { client: 'Copilot CLI', tools: 'ask_user', template: /^User (?:responded|selected): / },
  {
    client: 'Copilot Chat, Codex, Gemini CLI',
    tools: 'vscode_askquestions askquestions request_user_input ask_user',
    template: /^(\{\s*"answers"\s*:\s*\{[\s\S]*\}\s*\})$/,
  },
  {
    client: 'Gemini CLI, Qwen Code',
    tools: 'exit_plan_mode',
    template: /^Plan rejected\. User feedback: ([\s\S]*?)\n\nThe plan is stored at: [^\n]*/,
  },
  { client: 'Qwen Code', tools: 'ask_user_question', template: /^User has provided the following answers:\n\n/ },
];

/** Beginnings of results of declined calls, which only the client itself writes, for any tool. */
const DECLINED = new RegExp(
  `^(?:${[
    // Claude Code
    "The user doesn't want to (?:proceed with this tool use|take this action right now)\\.",
    // Cline, Roo Code, Kilo Code
    'The user denied this operation',
    '\\{"status":"(?:denied|rejected)","message":"The user',
    // OpenCode
    'The user rejected permission to use this specific tool call',
    // Codex
    '(?:exec command |patch )?rejected by user|aborted by user after ',
    // Gemini CLI, Qwen Code
    'Plan rejected\\.|\\[Operation Cancelled\\]',
    // Copilot CLI
    'The user rejected this tool call',
  ].join('|')})`,
);

/** True for the result of a call that the human declined, whatever the tool. */
export function isDeclined(result: string): boolean {
  return DECLINED.test(result.trimStart().slice(0, 200));
}

/** The human's words in the result of a declined call, whatever the tool. */
export function saidInDecline(result: string): string | undefined {
  return isDeclined(result) ? readForms(REPLY_FORMS, result) : undefined;
}

/** The human's words in a tool's result; undefined if there are none. */
export function replyTo(tool: string, result: string): string | undefined {
  if (result.length > LONGEST_RESULT) return undefined;
  const forms = REPLY_FORMS.filter(({ tools }) => tools.split(' ').includes(tool.toLowerCase()));
  return readForms(forms, result);
}

function readForms(forms: readonly ReplyForm[], result: string): string | undefined {
  const start = result.trim();
  const found = forms.map(({ template }) => template.exec(start)).find((match) => match !== null);
  return found && wordsIn(found[1] ?? start.slice(found[0].length));
}

function wordsIn(written: string): string | undefined {
  const end = written.search(CLAUDE_NOTE);
  const text = /^["{]/.test(written) ? (textsIn(written) ?? written) : written;
  const own = (end < 0 ? text : text.slice(0, end)).slice(0, LONGEST_REPLY).trim();
  return own === '' ? undefined : own;
}

/** All strings in a JSON text, in order; undefined if it is no JSON. */
function textsIn(json: string): string | undefined {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  const parsed = parseJson(json);
  if (parsed === undefined) return undefined;
  collect(parsed);
  return found.join(', ');
}

/** `[ask_followup_question for 'Which?'] Result:`: a result that a client sends as a user message. */
const RESULT = /^\s*\[([\w.-]{2,60})(?: for [^\]\n]{1,300})?\] Result:\s*/;

/** The human's words in a result that a client sends as a user message; undefined if there are none. */
export function replyInMessage(text: string): string | undefined {
  const head = RESULT.exec(text.slice(0, 400));
  const name = head?.[1];
  return head === null || name === undefined ? undefined : replyTo(name, text.slice(head[0].length));
}
