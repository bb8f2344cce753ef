import type { ChatMessage, ChatPart, ChatTool, ChatToolCall } from '../../../../core/messages/chat.ts';
import { contentText } from '../../../../core/messages/parse.ts';
import { type Fields, isFields } from '../../../openai/mergeFields.ts';
import { Origins } from '../origins.ts';
import { contentOf, functionTool, modelMessage, textOf } from '../translation.ts';

/** One item of a request or an answer of the Responses API. */
export type Item = Readonly<Record<string, unknown>>;

/** The field with the server's own items of a reply: Karl's own calls are sent back with what was thought before them. */
const OWN_ITEMS = 'karl_items';

const ORIGINS = new Origins<Item, Item>();

/** The input of a request as chat messages. */
export class TranslatedItems {
  readonly messages: ChatMessage[] = [];

  constructor(instructions: unknown, input: readonly unknown[]) {
    if (typeof instructions === 'string' && instructions !== '')
      this.messages.push({ role: 'system', content: instructions });
    this.add(input);
  }

  /** Adds input that begins with a new message, whoever wrote the last one. */
  add(input: readonly unknown[]): void {
    let turn: Item[] = [];
    const endTurn = () => {
      if (turn.length === 0) return;
      this.#push(turn, () => toAssistant(turn));
      turn = [];
    };
    for (const item of input) {
      if (!isFields(item)) this.messages.push(item as ChatMessage);
      else if (isOutput(item)) {
        endTurn();
        const id = item.call_id as string;
        this.#push([item], () => ({ role: 'tool', tool_call_id: id, content: toContent(item.output) }));
      } else if (isMessage(item) && item.role !== 'assistant') {
        endTurn();
        this.#push([item], () => ({ role: item.role as 'user', content: toContent(item.content) }));
      } else {
        // What was thought begins the model's next message.
        if (item.type === 'reasoning' && turn.some(isCall)) endTurn();
        turn.push(item);
      }
    }
    endTurn();
  }

  /** The items of a view: the client's own where a message is kept, made ones for what Karl made or changed. */
  toItems(view: readonly ChatMessage[]): readonly Item[] {
    const [prompt] = view;
    const isField = prompt?.role === 'system' && ORIGINS.of(prompt) === undefined;
    return view.slice(isField ? 1 : 0).flatMap((message) => ORIGINS.partsOf(message) ?? this.#make(message));
  }

  #push(items: readonly Item[], make: () => ChatMessage): void {
    this.messages.push(...ORIGINS.translate(items as [Item, ...Item[]], () => [[make(), items]]));
  }

  #make(message: ChatMessage): readonly Item[] {
    if (message.role === 'tool') {
      const { id: _, ...own } = ORIGINS.callParts(this.messages).results.get(message.tool_call_id) ?? {
        type: 'function_call_output',
      };
      return [{ ...own, call_id: message.tool_call_id, output: contentText(message) }];
    }
    const calls = message.tool_calls ?? [];
    const text = contentText(message);
    if (message.role !== 'assistant') return [{ type: 'message', role: message.role, content: toInput(message) }];
    const own = (message[OWN_ITEMS] ??
      ORIGINS.callParts(this.messages).calls.get(calls[0]?.id) ??
      []) as readonly Item[];
    const uses = calls.map((call): Item => {
      const item = own.find((one) => isCall(one) && one.call_id === call.id);
      if (item !== undefined && toCall(item).function.arguments === call.function.arguments) return item;
      return { type: 'function_call', call_id: call.id, ...call.function };
    });
    return [
      ...(calls.length === 0 ? [] : own.filter(({ type }) => type === 'reasoning')),
      ...(text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
      ...uses,
    ];
  }
}

/** A message of the model from its items; `isReply`: with the items, since no client brings Karl's own calls back. */
export function toAssistant(items: readonly Item[], isReply = false): ChatMessage {
  const text = items
    .filter(isMessage)
    .map(({ content }) => (typeof content === 'string' ? content : textOf(content)))
    .join('');
  const thought = items.flatMap(({ type, summary, content }) =>
    type === 'reasoning' ? [textOf(content) || textOf(summary)] : [],
  );
  const calls = items.filter(isCall).map(toCall);
  const others = items.filter((item) => !isMessage(item) && !isCall(item) && item.type !== 'reasoning');
  const thoughts = thought.some((one) => one !== '') ? thought.join('\n') : '';
  const message = modelMessage({ text, thought: thoughts, calls, others: others as unknown as ChatPart[] });
  return isReply ? { ...message, [OWN_ITEMS]: items } : message;
}

/** A call whose result the client brings: `function_call`, `custom_tool_call`, `local_shell_call`. */
export function isCall({ type, call_id }: Item): boolean {
  return typeof call_id === 'string' && String(type).endsWith('_call');
}

function isOutput({ type, call_id }: Item): boolean {
  return typeof call_id === 'string' && String(type).endsWith('_output');
}

/** `type` may be left out in a message. */
function isMessage({ type, role }: Item): boolean {
  return (type === 'message' || type === undefined) && typeof role === 'string';
}

function toCall({ type, call_id, name, arguments: given, input, action }: Item): ChatToolCall {
  const text = typeof given === 'string' ? given : JSON.stringify(action ?? { input });
  const called = { name: typeof name === 'string' ? name : String(type), arguments: text };
  return { id: call_id as string, type: 'function', function: called };
}

function toContent(content: unknown): string | ChatPart[] {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return contentOf(content.filter(isFields).map(toPart));
}

function toPart(part: Fields): ChatPart {
  if (typeof part.text === 'string') return { type: 'text', text: part.text };
  if (part.type === 'input_image') return { type: 'image_url', image_url: { url: String(part.image_url) } };
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

/** A tool as chat completions define it; one of another kind as it is: only its size is looked at. */
export function toTool(tool: Fields): ChatTool {
  const { type, name, description, parameters } = tool;
  if (type !== 'function' || typeof name !== 'string') return tool as unknown as ChatTool;
  return functionTool(name, description, isFields(parameters) ? parameters : {});
}

/** A tool that Karl adds, in the form of this API. */
export function fromTool({ function: called }: ChatTool): object {
  return { type: 'function', ...called, strict: false };
}
