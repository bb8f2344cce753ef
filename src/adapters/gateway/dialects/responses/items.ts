import { contentText } from '../../../../core/chat/parse.ts';
import type { ChatMessage, ChatPart, ChatTool, ChatToolCall } from '../../../../core/chat/wire.ts';
import { asText } from '../../../../core/result.ts';
import { type Fields, fieldsAt, isFields } from '../../../fields.ts';
import { History, Origins } from '../origins.ts';
import { contentOf, functionTool, textOf } from '../translation.ts';

/** One item of a request or an answer of the Responses API. */
export type Item = Readonly<Record<string, unknown>>;

/** The items that chat messages were made from. */
export const ORIGINS = new Origins<Item, Item>({
  ownField: 'karl_items',
  callOf: (item) => (isCall(item) ? toCall(item) : undefined),
  isCallOf: (item, _at, id) => item.call_id === id,
  thoughtOf: ({ type, content, summary }) => (type === 'reasoning' ? textOf(content) || textOf(summary) : undefined),
  textOf: (item) => {
    if (!isMessage(item)) return undefined;
    return typeof item.content === 'string' ? item.content : textOf(item.content);
  },
  toChat: (item) => item as ChatPart,
  said: (message) => {
    const { role } = message;
    if (role !== 'assistant') return [{ type: 'message', role, content: toInput(message) }];
    const text = contentText(message);
    return text === '' ? [] : [{ type: 'message', role, content: [{ type: 'output_text', text }] }];
  },
  call: ({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called }),
  result: (message, own = { type: 'function_call_output' }) => {
    const { id: _, ...result } = own;
    return { ...result, call_id: message.tool_call_id, output: contentText(message) };
  },
});

/** The input of a request as chat messages. */
export class TranslatedItems extends History<Item, Item> {
  constructor(instructions: unknown, input: readonly unknown[]) {
    super(ORIGINS, typeof instructions === 'string' ? instructions : '');
    this.add(input);
  }

  /** Adds input that begins a new message. Consecutive items of the model are one message. */
  override add(input: readonly unknown[]): void {
    let turn: Item[] = [];
    const endTurn = () => {
      const items = turn;
      const [first, ...more] = items;
      if (first !== undefined)
        this.messages.push(...ORIGINS.translate([first, ...more], () => [[ORIGINS.toAssistant(items), items]]));
      turn = [];
    };
    for (const item of input) {
      const isOthers = isFields(item) && (isOutput(item) || (isMessage(item) && item.role !== 'assistant'));
      // Calls that were made at once are one message, also where the model thought between them.
      if (isOthers) endTurn();
      if (!isFields(item)) this.messages.push(item as ChatMessage);
      else if (isOthers) this.messages.push(...this.translate(item));
      else turn.push(item);
    }
    endTurn();
  }

  /** The items of a view: the client's own where a message is kept, made ones for what Karl made or changed. */
  toItems(view: readonly ChatMessage[]): readonly Item[] {
    return this.withoutPrompt(view).flatMap(
      (message) => ORIGINS.partsOf(message) ?? ORIGINS.toParts(message, view, this.messages),
    );
  }

  protected translate(item: Item): readonly ChatMessage[] {
    const { role, content, output, call_id } = item;
    return ORIGINS.translate([item], () => [
      [
        isOutput(item)
          ? { role: 'tool', tool_call_id: call_id as string, content: toContent(output) }
          : { role: role as 'user', content: toContent(content) },
        [item],
      ],
    ]);
  }
}

/** A call whose result the client brings: `function_call`, `custom_tool_call`, `local_shell_call`. */
export function isCall({ type, call_id }: Item): boolean {
  return typeof call_id === 'string' && asText(type).endsWith('_call');
}

function isOutput({ type, call_id }: Item): boolean {
  return typeof call_id === 'string' && asText(type).endsWith('_output');
}

/** `type` may be left out in a message. */
function isMessage({ type, role }: Item): boolean {
  return (type === 'message' || type === undefined) && typeof role === 'string';
}

function toCall({ type, call_id, name, arguments: given, input, action }: Item): ChatToolCall {
  const text = typeof given === 'string' ? given : JSON.stringify(action ?? { input });
  const called = { name: typeof name === 'string' ? name : asText(type), arguments: text };
  return { id: call_id as string, type: 'function', function: called };
}

function toContent(content: unknown): string | ChatPart[] {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return contentOf(content.filter(isFields).map(toPart));
}

function toPart(part: Fields): ChatPart {
  if (typeof part.text === 'string') return { type: 'text', text: part.text };
  if (part.type === 'input_image') return { type: 'image_url', image_url: { url: asText(part.image_url) } };
  return part as ChatPart;
}

function toInput({ content }: ChatMessage): readonly object[] {
  if (typeof content !== 'object' || content === null) return [{ type: 'input_text', text: content ?? '' }];
  return content.map((part) => {
    if (typeof part.text === 'string') return { type: 'input_text', text: part.text };
    if (part.type === 'image_url') return { type: 'input_image', image_url: (part.image_url as Fields).url };
    return part;
  });
}

/** Tools as chat completions define them. */
export const toTools = (tools: readonly Fields[]): readonly ChatTool[] => tools.map(toTool);

/** A function as chat completions define it. Another tool stays as it is: only its size matters. */
function toTool(tool: Fields): ChatTool {
  const { type, name, description, parameters } = tool;
  if (type !== 'function' || typeof name !== 'string') return tool as unknown as ChatTool;
  return functionTool(name, description, fieldsAt(parameters));
}

/** A tool that Karl adds, in the form of this API. */
export function fromTool({ function: called }: ChatTool): object {
  return { type: 'function', ...called, strict: false };
}
