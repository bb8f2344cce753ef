import { parseArgs } from 'node:util';
import { StandIns } from '../adapters/sessions/standIns.ts';
import { writerOf } from '../core/chat/human.ts';
import { contentText } from '../core/chat/parse.ts';
import type { ChatMessage, ChatPart } from '../core/chat/wire.ts';
import { countTokens } from '../engine.ts';
import { inEnglish } from '../language/language.ts';
import { openGiven, say } from './openGiven.ts';

/** How many of the largest results are named. */
const LARGEST = 5;

/** `karl show`: what fills the window of a session. */
export async function showSession(words: readonly string[]): Promise<undefined> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { json: { type: 'boolean' } },
    allowPositionals: true,
  });
  // Figures do not need the texts, which stay in the file.
  const standIns = new StandIns(countTokens);
  const { file, session } = await openGiven(positionals[0], { standIns });
  const use = measure(session.messages, (text) => standIns.count(text, countTokens));
  if (values.json === true) {
    const { agent, id, folder, model, compactions, repairs } = session;
    console.log(
      JSON.stringify({ file, agent, id, folder, model, ...use, compactions, repairs: repairs.map(inEnglish) }),
    );
    return undefined;
  }
  say(`${session.agentTitle} ${session.id ?? ''}\n${file}\n${session.folder ?? ''}`);
  say(`\n${session.messages.length} messages, ${use.tokens} tokens\n`);
  for (const { what, tokens, count } of use.parts)
    say(
      `${String(tokens).padStart(9)}  ${`${((100 * tokens) / use.tokens).toFixed(1)} %`.padStart(7)}  ${what} (${count})`,
    );
  say('\nThe largest results:');
  for (const { handle, tokens, call } of use.largest) say(`${String(tokens).padStart(9)}  ${handle.padEnd(6)} ${call}`);
  for (const { before, kept = [], summary } of session.compactions) {
    const lost = before - kept.length;
    say(
      `\n${session.agentTitle} compacted before t${before}: it discarded ${lost} of the ${before} messages up to there.`,
    );
    if (summary !== undefined) say(summary.slice(0, 600));
  }
  for (const repair of session.repairs) say(`\n${inEnglish(repair)}`);
  return undefined;
}

/** What takes how many tokens of a session. */
export interface WindowUse {
  readonly tokens: number;
  /** By who or what wrote it, the largest first. */
  readonly parts: readonly { readonly what: string; readonly tokens: number; readonly count: number }[];
  readonly largest: readonly { readonly handle: string; readonly tokens: number; readonly call: string }[];
}

/** Counts the messages of a session by what they are: the human's, the model's, and the calls and results of each tool. */
export function measure(messages: readonly ChatMessage[], count: (text: string) => number = countTokens): WindowUse {
  const parts = new Map<string, { tokens: number; count: number }>();
  const add = (what: string, text: string, tokens = count(text)) => {
    const part = parts.get(what) ?? { tokens: 0, count: 0 };
    parts.set(what, { tokens: part.tokens + tokens, count: part.count + 1 });
    return tokens;
  };
  const calls = new Map<string, { readonly name: string; readonly arguments: string }>();
  const results: { readonly handle: string; readonly tokens: number; readonly call: string }[] = [];
  messages.forEach((message, at) => {
    const text = contentText(message);
    const content = Array.isArray(message.content) ? (message.content as readonly ChatPart[]) : [];
    const images = content.filter(({ type }) => type !== 'text');
    // Each by itself, without the marks around a message.
    for (const image of images)
      add(
        'images',
        '',
        countTokens([{ role: 'user', content: [image] }]) - countTokens([{ role: 'user', content: '' }]),
      );
    if (message.role === 'tool') {
      const call = calls.get(message.tool_call_id ?? '');
      const tokens = add(`results of ${call?.name ?? 'unknown tools'}`, text);
      results.push({ handle: `t${at}`, tokens, call: `${call?.name ?? ''} ${call?.arguments ?? ''}`.slice(0, 100) });
      return;
    }
    const { tool_calls = [], reasoning_content: thought } = message;
    if (text !== '') add(nameOf(message, text), text);
    if (typeof thought === 'string') add('thoughts of the model', thought);
    for (const { id, function: called } of tool_calls) {
      calls.set(id, called);
      add(`calls of ${called.name}`, called.arguments);
    }
  });
  const sorted = [...parts].map(([what, part]) => ({ what, ...part })).sort((one, other) => other.tokens - one.tokens);
  return {
    tokens: sorted.reduce((sum, { tokens }) => sum + tokens, 0),
    parts: sorted,
    largest: results.sort((one, other) => other.tokens - one.tokens).slice(0, LARGEST),
  };
}

function nameOf(message: ChatMessage, text: string): string {
  if (message.role === 'assistant') return 'texts of the model';
  if (message.role !== 'user') return 'prompts of the agent';
  return writerOf(message, text) === 'human' ? 'messages of the user' : 'notes of the agent';
}
