import { isStated } from '../../ledger/audit.ts';
import type { Fact } from '../../ledger/fact.ts';
import { neutralise } from '../../messages/fence.ts';
import type { MessageId } from '../../messages/message.ts';
import { contentText } from '../../messages/parse.ts';
import type { Unit } from '../draft.ts';

/** True when a text says a fact, as it was or as a fence quotes it: with the fence's own mark neutralised. */
export function isShown(fact: Fact, text: string): boolean {
  if (isStated(fact, text)) return true;
  const value = neutralise(fact.value);
  return value !== fact.value && isStated({ ...fact, value }, text);
}

/** Everything that made messages of some units say, as one text. */
export function madeText(units: readonly Unit[]): string {
  return units
    .filter((unit) => unit.state !== 'whole')
    .flatMap((unit) => unit.messages.map((message) => contentText(message) + callText(message.tool_calls)))
    .join('\n');
}

function callText(calls: readonly { function: { arguments: string } }[] | undefined): string {
  return calls === undefined ? '' : `\n${calls.map((call) => call.function.arguments).join('\n')}`;
}

/** The ids of the messages that stand whole in some units. */
export function wholeIds(units: readonly Unit[]): ReadonlySet<MessageId> {
  const ids = new Set<MessageId>();
  for (const unit of units) {
    if (unit.state !== 'whole') continue;
    for (let id = unit.range.from; id <= unit.range.to; id += 1) ids.add(id);
  }
  return ids;
}
