import { InvalidMessageError, parseMessage } from '../core/chat/parse.ts';
import { type ChatMessage, type ChatTool, copyData, type Usage } from '../core/chat/wire.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import { PROFILE_FIELDS, type ProfileLayer, parseProfiles } from '../core/model/profileFile.ts';
import { resolveProfile as resolve } from '../core/model/resolve.ts';
import { isRecord } from '../core/result.ts';
import { inEnglish } from '../language/language.ts';

/**
 * A message as a client's package types it, for example `openai`. Its content is checked at run time; the role `function` is
 * refused.
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

/** More than any caller intends to pass. Characters and values. */
const LARGEST_GIVEN = 1_000_000_000;

/**
 * Whether copying a value would exhaust the memory: a few objects that are shared many times can expand to any number.
 * Looks at each object once.
 */
export function isTooLarge(value: unknown): boolean {
  const sizes = new Map<object, number>();
  const sizeOf = (one: unknown): number => {
    if (typeof one === 'string') return one.length + 1;
    if (typeof one !== 'object' || one === null) return 1;
    const known = sizes.get(one);
    if (known !== undefined) return known;
    // A value that contains itself is refused elsewhere.
    sizes.set(one, 0);
    const size = Object.values(one).reduce<number>((sum, inner) => sum + sizeOf(inner), 1);
    sizes.set(one, size);
    return size;
  };
  try {
    return sizeOf(value) > LARGEST_GIVEN;
  } catch (error) {
    // So deep a nesting is refused elsewhere.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Checks given messages. @throws InvalidMessageError (index, field) */
export function checkMessages(messages: readonly unknown[]): void {
  messages.forEach((message, index) => {
    if (isTooLarge(message))
      throw new InvalidMessageError(index, 'message', `at most ${LARGEST_GIVEN} characters and values large`);
    parseMessage(message, index);
  });
}

/** Copies tools for the core, which compares them with the previous ones to see whether they changed. */
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
 * What is known about a model. `overrides`: the content of a profile file (an array of entries, or model id → entry), or one
 * entry for this model. Leaves out invalid entries.
 * @throws TypeError naming the path and the reason if nothing valid is left, or if the model is not a string.
 */
export function resolveProfile(model: string, overrides?: unknown): ModelProfile {
  if (typeof model !== 'string' || model === '') throw new TypeError('resolveProfile needs the id of a model');
  const layers = overrides === undefined ? [] : [parseOverrides(model, overrides)];
  // A copy, since the built-in figures are shared.
  return copyData(resolve(model, layers).profile);
}

/**
 * Reads overrides given by a program: the content of a profile file, or a single entry for `model`. Leaves out bad entries.
 * @throws TypeError naming the path and the reason if no entry is left.
 */
function parseOverrides(model: string, overrides: unknown): ProfileLayer {
  const content = isEntry(overrides) ? { ...overrides, id: model } : overrides;
  const { layer, problems } = parseProfiles(content, 'overrides');
  const [problem] = problems;
  if (problem !== undefined && layer.entries.length === 0) {
    throw new TypeError(
      [problem.source, problem.path, inEnglish(problem.reason)].filter((part) => part !== '').join(': '),
    );
  }
  return layer;
}

/** An object with at least one field of a profile is a single entry. */
function isEntry(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && PROFILE_FIELDS.some((field) => field in value);
}
