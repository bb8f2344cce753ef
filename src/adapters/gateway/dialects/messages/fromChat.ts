import type { ChatMessage, ChatPart, ChatTool } from '../../../../core/messages/chat.ts';
import { contentText } from '../../../../core/messages/parse.ts';
import { readInput } from '../../../../core/messages/parseJson.ts';
import { isFields } from '../../../openai/mergeFields.ts';
import { type Block, blocksOf, OWN_BLOCKS, type OwnMessage, type TranslatedMessages } from './toChat.ts';

/**
 * The messages of a view in Anthropic's form: the client's own objects where all of a message is kept, its own blocks
 * where part of it is. The system prompt is a field of the request and not among them.
 */
export function fromChat(view: readonly ChatMessage[], request: TranslatedMessages): OwnMessage[] {
  const messages: OwnMessage[] = [];
  /** The last message is of the user's role and was put together here: what follows of that role joins it. */
  let isOpen = false;
  const add = (role: string, content: readonly Block[]) => {
    const last = messages.at(-1);
    if (isOpen && role === 'user' && last !== undefined)
      messages[messages.length - 1] = { ...last, content: [...blocksOf(last.content), ...content] };
    else if (content.length > 0) messages.push({ role, content });
    isOpen = role === 'user';
  };
  const [prompt] = view;
  // The prompt that the request has in a field of its own.
  const start = prompt?.role === 'system' && request.origin(prompt) === undefined ? 1 : 0;
  for (let at = start; at < view.length; ) {
    const message = view[at] as ChatMessage;
    const origin = request.origin(message);
    if (origin === undefined) {
      add(message.role === 'tool' ? 'user' : message.role, toBlocks(message, request));
      at += 1;
      continue;
    }
    const blocks: Block[] = [];
    const first = at;
    for (let next = origin; next?.message === origin.message; ) {
      blocks.push(...next.blocks);
      at += 1;
      const following = view[at];
      const found = following === undefined ? undefined : request.origin(following);
      if (found === undefined) break;
      next = found;
    }
    if (at - first === origin.of) {
      messages.push(origin.message);
      isOpen = false;
    } else add(origin.message.role, blocks);
  }
  return messages;
}

/** The blocks of a message that Karl made or changed. */
function toBlocks(message: ChatMessage, request: TranslatedMessages): readonly Block[] {
  if (message.role === 'tool') {
    const { cache_control: _, ...result } = request.resultOf(message.tool_call_id) ?? { type: 'tool_result' };
    return [{ ...result, tool_use_id: message.tool_call_id, content: partsOf(message) } as Block];
  }
  if (message.role !== 'assistant') return partsOf(message);
  const calls = message.tool_calls ?? [];
  const [firstCall] = calls;
  const own = (message[OWN_BLOCKS] ??
    (firstCall === undefined ? [] : blocksOf(request.messageOf(firstCall.id)?.content))) as readonly Block[];
  const uses = calls.map(({ id, function: called }): Block => {
    const use = own.find((block) => block.type === 'tool_use' && block.id === id);
    const isSame = use !== undefined && JSON.stringify(use.input) === called.arguments;
    if (isSame) return use;
    return {
      type: 'tool_use',
      id,
      name: called.name,
      input: readInput(called.arguments),
    };
  });
  // A model that thinks wants its thoughts back, word for word, with the calls that followed them.
  const thoughts = calls.length === 0 ? [] : own.filter(({ type }) => /^(?:redacted_)?thinking$/.test(type));
  return [...thoughts, ...partsOf(message), ...uses];
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
