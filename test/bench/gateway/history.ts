/** One message of the history, as it is sent. */
interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** One step of an agent at work, some 450 tokens. */
export function step(index: number): Message[] {
  const call = {
    id: `call_${index}`,
    type: 'function',
    function: { name: 'read', arguments: `{"path":"src/${index}.ts"}` },
  };
  const lines = Array.from(
    { length: 22 },
    (_, line) => `export const value${line} = compute('part${index}', ${line * index});`,
  );
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: lines.join('\n') },
  ];
}

/** Tool definitions as an agent sends them with every request, some 40 kB. */
const TOOLS = Array.from({ length: 24 }, (_, index) => ({
  type: 'function',
  function: {
    name: `tool_${index}`,
    description: `${step(index)[1]?.content?.slice(0, 1_200)}`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        ['path', 'line', 'text'].map((name) => [
          name,
          { type: 'string', description: `The ${name} of the file to look at.` },
        ]),
      ),
      required: ['path'],
    },
  },
}));

const END = ']}';

/** The body of an agent's requests, which grows in its own memory. */
export class History {
  readonly #memory = Buffer.alloc(64 * 1024 * 1024);
  #length: number;
  messages = 0;

  constructor() {
    const text = JSON.stringify({ model: 'bench', tools: TOOLS, stream: true, messages: [] });
    this.#length = this.#memory.write(text) - END.length;
    this.add([
      { role: 'system', content: 'You are a careful agent.' },
      { role: 'user', content: 'Read all of it.' },
    ]);
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      const text = `${this.messages === 0 ? '' : ','}${JSON.stringify(message)}`;
      this.#length += this.#memory.write(text, this.#length);
      this.messages += 1;
    }
    this.#memory.write(END, this.#length);
  }

  body(): Uint8Array {
    return this.#memory.subarray(0, this.#length + END.length);
  }
}
