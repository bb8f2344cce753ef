import { Conversation } from '../../core/conversation/conversation.ts';
import type { Match, ThreadOpening } from '../../core/conversation/threads/match.ts';
import { Threads } from '../../core/conversation/threads/threads.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import type { ModelProfile } from '../../core/profile/profile.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import { Relay, type RelayParts } from '../../core/session/relay/relay.ts';
import type { TextCounter } from '../../core/tokens/counter.ts';
import { mayCompact } from '../askBeforeCompacting.ts';
import { SYSTEM_CLOCK } from '../clock.ts';
import type { DeskParts } from '../desk.ts';
import type { Hooks } from '../hooks.ts';
import type { Counters } from '../liveConversation.ts';
import { newId } from '../newId.ts';

/** What the conversations of the gateway's clients share with Karl's own. */
export interface GatewayRelayParts extends Pick<RelayParts, 'findModel'> {
  readonly desk: DeskParts;
  readonly hooks: Hooks;
  readonly counters: Counters<TextCounter>;
  readonly client: () => ModelClient;
}

/** Serves the gateway's clients; their conversations are in memory. Clients ask again by themselves: the relay does not. */
export function createGatewayRelay({ desk, hooks, counters, client, findModel }: GatewayRelayParts): Relay {
  const { settings, sinks, windows, run } = desk;
  const tell = (conversation: string, profile: ModelProfile, event: KarlEvent) => {
    sinks.emit({ event, context: { at: Date.now(), conversation, model: profile.id } });
    if (event.type === 'window-learned' && event.window.source === 'error') run(windows.hear(profile, event.window));
  };
  const open = ({ kind, id, profile, tools, restore }: ThreadOpening) => {
    const conversation = new Conversation({
      profile,
      tools,
      counter: counters.find(profile.encoding ?? 'o200k_base'),
      beforeCompact: (about, signal) => hooks.before(id, about, signal),
      ports: {
        newId,
        now: () => Date.now(),
        elapsed: () => performance.now(),
        pause: () => new Promise((resolve) => setImmediate(resolve)),
      },
      ...(restore !== undefined && { restore }),
    });
    if (kind === 'thread') conversation.on((event) => tell(id, conversation.profile(), event));
    return conversation;
  };
  return new Relay({
    findModel,
    client: { complete: (...asked) => client().complete(...asked) },
    threads: new Threads({ newId, now: () => Date.now(), open }),
    clock: SYSTEM_CLOCK,
    mostAttempts: 1,
    mayCompact: (trigger, signal) => mayCompact(settings.current['compaction.mode'], trigger, signal),
    preparesSummaries: () => settings.current['compaction.mode'] !== 'manual',
    onEvent: (match, event) => tell(nameOf(match), match.conversation.profile(), event),
  });
}

/** For the log: a request that is no conversation has no name of its own. */
function nameOf(match: Match): string {
  return match.kind === 'thread' ? match.id : 'aside';
}
