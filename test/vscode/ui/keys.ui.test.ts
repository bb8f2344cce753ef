import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply, type ScriptedReply } from '../../adapters/server/reply.ts';
import { type Editor, openEditor } from '../harness/editor.ts';
import { waitUntilActive } from '../harness/ready.ts';
import {
  enterText,
  findWebview,
  pick,
  pressAway,
  readNotifications,
  readOutput,
  runCommand,
  sendMessage,
  waitFor,
} from '../harness/workbench.ts';

/** Karl takes only loopback names for local; this address leads to the same place without being one of them. */
const foreign = (server: ProviderServer) => server.baseUrl.replace('127.0.0.1', '0.0.0.0');

/** A key that no pattern of keys knows. */
const CANARY = 'mellon-of-moria-1978';

/** What servers repeat of a request that they refuse; the question says how. */
const ECHOES: Readonly<Record<string, (authorization: string) => ScriptedReply>> = {
  first: (sent) => errorReply(401, { error: { message: `Incorrect API key provided: ${sent.slice(7)}` } }),
  second: (sent) => errorReply(422, { detail: [{ loc: ['header', 'authorization'], msg: `bad header ${sent}` }] }),
  third: (sent) => errorReply(400, `headers were ${JSON.stringify({ authorization: sent })} and ${'x'.repeat(400)}`),
  fourth: (sent) => ({ contentType: 'application/json', steps: [{ raw: JSON.stringify({ note: sent }) }] }),
};

/** The whole markup of a page with that of its shadow trees. */
function readEverything(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const read = (root: ParentNode): string =>
      [...root.querySelectorAll('*')]
        .map(({ shadowRoot }) => (shadowRoot ? shadowRoot.innerHTML + read(shadowRoot) : ''))
        .join('');
    return document.body.innerHTML + read(document);
  });
}

describe('a key', () => {
  let first: ProviderServer;
  let second: ProviderServer;
  let editor: Editor;

  before(async () => {
    first = await ProviderServer.start();
    second = await ProviderServer.start();
    editor = await openEditor({ extension: { kind: 'linked' } });
  });

  after(async () => {
    await editor.close();
    await first.close();
    await second.close();
  });

  const authorizations = (server: ProviderServer) => server.requests.map(({ headers }) => headers.authorization ?? '');

  it('is asked for once an origin, is sent to that origin only and stands in no file', async () => {
    const settings = { 'karl.baseUrl': foreign(first), 'karl.model': 'loopback-model' };
    const page = await editor.openPage({ settings });
    await waitUntilActive(page);
    await runCommand(page, 'Karl: New Conversation');
    await sendMessage(page, 'Hello');
    await pick(page, 'Send the conversations of this folder');
    await enterText(page, `API key for ${new URL(foreign(first)).origin}`, 'key-of-the-first');
    await waitFor(
      async () => authorizations(first),
      (sent) => sent.includes('Bearer key-of-the-first'),
    );

    const [file = ''] = fs.globSync('workspaces/*/*/.vscode/settings.json', { cwd: editor.server.folder });
    const inWorkspace = path.join(editor.server.folder, file);
    fs.writeFileSync(inWorkspace, fs.readFileSync(inWorkspace, 'utf8').replace(foreign(first), foreign(second)));
    const frame = await findWebview(page, 'karl-app');
    await frame.getByText('Understood.').first().waitFor();
    // The editor sees the changed file some time later: until then a message still goes to the first server. While a
    // dialog may be on its way nothing else is sent, for that would close it.
    const dialog = page.getByText(`This folder names a server, ${new URL(foreign(second)).origin}`);
    await waitFor(
      async () => {
        await sendMessage(page, 'Hello again');
        return await dialog.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      },
      (asks) => asks,
    );
    await pick(page, 'Send the conversations of this folder');
    await enterText(page, `API key for ${new URL(foreign(second)).origin}`, 'key-of-the-second');
    await waitFor(
      async () => authorizations(second),
      (sent) => sent.includes('Bearer key-of-the-second'),
    );
    assert.ok(!authorizations(second).some((sent) => sent.includes('first')));
    assert.ok(!authorizations(first).some((sent) => sent.includes('second')));
    await page.close();
    const written = fs
      .globSync('{data,logs}/**/*.{json,jsonl,log}', { cwd: editor.server.folder })
      .filter((file) => fs.readFileSync(path.join(editor.server.folder, file), 'utf8').includes('key-of-the-'));
    assert.deepEqual(written, []);
  });

  it('that a server repeats in its errors is not in the output channel, the log, the view or a notification', async () => {
    const echoing = await ProviderServer.start({
      respond: ({ headers, body }) => {
        const asked = String(body.messages?.at(-1)?.content);
        return ECHOES[asked]?.(String(headers.authorization));
      },
    });
    try {
      const page = await editor.openPage({ settings: { 'karl.baseUrl': foreign(echoing), 'karl.model': 'echo' } });
      await waitUntilActive(page);
      await runCommand(page, 'Karl: New Conversation');
      await sendMessage(page, 'first');
      await pick(page, 'Send the conversations of this folder');
      await enterText(page, `API key for ${new URL(foreign(echoing)).origin}`, CANARY);
      const frame = await findWebview(page, 'karl-notices');
      const seen: string[] = [];
      for (const [count, question] of Object.keys(ECHOES).entries()) {
        if (count > 0) await sendMessage(page, question);
        await waitFor(
          async () => authorizations(echoing).length,
          (sent) => sent > count,
        );
        await frame.getByText('***').first().waitFor();
        seen.push(await readEverything(frame));
        await pressAway(frame.getByRole('button', { name: 'Dismiss' }).first());
      }
      // The window is asked for before there is a key: that request has none.
      const sent = echoing.requests.filter(({ path: asked }) => asked.endsWith('/chat/completions'));
      assert.deepEqual([...new Set(sent.map(({ headers }) => headers.authorization))], [`Bearer ${CANARY}`]);
      await runCommand(page, 'Karl: Show Output');
      const lines = await waitFor(
        () => readOutput(page),
        (read) => read.some((line) => line.includes('status=200')),
      );
      seen.push(...lines, ...(await readNotifications(page)));
      assert.deepEqual(
        seen.filter((text) => text.includes(CANARY)),
        [],
      );
      const files = fs.globSync('{data,logs,workspaces}/**/*.{json,jsonl,log}', { cwd: editor.server.folder });
      const texts = files.map((file) => fs.readFileSync(path.join(editor.server.folder, file), 'utf8'));
      const channel =
        texts.find((text, index) => files[index]?.endsWith('Karl.log') && text.includes('model=echo')) ?? '';
      for (const status of [401, 422, 400, 200])
        assert.match(channel, new RegExp(`event=model-error.*status=${status}`));
      assert.deepEqual(
        files.filter((_, index) => texts[index]?.includes(CANARY)),
        [],
      );
      await page.close();
    } finally {
      await echoing.close();
    }
  });
});
