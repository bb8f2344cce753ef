import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ChatMessage } from '../../../src/engine.ts';
import { assistant, system, tool, user } from '../../core/conversation/kit.ts';

/** A transcript with the name of its file. */
export interface NamedTranscript {
  readonly id: string;
  readonly messages: readonly ChatMessage[];
}

/** Every `*.json` and `*.json.gz` of a folder that holds `messages`, smallest file name first. */
export function readTranscripts(folder: string): NamedTranscript[] {
  return readdirSync(folder)
    .filter((name) => /\.json(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => readTranscript(join(folder, name), name.replace(/\.json(?:\.gz)?$/, '')));
}

function readTranscript(file: string, name: string): NamedTranscript {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const { messages } = JSON.parse(text) as { readonly messages: readonly ChatMessage[] };
  return { id: name, messages };
}

/** The sample conversation that ships with the extension, and made ones of several shapes. */
export function defaultTranscripts(): NamedTranscript[] {
  const sample = readTranscript(join(import.meta.dirname, '../../../media/sample/conversation.json'), 'sample');
  return [sample, make('one long turn', 1, 120), make('many short turns', 80, 2), make('large results', 6, 10, 900)];
}

/** A coding agent at work: `turns` requests with `calls` tool calls each, results of `lines` lines. */
function make(id: string, turns: number, calls: number, lines = 40): NamedTranscript {
  const messages: ChatMessage[] = [system('You are a coding agent.')];
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push(user(`Request ${turn + 1}: make step ${turn + 1} of the import work. Never touch config/prod.yaml.`));
    for (let call = 0; call < calls; call += 1)
      messages.push(...makeCall(`${turn}_${call}`, turn * calls + call, lines));
    messages.push(assistant(`Step ${turn + 1} works: ${calls} calls, all tests pass.`));
  }
  messages.push(user('Now say what is still open.'));
  return { id, messages };
}

function makeCall(id: string, number: number, lines: number): ChatMessage[] {
  const path = `src/part${number % 17}.ts`;
  const [name, input, output] =
    number % 3 === 0
      ? ['read_file', { path }, `export const value${number} = ${number * 7};\n`.repeat(lines)]
      : number % 3 === 1
        ? ['write_file', { path, content: `// part ${number}\n`.repeat(lines) }, 'The file was written.']
        : [
            'bash',
            { command: 'npm test' },
            `${'ok a test passed\n'.repeat(lines)}error TS2304: Cannot find name 'part${number}'.`,
          ];
  return tool(id, name, input, output);
}
