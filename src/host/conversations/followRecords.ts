import { noteEvent } from '../../core/conversation/tokenHistory.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import type { ActiveConversation } from './activeConversation.ts';
import { momentOf } from './momentOf.ts';

/**
 * Takes over what an event of an open conversation, whoever leads it, says about its records: its history and running
 * compaction, and its preview, which must fit them; new records are saved. `run` runs the saving; a failure is reported.
 */
export function followRecords(
  active: ActiveConversation,
  event: KarlEvent,
  run: (work: Promise<unknown>) => void,
): void {
  active.history = noteEvent(active.history, event, momentOf(active, event));
  switch (event.type) {
    case 'compaction-started':
      active.compressing = event;
      break;
    case 'compaction-ended':
      active.compressing = undefined;
      if (event.result.kind === 'compacted') active.preview?.noteRecords();
      run(active.saveAndReport());
      break;
    case 'compaction-by-hand':
    case 'compaction-undone':
    case 'compaction-redone':
      active.preview?.noteRecords();
      run(active.saveAndReport());
      break;
    default:
      break;
  }
}
