import * as vscode from 'vscode';
import type { KarlEvent } from '../../core/events/event.ts';
import { Fanout } from '../../core/events/fanout.ts';
import { type EventContext, formatEvent } from '../../core/events/format.ts';
import { t } from '../../core/language.ts';
import { plainText } from '../notices/plainText.ts';
import type { Output } from './output.ts';

/** The daily log. A port: the composition root injects one that writes files. */
export interface LogPort {
  /** Queues one line; never throws. */
  write(line: string): void;
  /** Where a line written now goes. */
  path(): string;
  /** Resolves when every line queued so far is written or given up. */
  flush(): Promise<void>;
}

/** An event of a conversation, and what else a log line says. */
export interface LoggedEvent {
  readonly event: KarlEvent;
  readonly context: EventContext;
}

const LOG = 'log';

/** Sends every event to the output channel and to the daily log. A sink that fails costs one warning. */
export function createEventSinks(output: Output, log: LogPort): Fanout<LoggedEvent> {
  const fanout = new Fanout<LoggedEvent>(({ sink, error }) => {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(
      plainText(
        sink === LOG ? t('Karl: the daily log failed: {0}', reason) : t('Karl: the output channel failed: {0}', reason),
      ),
    );
  });
  fanout.add('output', ({ event, context }) => output.write(event, context));
  fanout.add(LOG, ({ event, context }) => {
    const line = formatEvent(event, context);
    if (line !== undefined) log.write(line);
  });
  return fanout;
}
