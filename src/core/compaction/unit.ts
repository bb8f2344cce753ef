import type { Block } from '../messages/blocks.ts';
import type { ChatMessage } from '../messages/chat.ts';
import type { MessageRange } from '../messages/message.ts';
import type { WholeItem } from '../messages/view.ts';
import type { Narrative, Substitute } from './compaction.ts';

/**
 * The role of a stretch of the view for a planner. `prompt`, `pinned`, `request`, `open` and `unread` are frozen;
 * `unread` is what the model has not answered yet, such as the newest results (see `fitUnread`); `human` is an older
 * message that the human wrote; `work` is everything else.
 */
export type UnitRole = 'prompt' | 'pinned' | 'request' | 'open' | 'unread' | 'human' | 'work';

/** One stretch of the view while a plan is made: a whole block, or a run of blocks with their substitute. */
export interface Unit {
  readonly range: MessageRange;
  /** The raw blocks of the range: notes are always made from these. */
  readonly blocks: readonly Block[];
  readonly messages: readonly ChatMessage[];
  /** The narratives in the note that takes the place of the range. */
  readonly narratives: readonly Narrative[];
  readonly tokens: number;
  readonly role: UnitRole;
  readonly state: 'whole' | Substitute['kind'];
  /** See `Substitute.volatile`. */
  readonly volatile: number;
  /** True when the plan under way made it. */
  readonly changed: boolean;
}

/** For units without narratives. */
export const NONE_TOLD: readonly Narrative[] = [];

/** A block in the view as it came. All but three of its fields are computed on demand, since there may be very many. */
export class WholeUnit implements Unit {
  readonly #item: WholeItem;
  readonly tokens: number;
  readonly role: UnitRole;

  constructor(item: WholeItem, tokens: number, role: UnitRole) {
    this.#item = item;
    this.tokens = tokens;
    this.role = role;
  }

  get range(): MessageRange {
    return this.#item.range;
  }

  get blocks(): readonly Block[] {
    return [this.#item.block];
  }

  get messages(): readonly ChatMessage[] {
    return this.#item.messages;
  }

  get narratives(): readonly Narrative[] {
    return NONE_TOLD;
  }

  get state(): 'whole' {
    return 'whole';
  }

  get volatile(): number {
    return 0;
  }

  get changed(): boolean {
    return false;
  }

  withTokens(tokens: number): Unit {
    return new WholeUnit(this.#item, tokens, this.role);
  }
}

/** True for units that no plan may change. */
export function isFrozen({ role }: Pick<Unit, 'role'>): boolean {
  return role !== 'work' && role !== 'human';
}
