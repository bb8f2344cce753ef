export type { ChatMessage, CompactionInfo, CompactionReport, Conversation } from '../../src/engine.ts';
export { countTokens } from '../../src/engine.ts';
