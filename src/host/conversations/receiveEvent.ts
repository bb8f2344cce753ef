import type { KarlEvent } from '../../core/events/event.ts';
import { retell } from '../../core/language.ts';
import { announceResult, chooseStrategy } from '../notices/compressionResult.ts';
import { SELECT_MODEL } from '../notices/describeModelError.ts';
import { toolsNotice } from '../notices/outcomes.ts';
import type { ActiveConversation } from './activeConversation.ts';
import type { Connections } from './connections.ts';
import { followRecords } from './followRecords.ts';
import type { Hooks } from './hooks.ts';

/** Hands an event of a conversation of Karl's own agent to log, file, hooks, view and user. */
export function receiveEvent(
  active: ActiveConversation,
  event: KarlEvent,
  connections: Connections,
  hooks: Hooks,
): void {
  const { sinks, notices, announcer, windows, settings, actions, run, refresh } = connections;
  // What is closed has nothing to say among the notices of the next one.
  const isOpen = connections.active() === active;
  const profile = active.conversation.profile();
  sinks.emit({ event, context: { at: Date.now(), conversation: active.id, model: profile.id } });
  const begun = active.compressing;
  followRecords(active, event, run);
  switch (event.type) {
    case 'compaction-ended':
      if (isOpen) notices.remove('busy');
      if (event.result.kind === 'compacted')
        run(hooks.after({ conversation: active.id, model: profile.id }, event.result));
      if (!isOpen) break;
      announceResult(event.result, event.trigger, announcer, {
        undo: (id) => run(actions.undo(id)),
        show: () => run(actions.reveal()),
        choose: () => chooseStrategy(announcer),
        mend: (cure, after) => run(actions.mend(cure).then((isMended) => (isMended ? after() : undefined))),
        // A run that was previewed showed there what it lacks.
        ...(begun !== undefined &&
          !(active.preview !== undefined && event.result.kind === 'compacted') && {
            again: (inPlaceOf) => run(actions.compress(begun.strategy, begun.instructions, inPlaceOf)),
          }),
        summaryModel: settings.current['summary.model'],
      });
      break;
    case 'window-learned':
      run(active.saveAndReport());
      if (event.window.source === 'error') run(windows.hear(profile, event.window));
      break;
    case 'warning':
      if (isOpen) notices.show({ id: 'warning', severity: 'warning', text: retell(event.message), passing: true });
      break;
    case 'tools-refused':
      if (isOpen) notices.show(toolsNotice(event.model, () => run(actions.mend(SELECT_MODEL))));
      break;
    default:
      break;
  }
  refresh();
}
