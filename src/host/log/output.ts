import * as vscode from 'vscode';
import type { KarlEvent } from '../../core/events/event.ts';
import { type EventContext, formatEvent } from '../../core/events/format.ts';

/** The output channel "Karl": one line an event, the same as in the daily log, by level. */
export class Output implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Karl', { log: true });

  /** Writes one event, if it is one that the log keeps. */
  write(event: KarlEvent, context: EventContext): void {
    const line = formatEvent(event, context);
    if (line === undefined) return;
    if (event.type === 'warning' || event.type === 'retry' || event.type === 'tools-refused' || isFailure(event))
      this.#channel.warn(line);
    else if (event.type === 'model-error') this.#channel.error(line);
    else this.#channel.info(line);
  }

  /** Says something that is no event of a conversation. The text must hold no message text and no key. */
  say(level: 'info' | 'warn' | 'error', text: string): void {
    this.#channel[level](text);
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

function isFailure(event: KarlEvent): boolean {
  return event.type === 'compaction-ended' && event.result.kind === 'failed';
}
