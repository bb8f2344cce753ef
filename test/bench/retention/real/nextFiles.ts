import type { ChatMessage } from '../../../../src/core/messages/chat.ts';
import { countTokens } from '../../../../src/engine.ts';
import { compactOnce, openUnderTest } from '../contender.ts';
import { flatten, messageTexts, readView } from '../readView.ts';
import { Recovery } from '../recovery.ts';
import type { Session } from './readSessions.ts';
import { fileNames } from './structuredFacts.ts';

/** How far after a compaction the session is looked at, messages. */
const NEXT = 60;

/** What a compaction at the place of a real one would have left of the files that were used right after. */
export interface NextFiles {
  readonly session: string;
  readonly before: number;
  /** Names used in the next messages and seen before. */
  readonly names: number;
  readonly inView: number;
  readonly recoverable: number;
  /** Shares of the tokens before: of the whole view, and of the messages of the human in it. */
  readonly kept: number;
  readonly keptHuman: number;
  readonly milliseconds: number;
  readonly missing: readonly string[];
  readonly remark?: string;
}

/**
 * Compacts a session at one of its true compaction points to `share` of its tokens; what the human wrote is counted
 * separately.
 */
export async function measureNextFiles(session: Session, before: number, share: number): Promise<NextFiles> {
  const source = session.messages.slice(0, before);
  const known = flatten(source.flatMap(messageTexts).join('\n'));
  const names = [...fileNames(session.messages.slice(before, before + NEXT))].filter((name) => nameStands(name, known));
  const tokens = countTokens(source);
  const conversation = openUnderTest(source, 'adaptive');
  const outcome = await compactOnce(conversation, tokens * share);
  const view = readView(outcome.view, source);
  const recovery = new Recovery(view, outcome.recall);
  const missing = names.filter((name) => !nameStands(name, view.flat));
  let lost = 0;
  for (const name of missing) {
    if (!(await recovery.some((text) => nameStands(name, text)))) lost += 1;
  }
  const human = outcome.view.filter((message, index) => message.role === 'user' && view.messages[index]?.raw === true);
  return {
    session: session.id,
    before,
    names: names.length,
    inView: names.length - missing.length,
    recoverable: names.length - lost,
    kept: countTokens(outcome.view) / tokens,
    keptHuman: countTokens(human as ChatMessage[]) / tokens,
    milliseconds: outcome.milliseconds,
    missing,
    ...(outcome.remark !== undefined && { remark: outcome.remark }),
  };
}

/** True when a file's name stands in a text as a name of its own, with or without folders before it. */
function nameStands(name: string, flat: string): boolean {
  for (let at = flat.indexOf(name); at >= 0; at = flat.indexOf(name, at + 1)) {
    const before = flat[at - 1] ?? ' ';
    const after = flat.slice(at + name.length, at + name.length + 2);
    if (!/[\w.-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true;
  }
  return false;
}
