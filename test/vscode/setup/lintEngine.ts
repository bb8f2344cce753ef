// Lays the engine's npm package out and has publint look at it; part of `npm run check`.
import fs from 'node:fs';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from './build.ts';
import { packageEngine } from './packageEngine.ts';
import { root } from './root.ts';

if (!fs.existsSync(path.join(root, 'dist/engine.mjs'))) await build();
const folder = packageEngine();
const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
for (const message of messages) console.error(formatMessage(message, pkg));
console.log(`${path.relative(root, folder)}: ${messages.length} complaints`);
process.exitCode = messages.length === 0 ? 0 : 1;
