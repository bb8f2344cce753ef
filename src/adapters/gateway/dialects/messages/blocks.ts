import type { ChatMessage, ChatPart, ChatTool, ChatToolCall } from '../../../../core/messages/chat.ts';
import { contentText } from '../../../../core/messages/parse.ts';
import { readInput } from '../../../../core/messages/parseJson.ts';
import { type Fields, isFields } from '../../../openai/mergeFields.ts';
import { Origins } from '../origins.ts';
import { contentOf, functionTool, modelMessage, textOf } from '../translation.ts';

/** One block of a message of Anthropic's API. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** A message of Anthropic's API. */
export interface OwnMessage {
  readonly role: string;
  readonly content: string | readonly Block[];
  readonly [field: string]: unknown;
}

/** The messages that chat messages were made from. */
export const ORIGINS = new Origins<OwnMessage, Block>();

/** The messages of a request as chat messages, and where each comes from. */
export class TranslatedMessages {
  readonly messages: ChatMessage[] = [];

  constructor(system: unknown, messages: readonly unknown[]) {
    const prompt = typeof system === 'string' ? system : textOf(system, '\n\n');
    if (prompt !== '') this.messages.push({ role: 'system', content: prompt });
    for (const message of messages) {
      // What is no message is refused where messages are checked, by its index.
      if (isFields(message)) this.messages.push(...translate(message as unknown as OwnMessage));
      else this.messages.push(message as ChatMessage);
    }
  }

  /**
   * The messages of a view in Anthropic's form: the client's own objects where all of a message is kept, its own blocks
   * where part of it is. The system prompt is a field of the request and not among them.
   */
  fromChat(view: readonly ChatMessage[]): OwnMessage[] {
    const [prompt] = view;
    // The prompt that the request has in a field of its own.
    const hasPrompt = prompt?.role === 'system' && ORIGINS.of(prompt) === undefined;
    return ORIGINS.toOwn(hasPrompt ? view.slice(1) : view, {
      make: (role, content) => ({ role, content }),
      roleOf: ({ role }) => role,
      partsOf: ({ content }) => blocksOf(content),
      toParts: (message) => this.#toBlocks(message),
    });
  }

  /** The blocks of a message that Karl made or changed. */
  #toBlocks(message: ChatMessage): readonly Block[] {
    if (message.role === 'tool') {
      const { cache_control: _, ...result } = ORIGINS.callParts(this.messages).results.get(message.tool_call_id) ?? {
        type: 'tool_result',
      };
      return [{ ...result, tool_use_id: message.tool_call_id, content: partsOf(message) } as Block];
    }
    if (message.role !== 'assistant') return partsOf(message);
    const calls = message.tool_calls ?? [];
    const own = (message[OWN_BLOCKS] ??
      ORIGINS.callParts(this.messages).calls.get(calls[0]?.id) ??
      []) as readonly Block[];
    const uses = calls.map(({ id, function: called }): Block => {
      const use = own.find((block) => block.type === 'tool_use' && block.id === id);
      const isSame = use !== undefined && JSON.stringify(use.input) === called.arguments;
      return isSame ? use : { type: 'tool_use', id, name: called.name, input: readInput(called.arguments) };
    });
    // A model that thinks wants its thoughts back, word for word, with the calls that followed them.
    const thoughts = calls.length === 0 ? [] : own.filter(({ type }) => /^(?:redacted_)?thinking$/.test(type));
    return [...thoughts, ...partsOf(message), ...uses];
  }
}

function translate(message: OwnMessage): readonly ChatMessage[] {
  return ORIGINS.translate([message], () => {
    const blocks = blocksOf(message.content);
    if (message.role === 'assistant') return [[toAssistant(blocks), blocks]];
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const others = blocks.filter(({ type }) => type !== 'tool_result');
    const made = results.map((block): [ChatMessage, readonly Block[]] => {
      const id = block.tool_use_id as string;
      return [{ role: 'tool', tool_call_id: id, content: contentOf(blocksOf(block.content).map(toPart)) }, [block]];
    });
    if (others.length > 0 || results.length === 0)
      made.push([{ role: message.role as 'user', content: contentOf(others.map(toPart)) }, others]);
    return made;
  });
}

/** The field with the server's own blocks of a reply: Karl's own calls are sent back with what was thought before them. */
const OWN_BLOCKS = 'karl_blocks';

/** A model's message; `isReply`: with its own blocks, since no client brings it back. */
export function toAssistant(blocks: readonly Block[], isReply = false): ChatMessage {
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toCall);
  const thought = textsOf(blocks, 'thinking', 'thinking');
  const unknown = blocks.filter(({ type }) => !/^(?:text|tool_use|(?:redacted_)?thinking)$/.test(type));
  const text = textsOf(blocks, 'text', 'text');
  const message = modelMessage({ text, thought, calls, others: unknown.map(toPart) });
  return isReply ? { ...message, [OWN_BLOCKS]: blocks } : message;
}

/** A string of a message as the one block that it stands for; what is no block is left out. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.filter((one) => isFields(one) && typeof one.type === 'string') as Block[];
}

function textsOf(blocks: readonly Block[], type: string, field: string): string {
  const texts = blocks.filter((block) => block.type === type).map((block) => block[field]);
  return texts.filter((text) => typeof text === 'string').join('');
}

function toCall({ id, name, input }: Block): ChatToolCall {
  const called = { name: name as string, arguments: JSON.stringify(input ?? {}) };
  return { id: id as string, type: 'function', function: called };
}

/** Marks for the cache are no part of what a block says, and move with each request. */
function toPart({ cache_control: _, ...block }: Block): ChatPart {
  const { source } = block;
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', text: block.text };
  if (block.type !== 'image' || !isFields(source)) return block as unknown as ChatPart;
  const isInline = source.type === 'base64';
  const url = isInline ? `data:${String(source.media_type)};base64,${String(source.data)}` : String(source.url);
  return { type: 'image_url', image_url: { url } };
}

/** A tool as chat completions define it; one that the provider runs itself as it is: only its size is looked at. */
export function toTool(tool: Fields): ChatTool {
  const { name, description, input_schema } = tool;
  if (typeof name !== 'string' || !isFields(input_schema)) return tool as unknown as ChatTool;
  return functionTool(name, description, input_schema);
}

function partsOf(message: ChatMessage): readonly Block[] {
  const { content } = message;
  if (typeof content !== 'object' || content === null) {
    const text = contentText(message);
    return text === '' ? [] : [{ type: 'text', text }];
  }
  return content.map(toBlock).filter(({ type, text }) => type !== 'text' || text !== '');
}

function toBlock(part: ChatPart): Block {
  const url = isFields(part.image_url) ? String(part.image_url.url) : undefined;
  if (part.type !== 'image_url' || url === undefined) return part;
  const data = /^data:([^;,]+);base64,/.exec(url);
  const source =
    data === null ? { type: 'url', url } : { type: 'base64', media_type: data[1], data: url.slice(data[0].length) };
  return { type: 'image', source };
}

/** A tool that Karl adds, in Anthropic's form. */
export function fromTool({ function: { name, description, parameters } }: ChatTool): object {
  return { name, description, input_schema: parameters };
}
