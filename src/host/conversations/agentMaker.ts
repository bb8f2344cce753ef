import * as vscode from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import type { KarlEvent } from '../../core/events/event.ts';
import { retell } from '../../core/language.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { readQueued } from '../../core/session/continuation.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import { makeRecallTool } from '../../core/session/recallTool.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import { buildSystemPrompt } from '../../core/session/systemPrompt.ts';
import type { Tool } from '../../core/session/tools.ts';
import type { TurnProblem } from '../../core/session/turnContext.ts';
import { CompressionQuestion } from '../actions/compressionQuestion.ts';
import type { HostAdapters, ReadInstructions, ToolFolder } from '../adapters.ts';
import { announceResult, chooseStrategy } from '../notices/compressionResult.ts';
import { type Cure, SELECT_MODEL } from '../notices/describeModelError.ts';
import { clearOutcome, showOutcome, toolsNotice } from '../notices/outcomes.ts';
import type { KnownWindows } from '../servers/knownWindows.ts';
import type { ActiveConversation } from './activeConversation.ts';
import { Agent } from './agent.ts';
import type { Connections } from './connections.ts';
import type { Hooks } from './hooks.ts';
import type { ModelProfiles } from './modelProfiles.ts';
import { diskFolders } from './tools.ts';

/** What Karl's own agents share. */
interface AgentMakerParts {
  readonly connections: Connections;
  readonly hooks: Hooks;
  readonly profiles: ModelProfiles;
  readonly windows: KnownWindows;
  readonly counter: (profile: ModelProfile) => ReturnType<HostAdapters['createCounter']>;
  readonly client: () => ModelClient;
  /** Those that read the folders of the workspace. */
  readonly workspaceTools: readonly Tool[];
  /** What the settings change in a conversation for a model, its summarizer among it. */
  readonly changeFor: (profile: ModelProfile, conversation: Conversation) => ConversationChange;
}

/** Returns what makes the agent of a conversation: connected to model, tools, settings, file and user. */
export function agentMaker(parts: AgentMakerParts): (active: ActiveConversation) => Agent {
  const { connections, hooks, profiles, windows, counter, client, workspaceTools, changeFor } = parts;
  const { actions, adapters, notices, announcer, run, refresh, settings } = connections;
  // Models that take no tool definitions, for this window: a server can be restarted with other options.
  const withoutTools = new Set<string>();
  return (active) => {
    const { conversation, file } = active;
    const isOpen = () => connections.active() === active;
    return new Agent({
      conversation,
      store: {
        queue: (messages) => file.queue(messages),
        flush: () => file.flush(),
        saveState: () => active.save(),
      },
      client,
      tools: (of) => listTools(of, settings.current, workspaceTools),
      prompt: () => readPrompt(diskFolders(), adapters.readInstructions),
      settings: () => settings.current,
      profile: async () => {
        await profiles.load();
        return profiles.resolve(settings.current.model);
      },
      onProfile: (resolved) => active.runWith(resolved),
      changeFor: (profile) => changeFor(profile, conversation),
      streamed: {
        countStream: () => counter(conversation.profile()).stream?.(),
        // A failed save matters only if the window closes; disk errors are reported when the reply is appended.
        keep: (reply) => file.keepReply(reply),
      },
      findWindow: (profile) => windows.find(profile),
      question: new CompressionQuestion({
        mode: () => settings.current['compaction.mode'],
        about: () => {
          const { used, limit } = conversation.budget();
          return { used: used.tokens, limit, compactions: conversation.compactions().length };
        },
        notices,
        announcer,
        preview: () => run(actions.preview()),
        onChange: refresh,
      }),
      withoutTools,
      acceptedSizes: connections.windows.accepted,
      queued: active.readOnly === undefined ? readQueued(file.stored.details.state?.queued) : [],
      onQueue: () => run(active.saveAndReport()),
      onEvent: (event) => receiveEvent(active, event, connections, hooks),
      onStart: () => (isOpen() ? clearOutcome(notices) : undefined),
      onOutcome: (outcome) => {
        if (!isOpen()) return;
        notices.remove('busy');
        // The message box says that another window has taken over.
        const isTaken =
          outcome.kind === 'failed' && outcome.problem.kind === 'not-saved' && active.readOnly !== undefined;
        if (isTaken) return clearOutcome(notices);
        const mend = async (cure: Cure, problem: TurnProblem) => {
          if (await actions.mend(cure)) await active.agent.resumeMended(problem);
        };
        showOutcome(outcome, announcer, {
          resume: () => run(active.agent.resume()),
          mend: (cure, problem) => run(mend(cure, problem)),
        });
      },
      onChange: refresh,
    });
  };
}

/** Hands an event of a conversation of Karl's own agent to log, file, hooks, view and user. */
export function receiveEvent(
  active: ActiveConversation,
  event: KarlEvent,
  connections: Connections,
  hooks: Hooks,
): void {
  const { sinks, notices, announcer, windows, settings, actions, run, refresh } = connections;
  // What is closed has nothing to say among the notices of the next one.
  const isOpen = connections.active() === active;
  const profile = active.conversation.profile();
  sinks.emit({ event, context: { at: Date.now(), conversation: active.id, model: profile.id } });
  const begun = active.compressing;
  active.follow(event, run);
  switch (event.type) {
    case 'compaction-ended':
      if (isOpen) notices.remove('busy');
      if (event.result.kind === 'compacted')
        run(hooks.after({ conversation: active.id, model: profile.id }, event.result));
      if (!isOpen) break;
      announceResult(event.result, event.trigger, announcer, {
        undo: (id) => run(actions.undo(id)),
        show: () => run(actions.reveal()),
        choose: () => chooseStrategy(announcer),
        mend: (cure, after) => run(actions.mend(cure).then((isMended) => (isMended ? after() : undefined))),
        // A run that was previewed showed there what it lacks.
        ...(begun !== undefined &&
          !(active.preview !== undefined && event.result.kind === 'compacted') && {
            again: (inPlaceOf) => run(actions.compress(begun.strategy, begun.instructions, inPlaceOf)),
          }),
        summaryModel: settings.current['summary.model'],
      });
      break;
    case 'window-learned':
      run(active.saveAndReport());
      if (event.window.source === 'error') run(windows.hear(profile, event.window));
      break;
    case 'warning':
      if (isOpen) notices.show({ id: 'warning', severity: 'warning', text: retell(event.message), passing: true });
      break;
    case 'tools-refused':
      if (isOpen) notices.show(toolsNotice(event.model, () => run(actions.mend(SELECT_MODEL))));
      break;
    default:
      break;
  }
  refresh();
}

/** Conventions for agents that a workspace folder may have at its top. */
const INSTRUCTIONS_FILE = 'AGENTS.md';

/** The system prompt for this window, with the AGENTS.md of every workspace folder. */
async function readPrompt(folders: readonly ToolFolder[], readFile: ReadInstructions): Promise<string> {
  const read = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(folder, INSTRUCTIONS_FILE);
      const path = folders.length > 1 ? `${folder.name}/${INSTRUCTIONS_FILE}` : INSTRUCTIONS_FILE;
      return text === undefined ? [] : [{ path, text }];
    }),
  );
  return buildSystemPrompt({ folders: folders.map(({ name }) => name), instructions: read.flat() });
}

/**
 * The tools that settings and trust allow now: none in an untrusted workspace, only recall in a window without a
 * folder.
 */
function listTools(
  conversation: Conversation,
  settings: KarlSettings,
  workspaceTools: readonly Tool[],
): readonly Tool[] {
  if (!vscode.workspace.isTrusted) return [];
  const own = diskFolders().length === 0 ? [] : workspaceTools;
  const enabled = new Set<string>(settings['tools.enabled']);
  return [...own, makeRecallTool(conversation)].filter((tool) => enabled.has(tool.definition.function.name));
}
