#!/usr/bin/env node
// Looks like the `code` program to @vscode/test-electron: takes the same parameters, runs the suite in VS Code's server
// with a headless browser, prints what mocha prints and ends with the code that VS Code would end with.
import fs from 'node:fs';
import { format } from 'node:util';
import { launchBrowser, toRemote, windowUrl } from '../harness/editor.ts';
import { whenInterrupted } from '../harness/interruption.ts';
import { startServer } from '../harness/server.ts';

/** Any text that the workbench itself never starts a line with. */
const PREFIX = '\u200bkarl|';
/** Lines of the workbench that are shown when the suite never ends. */
const KEPT_LINES = 40;
const SUITE_TIMEOUT = 8 * 60_000;

process.exitCode = await runSuite();

async function runSuite(): Promise<number> {
  const tests = readOption('extensionTestsPath');
  const workspace = process.argv.slice(2).find((word) => !word.startsWith('-') && fs.existsSync(word));
  if (tests === undefined || workspace === undefined) throw new Error('a suite and a workspace are needed');
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('KARL_TEST_')) as [string, string][];
  const env = { ...Object.fromEntries(given), KARL_TEST_PREFIX: PREFIX };
  const server = await startServer({ extension: { kind: 'development' }, builtins: 'few', env });
  whenInterrupted(() => server.stop());
  const noise: string[] = [];
  try {
    const browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
    // VS Code calls these two when it runs an extension's tests in a browser.
    const ended = new Promise<number>((resolve) => page.exposeFunction('codeAutomationExit', resolve));
    await page.exposeFunction('codeAutomationLog', (level: string, parts: unknown[]) => {
      const line = format(...parts);
      if (line.startsWith(PREFIX)) console.log(line.slice(PREFIX.length));
      else noise.push(`[${level}] ${line}`);
    });
    await page.goto(windowUrl(server, workspace, [['extensionTestsPath', toRemote(tests)]]));
    const code = await Promise.race([ended, expire()]);
    if (code === undefined) console.error(`${noise.slice(-KEPT_LINES).join('\n')}\nthe suite did not end`);
    await browser.close();
    return code ?? 124;
  } finally {
    await server.stop();
  }
}

function expire(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), SUITE_TIMEOUT).unref();
  });
}

function readOption(name: string): string | undefined {
  const prefix = `--${name}=`;
  return process.argv.find((word) => word.startsWith(prefix))?.slice(prefix.length);
}
