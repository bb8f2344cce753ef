import { err, ok } from '../../result.ts';
import { noteLength } from '../notes/narrative.ts';
import type { Strategy } from '../strategy.ts';
import { hasReplaceable, lastMessagesStart } from './lastMessages.ts';
import { planTold, type Size } from './noted.ts';
import { runsToNote } from './noteRuns.ts';

/** Keeps the last messages; a model writes a note about the rest (one for each run between frozen messages). */
export const karl: Strategy = {
  id: 'karl',
  model: 'required',
  promise: 'facts-in-view',
  messageTrigger: 50,
  *plan(input) {
    const { draft, settings } = input;
    const end = lastMessagesStart(draft, settings.keepLastMessages);
    if (end === 0) return err({ reason: 'too-few-messages' });
    if (!hasReplaceable(draft, end)) return err({ reason: 'nothing-to-compact' });
    const runs = yield* runsToNote(draft, 0, end, input.target);
    if (runs.length === 0) return err({ reason: 'nothing-to-compact' });
    const most = settings.summary.maxTokens;
    const tokens = ({ shown, raw }: Size) => Math.min(noteLength(raw, most), shown * 0.8);
    return ok(yield* planTold(input, runs, { detail: 'brief', tokens }));
  },
};
