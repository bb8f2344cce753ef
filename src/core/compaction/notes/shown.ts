import { isStated, prepareText } from '../../ledger/audit.ts';
import type { Fact } from '../../ledger/fact.ts';
import { findHolding } from '../../messages/blocks.ts';
import { neutralise } from '../../messages/fence.ts';
import type { MessageId } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import { eachInSteps, type Steps } from '../../steps.ts';
import type { Unit } from '../unit.ts';

/** True when a text states a fact, literally or as a fence quotes it, with the fence's own mark neutralised. */
export function isShown(fact: Fact, text: string): boolean {
  if (isStated(fact, text)) return true;
  const value = neutralise(fact.value);
  return value !== fact.value && isStated({ ...fact, value }, text);
}

/** The text of all messages that are not whole in some units, as one text in which facts can be looked for. */
export function* madeText(units: readonly Unit[]): Steps<string> {
  const texts: string[] = [];
  yield* eachInSteps(units, ({ state, messages }) => {
    if (state !== 'whole')
      for (const message of messages) texts.push(contentText(message) + callText(message.tool_calls));
  });
  const text = texts.join('\n');
  yield* prepareText(text);
  return text;
}

function callText(calls: readonly { function: { arguments: string } }[] | undefined): string {
  return calls === undefined ? '' : `\n${calls.map((call) => call.function.arguments).join('\n')}`;
}

/** True for a message that is whole in some units. */
export function standsWhole(units: readonly Unit[], id: MessageId): boolean {
  return units[findHolding(units, id)]?.state === 'whole';
}
