// npm run package: writes karl-<version>.vsix and the engine's tarball into the project's folder; dist/npm is what is in it.

import { runNpm } from './setup/install.mjs';
import { packageEngine } from './setup/packageEngine.ts';
import { packageExtension } from './setup/packageExtension.ts';
import { build, root } from './setup/root.ts';

console.log(await packageExtension(root));
build();
runNpm(packageEngine(), ['pack', '--pack-destination', root]);
