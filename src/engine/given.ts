import { inEnglish } from '../core/language.ts';
import { type ChatMessage, type ChatTool, copyData, type Usage } from '../core/messages/chat.ts';
import { InvalidMessageError, parseMessage } from '../core/messages/parse.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import { parseOverrides, parseProfiles } from '../core/model/profileFile.ts';
import { resolveProfile as resolve } from '../core/model/resolve.ts';

/**
 * A message as a client's package types it, for example `openai`. What it is made of is checked when it is given; the
 * role `function` is refused.
 */
export type GivenMessage =
  | ChatMessage
  | {
      readonly role: ChatMessage['role'] | 'function';
      readonly content?: string | readonly object[] | null | undefined;
      readonly tool_calls?: readonly object[] | null | undefined;
      readonly tool_call_id?: string | undefined;
    };

/** A tool definition as a client's package types it. One that defines no function is refused. */
export type GivenTool = ChatTool | { readonly type: string; readonly function?: { readonly name: string } | undefined };

/** Usage as a client's package types it. */
export type GivenUsage =
  | Usage
  | {
      readonly prompt_tokens?: number | undefined;
      readonly completion_tokens?: number | undefined;
      readonly prompt_tokens_details?: { readonly cached_tokens?: number | undefined } | null | undefined;
    };

/** No caller means to give more at once. Characters and values. */
const LARGEST_GIVEN = 1_000_000_000;

/**
 * Whether copying a value would take more memory than there is: a few objects that are shared many times can stand for
 * any number of them. Each object is looked at once.
 */
export function isTooLarge(value: unknown): boolean {
  const sizes = new Map<object, number>();
  const sizeOf = (one: unknown): number => {
    if (typeof one === 'string') return one.length + 1;
    if (typeof one !== 'object' || one === null) return 1;
    const known = sizes.get(one);
    if (known !== undefined) return known;
    // What contains itself is refused for that.
    sizes.set(one, 0);
    const size = Object.values(one).reduce<number>((sum, inner) => sum + sizeOf(inner), 1);
    sizes.set(one, size);
    return size;
  };
  try {
    return sizeOf(value) > LARGEST_GIVEN;
  } catch (error) {
    // Nested so deeply that it is refused for that.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Messages as they were given, checked. @throws InvalidMessageError (index, field) */
export function checkMessages(messages: readonly unknown[]): void {
  messages.forEach((message, index) => {
    if (isTooLarge(message))
      throw new InvalidMessageError(index, 'message', `at most ${LARGEST_GIVEN} characters and values large`);
    parseMessage(message, index);
  });
}

/** Tools as the core has them: a copy, since whether tools have changed is told by comparing them with those given before. */
export function toTools(tools: readonly GivenTool[]): readonly ChatTool[] {
  return copyData(tools) as readonly ChatTool[];
}

/** A model id, which is looked up in the built-in figures; or an id together with what is known about the model. */
export type GivenProfile =
  | string
  | ({ readonly [Field in keyof ModelProfile]?: ModelProfile[Field] | undefined } & Pick<ModelProfile, 'id'>);

/** Everything that is known about a model. @throws TypeError naming the option and the field. */
export function toProfile(profile: GivenProfile, option: 'profile' | 'summaryProfile'): ModelProfile {
  if (typeof profile === 'string') return resolveProfile(profile);
  // The engine sends nothing itself: a profile without a server is fine here.
  const entry = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined && value !== ''));
  const { layer, problems } = parseProfiles([entry], 'profile');
  const [problem] = problems;
  if (problem !== undefined)
    throw new TypeError(`${option}${problem.path.slice('[0]'.length)}: ${inEnglish(problem.reason)}`);
  return copyData(resolve(profile.id, [layer]).profile);
}

/**
 * What is known about a model. `overrides` is the content of a profile file (an array of entries, or model id → entry),
 * or one entry for this model. Invalid entries are left out, as in a file.
 * @throws TypeError naming the path and the reason when nothing valid is left, or when the model is not a string.
 */
export function resolveProfile(model: string, overrides?: unknown): ModelProfile {
  if (typeof model !== 'string' || model === '') throw new TypeError('resolveProfile needs the id of a model');
  const layers = overrides === undefined ? [] : [parseOverrides(model, overrides)];
  // A copy: the built-in figures are the same objects for everybody.
  return copyData(resolve(model, layers).profile);
}
