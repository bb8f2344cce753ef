import { compactCase, goOnCase, openCase } from './conversations.ts';
import { extractCase } from './extractors.ts';
import { gatewayCase } from './gateway.ts';
import { listFilesCase } from './listFiles.ts';
import { argumentsIn4, modelsCase, objectsIn, streamCase } from './servers.ts';

/** Work to be measured, and how to clean up after it. */
export interface PreparedCase {
  readonly work: () => Promise<unknown>;
  readonly end?: () => Promise<unknown>;
}

/** A case of the benchmark: what is prepared is not measured. */
export interface BlockingCase {
  readonly name: string;
  readonly prepare: () => PreparedCase | Promise<PreparedCase>;
}

/** Everything that has once held up the extension host for longer than a user's patience. */
export const CASES: readonly BlockingCase[] = [
  { name: 'compact 4,000 messages with figures', prepare: () => compactCase('figures', 4_000) },
  { name: 'compact 8,000 messages with figures', prepare: () => compactCase('figures', 8_000) },
  { name: 'list_files, 5,000 files, a glob of 256', prepare: () => listFilesCase(5_000, 256) },
  { name: 'reply: 1.2 MB of small objects', prepare: () => streamCase(objectsIn(1_200_000)) },
  { name: 'reply: 800 kB of arguments in fours', prepare: () => streamCase(argumentsIn4(800_000)) },
  { name: '/models with 100,000 ids', prepare: () => modelsCase(100_000) },
  { name: 'extractors on 2 MB', prepare: () => extractCase(2_000_000) },
  { name: 'open 100,000 tiny messages', prepare: () => openCase('tiny', 100_000) },
  { name: 'go on with 100,000 tiny messages', prepare: () => goOnCase('tiny', 100_000) },
  { name: 'compact 100,000 tiny messages', prepare: () => compactCase('tiny', 100_000) },
  { name: 'open a session of 800,000 tokens', prepare: () => openCase('work', 1_900) },
  { name: 'go on with 800,000 tokens', prepare: () => goOnCase('work', 1_900) },
  { name: 'compact 800,000 tokens', prepare: () => compactCase('work', 1_900) },
  { name: 'compact 800,000 tokens, cold', prepare: () => compactCase('work', 1_900, 'cold') },
  { name: 'gateway: the first request, of 4 MB', prepare: () => gatewayCase('first', 4_000_000) },
  { name: 'gateway: the next request, of 4 MB', prepare: () => gatewayCase('next', 4_000_000) },
  { name: 'gateway: a request of 4 MB, its thread on the disk', prepare: () => gatewayCase('again', 4_000_000) },
];
