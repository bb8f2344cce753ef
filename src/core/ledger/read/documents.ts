import { shortCommand } from '../extract/commands.ts';
import { fieldName } from './callFields.ts';
import { fileActions } from './fileActions.ts';
import { baseName, normalizePath } from './paths.ts';
import { ends } from './scanLines.ts';
import type { ToolUse } from './toolUse.ts';

/**
 * A document that a tool printed: a file of rules for agents and contributors, a file in which an agent remembers, any
 * other page of prose, or what people wrote under an issue or a change. Program text and logs are none.
 */
export interface PrintedDocument {
  readonly kind: 'rules' | 'memory' | 'page' | 'thread';
  /** Its path; of a thread the command or the tool that shows it. */
  readonly name: string;
  /** What it says, without line numbers and the block of code around it. */
  readonly text: string;
  readonly at: number;
  /**
   * Of a whole reading, which file under which title: a newer one ends what it no longer says. The same relative path with
   * another title is a file elsewhere.
   */
  readonly edition?: string;
  /** False where a tool only looked for words in it. */
  readonly read: boolean;
}

const MOST_READ = 32_000;
/** Longer commands and arguments write something, characters. */
const MOST_NAMED = 2000;
/** Longer commands do more than show an entry, characters. */
const LONGEST_SHOW = 400;

/** Files in which a project tells agents and contributors its rules. */
const RULE_FILE =
  /^(?:agents?|claude|gemini|qwen|copilot-instructions|contributing|conventions|code_?style|style_?guide|guidelines|rules|development|hacking)(?:\.local)?(?:\.(?:md|mdx|mdc|txt|rst|adoc))?$|^\.(?:cursor|windsurf|cline|roo|goose)rules(?:-\w+)?$/i;
const RULE_FOLDER =
  /(?:^|\/)(?:\.cursor\/rules|\.clinerules|\.roo\/rules[\w-]*|\.kiro\/steering|\.github\/instructions)\//;
const MEMORY_FILE =
  /(?:^|\/)\.?(?:memory|memories|memory-bank)\/|(?:^|[/_.-])(?:memory|memories|preferences|about[-_]me|user)\.(?:md|mdx|txt)$/i;

/** Pages that may have a part with rules beside much else. */
const PAGE = /\.(?:md|mdx|txt|rst|adoc|org)$|^readme$/i;
/** Pages that say nothing of how this project is to be worked on. */
const OTHER_PAGE =
  /(?:^|\/)(?:node_modules|site-packages|third_party|skills|plugins\/cache|tmp)\/|(?:^|[/_.-])(?:requirements[\w-]*|robots|cmakelists|licen[cs]e|notice|change(?:s|log)|history|releases?|authors|contributors|code_of_conduct|(?:[\w-]{0,80}-)?output(?:-[\w-]{1,80})?|stdout|stderr|logs?|dump)\.\w+$/i;

const TEXT_NAMED =
  /\.(?:md|mdx|mdc|txt|rst|adoc|org)\b|rules|steering|instructions|agents|claude|gemini|qwen|contributing|conventions|guide|development|hacking|style|readme/i;
/** Programs that print a page. */
const PRINTS =
  /(?:^|[;&|({]\s{0,4}|\b(?:do|then|sudo)\s)(?:cat|bat|batcat|less|more|head|tail|sed|awk|nl|type|gc|get-content|glow|mdcat|pandoc|git\s+show)\s/i;
/** A page that a command names by a pattern or at a commit. */
const PAGE_IN_COMMAND = /(?<![\w./*-])[\w./*@:-]{1,200}\.(?:md|mdx|rst|adoc)(?![\w.])/;

const THREAD_NOUN =
  'issues?|prs?|mrs?|pulls?|tickets?|stor(?:y|ies)|pull-?requests?|merge-?requests?|work-?items?|bugs?|cards?|epics?|discussions?|comments?|notes?|wiki|rfcs?|adrs?';
const THREAD_VERB = 'view|show|get|read|display|describe|print|cat|comments|notes|browse';
/** A command that shows one of a tracker's entries: noun and verb in either order, or the address of one. */
const THREAD_COMMAND = new RegExp(
  `(?:^|[\\s;&|/])(?:${THREAD_NOUN})\\s(?:\\S{1,40}\\s){0,2}?(?:${THREAD_VERB})(?![\\w-])|(?:^|[;&|]\\s{0,4})(?:bd|br|jira|linear|tk|adr|td)\\s(?:${THREAD_VERB})\\s|(?:curl|wget|http|gh api|glab api)\\s.{0,200}?/(?:issues|pulls?|merge_requests|discussions|browse|wiki|issue|comments)/`,
  'i',
);
const THREAD_TOOL = new Set(
  'issue issues pr pull mr merge ticket story comment comments discussion jira linear confluence wiki notion adr rfc review reviews'.split(
    ' ',
  ),
);
const MEMORY_TOOL = new Set(['memory', 'memories', 'recall', 'remembered']);
const SHOWS = new Set(['get', 'view', 'read', 'fetch', 'show', 'retrieve', 'recall', 'load', 'describe']);
const NO_SHOW = new Set(
  'create list update add write delete edit close search submit post reply store save merge assign diff files status'.split(
    ' ',
  ),
);

/** The document that a tool use printed, or undefined when it printed none. */
export function documentOf(use: ToolUse): PrintedDocument | undefined {
  const { result } = use;
  if (result === undefined || result.failed || REFUSED.test(result.text.slice(0, 100))) return undefined;
  const page = namesPage(use) ? pageOf(use) : undefined;
  const named = page ?? threadOf(use);
  if (named === undefined) return undefined;
  const text = withoutFrame(result.text);
  const { whole, ...document } = named;
  const title = /^\s{0,3}#\s.{0,100}/m.exec(text.slice(0, 2000))?.[0] ?? '';
  const edition = whole ? { edition: `${normalizePath(document.name)} ${title.trim()}` } : {};
  return { ...document, ...edition, text, at: result.at };
}

/** What a client says where the human did not allow the call. */
const REFUSED = /^\s*The (?:user doesn['’]t want|tool use was rejected)/;

/** True when a call may name such a file; most calls do not, and are not looked at further. */
function namesPage(use: ToolUse): boolean {
  const source = use.command ?? (use.source === '' ? [...use.fields.text.values()].flat().join(' ') : use.source);
  return source.length <= MOST_NAMED && TEXT_NAMED.test(source);
}

type Named = Omit<PrintedDocument, 'text' | 'at' | 'edition'> & { readonly whole: boolean };

function pageOf(use: ToolUse): Named | undefined {
  const files = fileActions(use).filter((action) => action.kind === 'read');
  const prints = use.command === undefined || PRINTS.test(use.command);
  const isPage = (path: string): boolean => PAGE.test(baseName(path));
  const path = (files.find((file) => isRuleFile(file.path)) ?? files.find((file) => isPage(file.path)))?.path;
  if (path === undefined) {
    const shown = prints && files.length === 0 ? PAGE_IN_COMMAND.exec(use.command ?? '')?.[0] : undefined;
    if (
      shown === undefined ||
      use.command === undefined ||
      /<<|>\s{0,4}\S{1,200}\.(?:md|mdx|rst|adoc)/.test(use.command)
    )
      return undefined;
    return { kind: 'page', name: shown, whole: false, read: true };
  }
  const only = files.every((file) => isPage(file.path) || isRuleFile(file.path));
  const remembers = MEMORY_FILE.test(normalizePath(path));
  return {
    kind: isRuleFile(path) ? 'rules' : remembers ? 'memory' : 'page',
    name: path,
    whole: files.length === 1 && readsWhole(use),
    read: prints && only && !OTHER_PAGE.test(normalizePath(path)),
  };
}

function threadOf(use: ToolUse): Named | undefined {
  const { command } = use;
  if (command !== undefined) {
    if (command.length > LONGEST_SHOW || !THREAD_COMMAND.test(command)) return undefined;
    const shows = command.split(/&&|[;|\n]/).find((part) => THREAD_COMMAND.test(part));
    return { kind: 'thread', name: shortCommand(shows ?? command), whole: false, read: true };
  }
  const words = use.name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (!words.some((word) => SHOWS.has(word)) || words.some((word) => NO_SHOW.has(word))) return undefined;
  if (words.some((word) => MEMORY_TOOL.has(word))) return { kind: 'memory', name: use.name, whole: false, read: true };
  return words.some((word) => THREAD_TOOL.has(word))
    ? { kind: 'thread', name: use.name, whole: false, read: true }
    : undefined;
}

/** What tools print before a line of a file: its number. */
const LINE_NUMBER = /^[ \t]{0,8}\d{1,6}(?: ?[→|:\t]|[ \t]{2,})[ \t]?/gm;
/** `12. text`: only where all lines begin so, else it is a list. */
const LINE_COUNTED = /^[ \t]{0,8}\d{1,6}\.(?: |$)/;

/** The file without what a tool puts around it: line numbers, a fence with the file's name. */
function withoutFrame(printed: string): string {
  const text = withoutNotes(ends(printed, MOST_READ)).replace(
    /^\s*(`{3,})[^\n]{0,40}\n(?:[^\n]{0,8}filepath:[^\n]*\n)?([\s\S]*?)\n?\1\s*$/,
    '$2',
  );
  const lines = text.split('\n');
  const counted = lines.length > 2 && lines.slice(0, -1).every((line) => LINE_COUNTED.test(line));
  return counted ? lines.map((line) => line.replace(LINE_COUNTED, '')).join('\n') : text.replace(LINE_NUMBER, '');
}

/** A client's own words to the model behind the file. */
function withoutNotes(text: string): string {
  return text.includes(NOTE) ? text.slice(0, text.lastIndexOf(NOTE)) : text;
}

const NOTE = '<system-reminder>';
const PARTIAL = ['offset', 'limit', 'viewrange', 'linerange', 'ranges', 'starts', 'pages'];

/** True when a reading has no sign that it shows a part of the file. */
function readsWhole(use: ToolUse): boolean {
  if (use.command !== undefined) return /^\s*cat\s+\S+\s*$/.test(use.command);
  const named = isRecord(use.fields.parsed) ? Object.keys(use.fields.parsed).map(fieldName) : [];
  return !named.some((name) => PARTIAL.includes(name) || /^(?:start|end|from|to)line/.test(name));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRuleFile(path: string): boolean {
  return RULE_FILE.test(baseName(path)) || RULE_FOLDER.test(normalizePath(path));
}
