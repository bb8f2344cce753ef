import type { MessageId } from '../chat/message.ts';
import { Transcript } from '../chat/transcript.ts';
import type { ViewItem } from '../chat/view.ts';
import type { ChatMessage } from '../chat/wire.ts';
import type { Compaction } from '../compaction/compaction.ts';
import { type Draft, type DraftInput, frozenTokens, startDraft } from '../compaction/draft.ts';
import { Recall } from '../compaction/recall/recall.ts';
import { isTraceDue } from '../compaction/strategies/actionTrace.ts';
import { type TriggerInput, Triggers } from '../compaction/triggers.ts';
import type { KarlEvent } from '../events/event.ts';
import { Fanout } from '../events/fanout.ts';
import { createLedger } from '../ledger/ledger.ts';
import { type Budget, deriveBudget } from '../model/budget.ts';
import { profileKey } from '../model/providers.ts';
import { phrase } from '../phrase.ts';
import { countSame } from '../result.ts';
import { eachInSteps, runAtOnce, runInSlices, type Steps } from '../steps.ts';
import { CompactedView, type Derived } from './compactedView.ts';
import {
  type AcceptedSizes,
  type ConversationOptions,
  type EffectiveSettings,
  effectiveSettings,
} from './conversationOptions.ts';
import { findHumans, type Humans, requestsIn, unreadIn } from './humans.ts';
import { RequestMeter, type ViewSum } from './requestMeter.ts';

/**
 * The parts of a conversation that its runs work with: transcript, records, settings and measurements. The view
 * and the sum of its tokens are derived incrementally.
 */
export class ConversationParts {
  readonly transcript = new Transcript();
  readonly view = new CompactedView(this.transcript);
  readonly recaller = new Recall(this.transcript);
  readonly ledger = createLedger();
  readonly events = new Fanout<KarlEvent>((error) =>
    this.events.emit({ type: 'warning', message: phrase('listener.failed', String(error)) }),
  );
  readonly triggers = new Triggers();
  /** A new one for each model: another reports differently, and may charge for images by another rule. */
  meter: RequestMeter;
  readonly options: Pick<ConversationOptions, 'ports' | 'counter' | 'beforeCompact'>;
  settings: EffectiveSettings;
  /** What servers have accepted; whoever asks one keeps this up to date. */
  readonly acceptedSizes: AcceptedSizes;
  /** The human's messages among the first `of`. */
  #humans: { readonly of: MessageId; readonly found: Humans } | undefined;
  /** The messages of `items`; `before`: how many of them precede the last item. */
  #flat = { items: [] as readonly ViewItem[], messages: [] as readonly ChatMessage[], before: 0 };

  constructor(options: Omit<ConversationOptions, 'restore'>) {
    this.options = options;
    this.acceptedSizes = options.acceptedSizes ?? new Map();
    this.settings = effectiveSettings(options);
    this.meter = new RequestMeter(options.counter, options.profile.images);
  }

  /** Derives and counts newly appended messages in slices, so that later calls answer at once, with exact counts. */
  async ready(): Promise<void> {
    await this.options.counter.loaded;
    await runInSlices(this.#prepare(), this.options.ports);
  }

  *#prepare(): Steps<void> {
    const items = yield* this.view.derive();
    yield* this.meter.sumInSteps(items);
    yield* this.#flatten(items);
    yield* this.#findHumans();
  }

  /** The view with one more record, derived and counted in advance. */
  *viewWith(compaction: Compaction): Steps<Derived> {
    const derived = yield* this.view.with(compaction);
    yield* this.meter.sumInSteps(derived.items);
    return derived;
  }

  /** The messages of the view, in order: what is sent, before shaping. */
  viewMessages(): readonly ChatMessage[] {
    return runAtOnce(this.#flatten(this.view.items()));
  }

  *#flatten(items: readonly ViewItem[]): Steps<readonly ChatMessage[]> {
    const known = this.#flat;
    if (known.items === items) return known.messages;
    // While a view grows, all items but the last stay the same.
    const kept = Math.max(0, known.items.length - 1);
    const isGrown = items.length > kept && countSame(known.items, items) >= kept;
    const messages = isGrown ? known.messages.slice(0, known.before) : [];
    let before = 0;
    yield* eachInSteps(isGrown ? items.slice(kept) : items, (item) => {
      before = messages.length;
      for (const message of item.messages) messages.push(message);
    });
    this.#flat = { items, messages, before };
    return messages;
  }

  /** The sum over all messages, before shaping and without the tool definitions. */
  sum(): ViewSum {
    return this.meter.sum(this.view.items());
  }

  humans(): Humans {
    return runAtOnce(this.#findHumans());
  }

  *#findHumans(): Steps<Humans> {
    const { nextId, messages } = this.transcript;
    if (this.#humans?.of !== nextId) this.#humans = { of: nextId, found: yield* findHumans(messages.slice()) };
    return this.#humans.found;
  }

  frozenTokens(): ReturnType<typeof frozenTokens> {
    const { messages } = this.transcript;
    return frozenTokens({ ...this.#basis(), requests: requestsIn(messages), unread: unreadIn(messages) });
  }

  draft(): Draft {
    const { older, ...newest } = this.humans();
    return runAtOnce(startDraft({ ...this.#basis(), ...newest, humans: older }));
  }

  #basis(): Omit<DraftInput, 'requests' | 'humans' | 'unread'> {
    return { items: this.view.items(), pins: this.view.pins, ...this.meter.counting };
  }

  /** The current budget: the usage that the server last reported, and what came since, counted and scaled. */
  budget(): Budget {
    const { profile, tools, learnedWindow } = this.settings;
    const items = this.view.items();
    const frozen = this.frozenTokens();
    const fixed = this.meter.part(frozen.fixed, items, tools);
    const unread = this.meter.part(frozen.fixed + frozen.unread, items, tools) - fixed;
    const used = this.meter.request(items, tools);
    const accepted = this.acceptedSizes.get(profileKey(profile));
    return { ...deriveBudget(profile, used, { learned: learnedWindow, accepted }), fixed, unread };
  }

  triggerInput(): TriggerInput {
    const { tokens, messages } = this.sum();
    return {
      ...this.settings,
      budget: this.budget(),
      size: tokens - this.frozenTokens().fixed,
      messages,
      isTraceDue: () => isTraceDue(this.draft(), this.settings.settings.actionTrace),
    };
  }
}
