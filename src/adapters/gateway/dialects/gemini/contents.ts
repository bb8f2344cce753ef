import { CLIENT_OPENINGS } from '../../../../core/chat/clients.ts';
import { contentText, readInput } from '../../../../core/chat/parse.ts';
import type { ChatMessage, ChatPart, ChatTool, ChatToolCall } from '../../../../core/chat/wire.ts';
import { asText } from '../../../../core/result.ts';
import { type Fields, fieldsAt, isFields, listAt, textAt } from '../../../fields.ts';
import { History, Origins, type Translated } from '../origins.ts';
import { contentOf, functionTool, textOf } from '../translation.ts';

/** One part of a message of Gemini's API. */
export type Part = Readonly<Record<string, unknown>>;

/** A message of Gemini's API; its role is `user` or `model`. */
export interface Content {
  readonly role?: string;
  readonly parts: readonly Part[];
  readonly [field: string]: unknown;
}

/** The beginning of ids that Karl made because the API gave none; they are not sent to it. */
const MADE_ID = 'karl_call_';

/** The contents that chat messages were made from. */
export const ORIGINS = new Origins<Content, Part>({
  ownField: 'karl_parts',
  callOf: (part, at, place) => {
    if (!isCall(part)) return undefined;
    const { id, name, args } = part.functionCall;
    const called = { name: asText(name), arguments: JSON.stringify(args ?? {}) };
    return { id: asText(id || `${MADE_ID}${place}_${at}`), type: 'function', function: called };
  },
  isCallOf: ({ functionCall }, at, id) =>
    (functionCall as Fields).id === id || (id.startsWith(MADE_ID) && id.endsWith(`_${at}`)),
  thoughtOf: (part) => (part.thought === true && !isCall(part) ? textOf([part]) : undefined),
  textOf: ({ text }) => (typeof text === 'string' ? text : undefined),
  toChat: toPart,
  said: toSaid,
  // With its signature, which a model that thinks needs back.
  call: ({ id, function: { name, arguments: text } }, own) => ({
    ...own,
    functionCall: { ...idOf(id), name, args: readInput(text) },
  }),
  result: (message, own = {}, name) => {
    const told = isFields(own.functionResponse) ? own.functionResponse : { ...idOf(message.tool_call_id ?? ''), name };
    const field = isFields(told.response) && 'error' in told.response ? 'error' : 'output';
    return { ...own, functionResponse: { ...told, response: { [field]: contentText(message) } } };
  },
});

/** The contents of a request as chat messages, and where each comes from. */
export class TranslatedContents extends History<Content, Part> {
  /** Calls without a result so far. */
  #open: ChatToolCall[] = [];

  constructor(systemInstruction: unknown, contents: readonly unknown[]) {
    super(ORIGINS, textOf(partsOf(systemInstruction)));
    this.add(contents);
  }

  /** The messages of a view in Gemini's form. The system prompt is a field of the request and not among them. */
  fromChat(view: readonly ChatMessage[]): Content[] {
    return ORIGINS.toOwn(this.withoutPrompt(view), this.messages, {
      make: (role, parts) => ({ role: role === 'assistant' ? 'model' : role, parts }),
      roleOf: ({ role = 'user' }) => role,
      partsOf: ({ parts }) => parts,
    });
  }

  protected translate(content: Content, index: number): readonly ChatMessage[] {
    const parts = partsOf(content);
    if (content.role === 'model') {
      const made = ORIGINS.translate([content, index], () => [[ORIGINS.toAssistant(parts, `${index}`), parts]]);
      this.#open = made.flatMap(({ tool_calls }) => tool_calls ?? []);
      return made;
    }
    const ids = parts.map(({ functionResponse: result }) => (isFields(result) ? this.#callOf(result) : undefined));
    return ORIGINS.translate([content, ...ids], () => translateUser(parts, ids));
  }

  /** The id of the call that a result is for: its own, or that of the first open call of this name, which had none. */
  #callOf({ id, name }: Fields): string {
    const at = this.#open.findIndex((call) => call.id === id);
    const place =
      at >= 0 ? at : this.#open.findIndex((call) => call.id.startsWith(MADE_ID) && call.function.name === name);
    const [call] = place < 0 ? [] : this.#open.splice(place, 1);
    return call?.id ?? asText(id ?? `${MADE_ID}${asText(name)}`);
  }
}

/** `ids`: of the call, where a part is its result. */
function translateUser(parts: readonly Part[], ids: readonly (string | undefined)[]): Translated<Part> {
  const made: [ChatMessage, readonly Part[]][] = [];
  const others: Part[] = [];
  for (const [at, part] of parts.entries()) {
    const id = ids[at];
    if (id !== undefined) made.push([{ role: 'tool', tool_call_id: id, content: resultOf(part) }, [part]]);
    // What the client itself adds to the human's message is not the human's.
    else if (others.length === 0 && isClients(part)) made.push([{ role: 'user', content: textOf([part]) }, [part]]);
    else others.push(part);
  }
  if (others.length > 0 || made.length === 0)
    made.push([{ role: 'user', content: contentOf(others.map(toPart)) }, others]);
  return made;
}

/** The parts of a message; a prompt may also be a text, a part or a list of parts. */
function partsOf(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ text: content }];
  if (Array.isArray(content)) return content.filter(isFields);
  if (!isFields(content)) return [];
  return Array.isArray(content.parts) ? content.parts.filter(isFields) : 'text' in content ? [content] : [];
}

/** Whether a part is a call. */
export function isCall(part: Part): part is Part & { readonly functionCall: Fields } {
  return isFields(part.functionCall);
}

function isClients({ text }: Part): boolean {
  return typeof text === 'string' && CLIENT_OPENINGS.some(([, opening]) => opening.test(text));
}

function idOf(id: string): { readonly id?: string } {
  return id.startsWith(MADE_ID) ? {} : { id };
}

function resultOf({ functionResponse }: Part): string | ChatPart[] {
  const { response, parts } = functionResponse as Fields;
  const output = isFields(response) ? (response.output ?? response.error ?? response) : response;
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '');
  const others = listAt({ parts }, 'parts').map(toPart);
  return others.length === 0 ? text : [{ type: 'text', text }, ...others];
}

/** A part that is neither text nor an image keeps its form; its type is the name of its first field. */
function toPart(part: Part): ChatPart {
  if (typeof part.text === 'string') return { type: 'text', text: part.text };
  const { mimeType, data } = fieldsAt(part, 'inlineData');
  if (typeof mimeType === 'string' && mimeType.startsWith('image/'))
    return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${asText(data)}` } };
  return { type: Object.keys(part)[0] ?? 'unknown', ...part };
}

function toSaid(message: ChatMessage): readonly Part[] {
  const { content } = message;
  if (typeof content !== 'object' || content === null) return content ? [{ text: content }] : [];
  return content.flatMap(({ type, ...part }): readonly Part[] => {
    if (type === 'text') return part.text === '' ? [] : [part];
    const url = textAt(part, 'image_url', 'url') ?? '';
    const [, mimeType] = /^data:([^;,]+);base64,/.exec(url) ?? [];
    return [mimeType === undefined ? part : { inlineData: { mimeType, data: url.slice(url.indexOf(',') + 1) } }];
  });
}

/** The functions of a request as chat completions define them; of tools of the provider only the size matters. */
export function toTools(tools: readonly Fields[]): readonly ChatTool[] {
  return tools.flatMap((tool): readonly ChatTool[] => {
    const { functionDeclarations: declared } = tool;
    if (!Array.isArray(declared)) return [{ type: Object.keys(tool)[0] ?? 'unknown', ...tool } as unknown as ChatTool];
    return declared.filter(isFields).map(({ name, description, parametersJsonSchema, parameters }) => {
      const schema = parametersJsonSchema ?? lowered(parameters) ?? { type: 'object', properties: {} };
      return functionTool(asText(name), description, schema as Fields);
    });
  });
}

/** A tool that Karl adds, in the form of this API. */
export function fromTool({ function: { name, description, parameters } }: ChatTool): object {
  return { name, description, parametersJsonSchema: parameters };
}

/** A schema of OpenAPI, whose types Gemini writes in capitals, as JSON Schema. */
export function lowered(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowered);
  if (!isFields(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'type' && typeof value === 'string' ? value.toLowerCase() : lowered(value),
    ]),
  );
}
