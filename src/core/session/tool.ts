import type { ChatTool } from '../messages/chat.ts';

/** The result of a tool. `text` goes to the model as data; a failed tool explains its failure there. */
export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
}

/** A tool of the agent session. Contract: `run` checks its own arguments, never rejects, stops when `signal` aborts. */
export interface Tool {
  readonly definition: ChatTool;
  run(args: unknown, signal: AbortSignal): Promise<ToolOutcome>;
}
