import * as vscode from 'vscode';
import type { KarlEvent } from '../../core/events/event.ts';
import { Fanout } from '../../core/events/fanout.ts';
import { type EventContext, formatEvent } from '../../core/events/format.ts';
import { inEnglish, t, translate, type Words } from '../../core/language.ts';
import type { Warn } from '../adapters.ts';
import type { Host } from '../host.ts';
import { plainText } from '../present/words.ts';
import { MovableLog, resolveLogDirectory } from './movableLog.ts';

/** Where this window says what happens: in the output channel, and in the daily log, whose folder a setting names. */
export class WindowLog implements vscode.Disposable {
  readonly output = new Output();
  /** Runs work that nobody waits for; an error that it throws is shown. */
  readonly run = background(this.output);
  readonly file: MovableLog;
  /** Takes the events of conversations. */
  readonly sinks: Fanout<LoggedEvent>;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    this.file = new MovableLog((directory) => host.adapters.createLog(directory, this.warn), this.#directory());
    this.sinks = createEventSinks(this.output, this.file);
  }

  /** Says something in the output channel, and as a warning of VS Code. */
  readonly warn: Warn = (message) => {
    this.note(message);
    void vscode.window.showWarningMessage(plainText(`Karl: ${translate(message)}`));
  };

  /** Says something in the output channel alone. */
  readonly note = (message: Words): void => this.output.say('warn', inEnglish(message));

  /** Logs from now on where the setting says. */
  follow(): void {
    this.file.move(this.#directory());
  }

  dispose(): void {
    this.sinks.dispose();
    this.output.dispose();
  }

  #directory(): string {
    const { adapters, context, settings } = this.#host;
    return resolveLogDirectory(settings.current['log.directory'], {
      storage: context.globalStorageUri.fsPath,
      workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      home: adapters.home,
    });
  }
}

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

  /** Logs a line that belongs to no conversation. It must contain no message text and no key. */
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
function createEventSinks(output: Output, log: LogPort): Fanout<LoggedEvent> {
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

/** Opens today's log with everything that has happened until now; tells when there is none yet. */
export async function showLog(log: LogPort, output: Output, tell: (text: string) => void): Promise<void> {
  await log.flush();
  const uri = vscode.Uri.file(log.path());
  try {
    await vscode.window.showTextDocument(uri, { preview: true });
  } catch (error) {
    // VS Code rejects when the file is not there; nothing else can be wrong with a path that Karl made.
    const reason = error instanceof Error ? error.message : String(error);
    tell(t('There is no log for today yet: {0}', uri.fsPath));
    output.say('info', `log not opened: ${reason}`);
  }
}

/** Returns what runs work that nobody waits for: an error that it throws is a bug, and is shown. */
function background(output: Output): (work: Promise<unknown>) => void {
  return (work) => {
    work.catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      output.say('error', text);
      void vscode.window.showErrorMessage(plainText(`Karl: ${error instanceof Error ? error.message : text}`));
    });
  };
}
