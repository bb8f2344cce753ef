import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkspaceTools } from '../../../src/adapters/node/workspaceTools/makeWorkspaceTools.ts';
import type { PreparedCase } from './cases.ts';

/** Lists files in one folder by a glob of stars that none of them matches. */
export async function listFilesCase(files: number, globLength: number): Promise<PreparedCase> {
  const root = await mkdtemp(join(tmpdir(), 'karl-bench-'));
  await mkdir(join(root, 'a'.repeat(60)));
  for (let index = 0; index < files; index += 1)
    await writeFile(join(root, 'a'.repeat(60), `${'a'.repeat(60)}${index}`), '');
  const tool = makeWorkspaceTools({ folders: () => [{ name: 'bench', path: root }] }).find(
    ({ definition }) => definition.function.name === 'list_files',
  );
  const pattern = `**/${'*a'.repeat(globLength)}`.slice(0, globLength - 1).concat('b');
  return {
    work: async () => tool?.run({ pattern }, new AbortController().signal),
    end: () => rm(root, { recursive: true, force: true }),
  };
}
