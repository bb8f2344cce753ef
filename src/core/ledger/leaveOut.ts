import type { MessageId } from '../messages/message.ts';
import type { Ledger } from './ledger.ts';

/** The ledger without the facts of some messages. What those facts ended stays ended. */
export function leaveOut(ledger: Ledger, left: ReadonlySet<MessageId>): Ledger {
  if (left.size === 0) return ledger;
  return {
    update: (blocks, upTo) => ledger.update(blocks, upTo),
    get blocksRead() {
      return ledger.blocksRead;
    },
    settle: () => ledger.settle(),
    facts: () => ledger.facts().filter(({ at }) => !left.has(at)),
    changes: () => ledger.changes(),
  };
}
