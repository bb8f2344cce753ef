// npm run check: types, style, what is not used, and the engine as a package.
import { RINGS } from './harness/rings.ts';
import { runRing } from './harness/runRing.ts';

const { failed } = await runRing(RINGS.check);
process.exitCode = failed === 0 ? 0 : 1;
