import { contentText, readInput } from '../../../../core/chat/parse.ts';
import type { ChatMessage, ChatPart, ChatTool } from '../../../../core/chat/wire.ts';
import { asText } from '../../../../core/result.ts';
import { type Fields, isFields, textAt } from '../../../fields.ts';
import { History, Origins } from '../origins.ts';
import { contentOf, functionTool, textOf } from '../translation.ts';

/** One block of a message of Anthropic's API. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** A message of Anthropic's API. */
export interface OwnMessage {
  readonly role: string;
  readonly content: string | readonly Block[];
  readonly [field: string]: unknown;
}

/** The messages that chat messages were made from. */
export const ORIGINS = new Origins<OwnMessage, Block>({
  ownField: 'karl_blocks',
  callOf: ({ type, id, name, input }) => {
    const called = { name: name as string, arguments: JSON.stringify(input ?? {}) };
    return type === 'tool_use' ? { id: id as string, type: 'function', function: called } : undefined;
  },
  isCallOf: (block, _at, id) => block.id === id,
  thoughtOf: ({ type, thinking }) =>
    /^(?:redacted_)?thinking$/.test(asText(type)) ? (typeof thinking === 'string' ? thinking : '') : undefined,
  textOf: ({ type, text }) => (type === 'text' ? (typeof text === 'string' ? text : '') : undefined),
  toChat: toPart,
  said,
  call: ({ id, function: { name, arguments: text } }) => ({ type: 'tool_use', id, name, input: readInput(text) }),
  result: (message, own = { type: 'tool_result' }) => {
    const { cache_control: _, ...result } = own;
    return { ...result, tool_use_id: message.tool_call_id, content: said(message) } as Block;
  },
});

/** The messages of a request as chat messages, and where each comes from. */
export class TranslatedMessages extends History<OwnMessage, Block> {
  constructor(system: unknown, messages: readonly unknown[]) {
    super(ORIGINS, typeof system === 'string' ? system : textOf(system, '\n\n'));
    this.add(messages);
  }

  /** The messages of a view in Anthropic's form. The system prompt is a field of the request and not among them. */
  fromChat(view: readonly ChatMessage[]): OwnMessage[] {
    return ORIGINS.toOwn(this.withoutPrompt(view), this.messages, {
      make: (role, content) => ({ role, content }),
      roleOf: ({ role }) => role,
      partsOf: ({ content }) => blocksOf(content),
    });
  }

  protected translate(message: OwnMessage): readonly ChatMessage[] {
    return ORIGINS.translate([message], () => {
      const blocks = blocksOf(message.content);
      if (message.role === 'assistant') return [[ORIGINS.toAssistant(blocks), blocks]];
      const results = blocks.filter(({ type }) => type === 'tool_result');
      const others = blocks.filter(({ type }) => type !== 'tool_result');
      const made = results.map((block): [ChatMessage, readonly Block[]] => {
        const content = contentOf(blocksOf(block.content).map(toPart));
        return [{ role: 'tool', tool_call_id: block.tool_use_id as string, content }, [block]];
      });
      if (others.length > 0 || results.length === 0)
        made.push([{ role: message.role as 'user', content: contentOf(others.map(toPart)) }, others]);
      return made;
    });
  }
}

/** The blocks of a message; a string is one block of text. What is not a block is left out. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.filter((one) => isFields(one) && typeof one.type === 'string') as Block[];
}

/** Cache marks are left out: they are not content, and move with each request. */
function toPart({ cache_control: _, ...block }: Block): ChatPart {
  const { source } = block;
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', text: block.text };
  if (block.type !== 'image' || !isFields(source)) return block as unknown as ChatPart;
  const isInline = source.type === 'base64';
  const url = isInline ? `data:${asText(source.media_type)};base64,${asText(source.data)}` : asText(source.url);
  return { type: 'image_url', image_url: { url } };
}

/** Tools as chat completions define them. */
export const toTools = (tools: readonly Fields[]): readonly ChatTool[] => tools.map(toTool);

/** A tool as chat completions define it. A tool that the provider runs stays as it is: only its size matters. */
function toTool(tool: Fields): ChatTool {
  const { name, description, input_schema } = tool;
  if (typeof name !== 'string' || !isFields(input_schema)) return tool as unknown as ChatTool;
  return functionTool(name, description, input_schema);
}

function said(message: ChatMessage): readonly Block[] {
  const { content } = message;
  if (typeof content !== 'object' || content === null) return blocksOf(contentText(message));
  return content.map(toBlock).filter(({ type, text }) => type !== 'text' || text !== '');
}

function toBlock(part: ChatPart): Block {
  const url = textAt(part, 'image_url', 'url');
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
