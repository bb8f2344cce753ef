import { fieldName } from './callFields.ts';
import { fileActions } from './fileActions.ts';
import { baseName, normalizePath } from './paths.ts';
import { ends } from './scanLines.ts';
import type { ToolUse } from './toolUse.ts';

/** A file with rules for agents or contributors, as a tool printed it. */
export interface RuleFile {
  readonly path: string;
  /** Its content, without the frame and the line numbers that tools print. */
  readonly text: string;
  readonly at: number;
  /** False when only a part of it may have been printed. */
  readonly whole: boolean;
}

/** How much of a file is read. Characters. */
const MOST_READ = 32_000;

const RULE_NAME =
  'agents?|claude|gemini|qwen|copilot-instructions|contributing|conventions|code_?style|style_?guide|guidelines|rules';
const CLIENT_RULES = String.raw`\.(?:cursor|windsurf|cline|roo|goose)rules(?:-\w+)?`;
const RULE_FILE = new RegExp(
  String.raw`^(?:(?:${RULE_NAME})(?:\.local)?\.(?:md|mdx|mdc|txt|rst|adoc)|${CLIENT_RULES})$`,
  'i',
);
const RULE_FOLDER =
  /(?:^|\/)(?:\.cursor\/rules|\.clinerules|\.roo\/rules[\w-]*|\.kiro\/steering|\.github\/instructions)\//;

/** The rule file that a tool use printed; undefined when it printed none, or other files too, or failed. */
export function ruleFileOf(use: ToolUse): RuleFile | undefined {
  const { result } = use;
  if (result === undefined || result.failed) return undefined;
  const files = fileActions(use);
  const [file] = files;
  if (file?.kind !== 'read' || files.length > 1) return undefined;
  const path = normalizePath(file.path);
  if (!RULE_FILE.test(baseName(path)) && !RULE_FOLDER.test(path)) return undefined;
  return { path, text: withoutFrame(result.text), at: result.at, whole: readsWhole(use) };
}

/** The line number that tools print before a line. */
const LINE_NUMBER = /^[ \t]{0,8}\d{1,6}(?: ?[→|:\t]|[ \t]{2,})[ \t]?/gm;
/** `12. text`: a line number only if all lines begin like that, otherwise a list. */
const LINE_COUNTED = /^[ \t]{0,8}\d{1,6}\.(?: |$)/;
/** Begins a client's own words to the model, after the file. */
const NOTE = '<system-reminder>';

function withoutFrame(printed: string): string {
  const note = printed.lastIndexOf(NOTE);
  const text = ends(note < 0 ? printed : printed.slice(0, note), MOST_READ).replace(
    /^\s*(`{3,})[^\n]{0,40}\n(?:[^\n]{0,8}filepath:[^\n]*\n)?([\s\S]*?)\n?\1\s*$/,
    '$2',
  );
  const lines = text.split('\n');
  const counted = lines.length > 2 && lines.slice(0, -1).every((line) => LINE_COUNTED.test(line));
  return counted ? lines.map((line) => line.replace(LINE_COUNTED, '')).join('\n') : text.replace(LINE_NUMBER, '');
}

const PARTIAL = /^(?:offset|limit|viewrange|linerange|ranges|starts|pages|(?:start|end|from|to)line.*)$/;

/** True when nothing suggests that only a part of the file was read. */
function readsWhole({ command, fields }: ToolUse): boolean {
  if (command !== undefined) return /^\s*cat\s+\S+\s*$/.test(command);
  const { parsed } = fields;
  const named = typeof parsed === 'object' && parsed !== null ? Object.keys(parsed).map(fieldName) : [];
  return !named.some((name) => PARTIAL.test(name));
}
