// npm start: opens VS Code with Karl, the sample workspace and the sample conversation.
// npm start -- --screenshot FILE [--theme light|dark] [--timeout SECONDS]: saves a picture when Karl is ready, and ends.
import { parseArgs } from 'node:util';
import { openDesktop } from './harness/desktop.ts';
import { copySampleWorkspace, openEditor, type Theme, windowUrl } from './harness/editor.ts';
import { untilInterrupted, whenInterrupted } from './harness/interruption.ts';
import { openKarlView, READY_TIMEOUT, waitUntilReady } from './harness/ready.ts';
import { startServer } from './harness/server.ts';
import { chooseEditor } from './setup/chooseEditor.ts';
import { build } from './setup/root.ts';

/** Tells the extension to open the sample conversation when it starts. */
const OPEN_SAMPLE = { KARL_OPEN_SAMPLE: '1' };

const { values } = parseArgs({
  options: { screenshot: { type: 'string' }, theme: { type: 'string', default: 'dark' }, timeout: { type: 'string' } },
});
const theme = readTheme(values.theme);
const timeout = values.timeout === undefined ? READY_TIMEOUT : Number(values.timeout) * 1000;
build();
if (values.screenshot !== undefined) {
  await savePicture(values.screenshot);
  console.log(`Karl was ready; the picture is ${values.screenshot}`);
} else {
  const choice = await chooseEditor();
  if (choice.kind === 'desktop') await openDesktop({ executable: choice.executable, theme, env: OPEN_SAMPLE });
  else await serve();
}

/** In VS Code's server, on a desktop too. */
async function savePicture(file: string): Promise<void> {
  const editor = await openEditor({ extension: { kind: 'linked' }, env: OPEN_SAMPLE });
  whenInterrupted(() => editor.close());
  try {
    const page = await editor.openPage({ theme });
    await waitUntilReady(page, timeout);
    await openKarlView(page, timeout);
    await page.screenshot({ path: file });
  } finally {
    await editor.close();
  }
}

async function serve(): Promise<void> {
  const server = await startServer({ extension: { kind: 'linked' }, env: OPEN_SAMPLE });
  try {
    console.log(
      `VS Code with Karl is at\n\n  ${windowUrl(server, copySampleWorkspace(server.folder))}\n\nCtrl+C ends it.`,
    );
    await untilInterrupted();
  } finally {
    await server.stop();
  }
}

function readTheme(text: string): Theme {
  if (text === 'light' || text === 'dark') return text;
  throw new Error(`--theme is light or dark, not ${text}`);
}
