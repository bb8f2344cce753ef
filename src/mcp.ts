#!/usr/bin/env node
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { openStored } from './adapters/node/storedConversations.ts';
import { openSession } from './adapters/sessions/readSession.ts';
import {
  BUDGET_READER,
  budgetForReader,
  RECALL_READER,
  type ReadableConversations,
  recallForReader,
} from './core/session/readers.ts';
import type { ToolOutcome } from './core/session/tools.ts';
import { runProgram } from './engine/commandLine.ts';
import { inEnglish } from './language/language.ts';

const USAGE = `karl-mcp: lets any agent recall from the conversations that Karl has stored, over MCP (stdio). It only reads.

  karl-mcp FOLDER
  karl-mcp --session FILE

  FOLDER          holds conversations/ and threads/: what karl-gateway was given as --data, or Karl's storage of a workspace
  --session FILE  the stored session of an agent, e.g. one that karl rescue has shortened
  --help          prints this`;

async function main(): Promise<string | undefined> {
  const options = { help: { type: 'boolean' }, session: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help === true) {
    console.log(USAGE);
    return undefined;
  }
  if (values.session !== undefined) {
    const session = await openSession(values.session);
    if (!session.ok) return inEnglish(session.error);
    await serve(session.value);
    return undefined;
  }
  const [folder, ...more] = positionals;
  if (folder === undefined || folder === '' || more.length > 0)
    return `needs one folder with conversations.\n\n${USAGE}`;
  const opened = await openStored(path.resolve(folder), (message) => console.error(`karl-mcp: ${inEnglish(message)}`));
  if (!opened.ok) return opened.error;
  await serve(opened.value);
  return undefined;
}

async function serve(conversations: ReadableConversations): Promise<void> {
  const server = new Server({ name: 'karl', title: 'Karl', version: '1.0.0' }, { capabilities: { tools: {} } });
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [RECALL_READER, BUDGET_READER].map((tool) => ({ ...tool, annotations })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { text, failed } = await answer(conversations, params.name, params.arguments ?? {});
    return { content: [{ type: 'text', text }], ...(failed && { isError: true }) };
  });
  // The client has gone, and nobody else reads what is written.
  process.stdout.on('error', () => process.exit());
  await server.connect(new StdioServerTransport());
}

async function answer(
  conversations: ReadableConversations,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolOutcome> {
  switch (name) {
    case RECALL_READER.name:
      return await recallForReader(conversations, input);
    case BUDGET_READER.name:
      return await budgetForReader(conversations);
    default:
      return { text: `Error: there is no tool ${JSON.stringify(name)}.`, failed: true };
  }
}

await runProgram('karl-mcp', USAGE, main);
