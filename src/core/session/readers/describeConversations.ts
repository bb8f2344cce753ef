import { USED_SOURCE_WORDS, WINDOW_SOURCE_WORDS } from '../../model/budget.ts';
import type { Listed, Readable } from './readable.ts';

/** How many conversations are listed. */
const LISTED = 20;

/** Describes a conversation's budget to a model. */
export function describeBudget({ figures, isLive, ...about }: Readable): string {
  const name = nameOf(about);
  if (figures === undefined) return `${name}: its budget was not stored.`;
  const { used, usedSource, limit, window, windowSource, reserve, trigger, compressions, last } = figures;
  return [
    `${name}, model ${figures.model}${isLive ? '' : `, as of ${new Date(figures.at).toISOString()}`}:`,
    ...(windowSource === 'unknown'
      ? [
          `used: ${count(used)} tokens (${USED_SOURCE_WORDS[usedSource]})`,
          'window: unknown, so nothing is compressed by itself',
        ]
      : [
          `used: ${count(used)} of ${count(limit)} tokens (${USED_SOURCE_WORDS[usedSource]})`,
          `window: ${count(window)} tokens (${WINDOW_SOURCE_WORDS[windowSource]}), ${count(reserve)} of them kept free for the reply`,
          `next compression: at ${count(trigger)} tokens`,
        ]),
    last === undefined
      ? 'compressions: none'
      : `compressions: ${compressions}, the last from ${count(last.before)} to ${count(last.after)} tokens`,
  ].join('\n');
}

/** The list of the conversations of this workspace, for a model. */
export function describeList(all: readonly Listed[]): string {
  const lines = all.slice(0, LISTED).map((one) => {
    const who = one.client === undefined ? '' : `, by ${JSON.stringify(one.client)}`;
    return `- ${nameOf(one)}${who}, last used ${new Date(one.updatedAt).toISOString()}`;
  });
  const more = all.length > LISTED ? [`… and ${all.length - LISTED} older ones`] : [];
  return ['Conversations of this workspace, newest first:', ...lines, ...more].join('\n');
}

/**
 * The id and title of a conversation. A title is text of the user or of a client, so it is put in quotes, on one line.
 */
export function nameOf({ id, title }: Pick<Listed, 'id' | 'title'>): string {
  return `${id} ${JSON.stringify(title)}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
