import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply, type ScriptedReply } from '../../adapters/server/reply.ts';
import type { Editor } from '../harness/editor.ts';
import { enterText, pick, quickInput, runCommand } from '../harness/quickInput.ts';
import { newConversation } from '../harness/ready.ts';
import { settingsOf, writeWhole } from '../harness/server.ts';
import { useSharedEditor, useSharedWindow } from '../harness/sharedEditor.ts';
import { expectCount, pressAway, waitFor } from '../harness/tries.ts';
import { findWebview, readNotifications, readOutput, sendMessage } from '../harness/workbench.ts';

/** Karl takes only loopback names as local; this address leads to the same place without being one of them. */
const foreign = (server: ProviderServer) => server.baseUrl.replace('127.0.0.1', '0.0.0.0');

/** A key that matches no pattern of keys. */
const CANARY = 'mellon-of-moria-1978';

/** What servers repeat of a request that they refuse; the question says how. */
const ECHOES: Readonly<Record<string, (authorization: string) => ScriptedReply>> = {
  first: (sent) => errorReply(401, { error: { message: `Incorrect API key provided: ${sent.slice(7)}` } }),
  second: (sent) => errorReply(422, { detail: [{ loc: ['header', 'authorization'], msg: `bad header ${sent}` }] }),
  third: (sent) => errorReply(400, `headers were ${JSON.stringify({ authorization: sent })} and ${'x'.repeat(400)}`),
  fourth: (sent) => ({ contentType: 'application/json', steps: [{ raw: JSON.stringify({ note: sent }) }] }),
};

/** The settings of a folder that names the server. */
const naming = (server: ProviderServer) => ({ 'karl.baseUrl': foreign(server), 'karl.model': 'loopback-model' });

/** Has the folder name another server, and waits until Karl knows: until that is allowed, the view names none. */
async function nameOther(page: Page, frame: Frame, first: ProviderServer, second: ProviderServer): Promise<void> {
  const named = frame.locator('karl-composer button.server', { hasText: new URL(foreign(first)).host });
  await named.waitFor();
  writeWhole(settingsOf(page), JSON.stringify(naming(second)));
  await named.waitFor({ state: 'detached' });
}

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

/** The files of an editor's folder as they are now; one that is just being replaced by another is not among them. */
function readFiles(editor: Editor, pattern: string): { readonly name: string; readonly text: string }[] {
  return fs.globSync(pattern, { cwd: editor.server.folder }).flatMap((name) => {
    try {
      return [{ name, text: fs.readFileSync(path.join(editor.server.folder, name), 'utf8') }];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return [];
    }
  });
}

describe('a key', () => {
  let editor: Editor;

  beforeEach(async () => {
    editor = await useSharedEditor();
  });

  const authorizations = (server: ProviderServer) => server.requests.map(({ headers }) => headers.authorization ?? '');

  it('is asked for once for each origin, is sent to that origin only and is in no file', async () => {
    const [first, second] = await Promise.all([ProviderServer.start(), ProviderServer.start()]);
    const page = await useSharedWindow(naming(first));
    await newConversation(page);
    await sendMessage(page, 'Hello');
    await pick(page, 'Send the conversations of this folder');
    await enterText(page, `API key for ${new URL(foreign(first)).origin}`, 'key-of-the-first');
    const hasFirst = (sent: readonly unknown[]) => sent.includes('Bearer key-of-the-first');
    await waitFor(async () => authorizations(first), hasFirst);

    const frame = await findWebview(page, 'karl-app');
    await frame.getByText('Understood.').first().waitFor();
    await nameOther(page, frame, first, second);
    await sendMessage(page, 'Hello again');
    await pick(page, 'Send the conversations of this folder');
    await enterText(page, `API key for ${new URL(foreign(second)).origin}`, 'key-of-the-second');
    const hasSecond = (sent: readonly unknown[]) => sent.includes('Bearer key-of-the-second');
    await waitFor(async () => authorizations(second), hasSecond);
    await frame.locator('karl-message', { hasText: 'Understood.' }).nth(1).waitFor();
    await expectCount(frame.locator('karl-composer').getByRole('button', { name: 'Stop' }), 0);
    assert.ok(!authorizations(second).some((sent) => sent.includes('first')));
    assert.ok(!authorizations(first).some((sent) => sent.includes('second')));
    const written = readFiles(editor, '{data,logs}/**/*.{json,jsonl,log}').filter(({ text }) =>
      text.includes('key-of-the-'),
    );
    assert.deepEqual(written, []);
    await Promise.all([first.close(), second.close()]);
  });

  it('is asked for too when the folder names another server while a dialog is open', async () => {
    const [first, second] = await Promise.all([ProviderServer.start(), ProviderServer.start()]);
    const page = await useSharedWindow(naming(first));
    await newConversation(page);
    await sendMessage(page, 'Hello');
    await pick(page, 'Send the conversations of this folder');
    await quickInput(page, `API key for ${new URL(foreign(first)).origin}`).waitFor();
    const frame = await findWebview(page, 'karl-app');
    await nameOther(page, frame, first, second);
    await enterText(page, `API key for ${new URL(foreign(first)).origin}`, 'key-of-the-first');
    await pick(page, 'Send the conversations of this folder');
    await enterText(page, `API key for ${new URL(foreign(second)).origin}`, 'key-of-the-second');
    await frame.getByText('Understood.').first().waitFor();
    const chats = second.requests.filter(({ path: asked }) => asked.endsWith('/chat/completions'));
    const keys = chats.map(({ headers }) => headers.authorization);
    assert.deepEqual(keys, ['Bearer key-of-the-second']);
    assert.ok(!JSON.stringify(first.requests).includes('Hello'));
    await Promise.all([first.close(), second.close()]);
  });

  it('that a server repeats in its errors is not in the output channel, the log, the view or a notification', async () => {
    const echoing = await ProviderServer.start({
      respond: ({ headers, body }) => {
        const asked = String(body.messages?.at(-1)?.content);
        return ECHOES[asked]?.(String(headers.authorization));
      },
    });
    try {
      const page = await useSharedWindow({ ...naming(echoing), 'karl.model': 'echo' });
      await newConversation(page);
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
      const leaks = seen.filter((text) => text.includes(CANARY));
      assert.deepEqual(leaks, []);
      const files = readFiles(editor, '{data,logs,workspaces}/**/*.{json,jsonl,log}');
      const channel =
        files.find(({ name, text }) => name.endsWith('Karl.log') && text.includes('model=echo'))?.text ?? '';
      for (const status of [401, 422, 400, 200])
        assert.match(channel, new RegExp(`event=model-error.*status=${status}`));
      const leaky = files.filter(({ text }) => text.includes(CANARY)).map(({ name }) => name);
      assert.deepEqual(leaky, []);
    } finally {
      await echoing.close();
    }
  });
});
