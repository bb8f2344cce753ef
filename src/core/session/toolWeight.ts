import type { ChatTool } from '../messages/chat.ts';

/** An estimate of characters per token in JSON; used to say which definition is large, never for a budget. */
const CHARACTERS_PER_TOKEN = 4;

/** One tool definition and its size, tokens, estimated. */
export interface ToolWeight {
  readonly name: string;
  readonly tokens: number;
}

/** Tool definitions by size, largest first. */
export function weighTools(tools: readonly ChatTool[]): readonly ToolWeight[] {
  return tools
    .map((tool) => ({
      name: tool.function?.name ?? tool.type,
      tokens: Math.ceil(JSON.stringify(tool).length / CHARACTERS_PER_TOKEN),
    }))
    .sort((left, right) => right.tokens - left.tokens);
}

/** The estimated tokens of all definitions together. */
export function sumWeights(weights: readonly ToolWeight[]): number {
  return weights.reduce((sum, weight) => sum + weight.tokens, 0);
}
