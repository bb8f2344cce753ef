import * as vscode from 'vscode';
import type { CommandScreen, ShownCommand } from '../../core/session/workPorts.ts';
import { t } from '../../language/language.ts';

const INTERRUPT = '\x03';
/** How much output is kept while a terminal opens, characters. */
const LONGEST_KEPT = 100_000;

/** One terminal, and the command that runs in it. */
interface Screen {
  readonly terminal: vscode.Terminal;
  readonly print: (text: string) => void;
  command: ShownCommand | undefined;
}

/**
 * The terminals that show the commands of an agent: one for commands that run one after another, and another one for each
 * command that runs beside them. The only input is Ctrl+C, which stops the command; so does closing the terminal.
 */
export class CommandTerminal implements vscode.Disposable {
  readonly #screens = new Set<Screen>();

  /** Shows a command that begins to run. Only a new terminal is brought to the front. */
  show(command: ShownCommand): CommandScreen {
    const free = [...this.#screens].find((screen) => screen.command === undefined);
    const screen = free ?? this.#open();
    screen.command = command;
    if (free === undefined) screen.terminal.show(true);
    screen.print(`\x1b[1m${command.folder}> ${command.command}\x1b[0m\n`);
    return {
      print: screen.print,
      end: (how, failed) => {
        screen.command = undefined;
        screen.print(`\x1b[${failed ? 31 : 32}m${how}\x1b[0m\n\n`);
      },
    };
  }

  dispose(): void {
    for (const { terminal } of this.#screens) terminal.dispose();
  }

  #open(): Screen {
    const written = new vscode.EventEmitter<string>();
    let waiting: string | undefined = '';
    const print = (text: string): void => {
      const lines = text.replace(/\r?\n/g, '\r\n');
      if (waiting === undefined) written.fire(lines);
      else waiting = (waiting + lines).slice(-LONGEST_KEPT);
    };
    const pty: vscode.Pseudoterminal = {
      onDidWrite: written.event,
      open: () => {
        written.fire(waiting ?? '');
        waiting = undefined;
      },
      close: () => {
        this.#screens.delete(screen);
        screen.command?.stop();
      },
      handleInput: (typed) => {
        if (typed === INTERRUPT) screen.command?.stop();
      },
    };
    const terminal = vscode.window.createTerminal({
      name: t('Karl: Commands'),
      pty,
      iconPath: new vscode.ThemeIcon('terminal'),
      isTransient: true,
    });
    const screen: Screen = { terminal, print, command: undefined };
    this.#screens.add(screen);
    return screen;
  }
}
