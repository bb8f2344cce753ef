/**
 * npm run bench -- rounds [--strategy adaptive] [--rounds 20]
 *
 * What an agent sees of its newest results: windows, shares of the window that the system prompt takes, and shares that
 * each round of results takes. Sets the exit code when a result is not whole that fits, or a request is over the limit.
 */
import { parseArgs } from 'node:util';
import type { StrategyId } from '../../../src/engine.ts';
import { table } from '../table.ts';
import { type Measured, measureRounds } from './measure.ts';

const { values } = parseArgs({
  options: { strategy: { type: 'string', default: 'adaptive' }, rounds: { type: 'string', default: '20' } },
});
const measured: Measured[] = [];
for (const window of [16_384, 32_768, 65_536, 131_072])
  for (const prompt of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    for (const size of [0.05, 0.1, 0.16, 0.3, 0.4])
      measured.push(
        await measureRounds({
          window,
          prompt,
          size,
          strategy: values.strategy as StrategyId,
          rounds: Number(values.rounds),
        }),
      );
console.log(
  table(
    ['window', 'prompt', 'round', 'fits', 'lost', 'cut', 'over', 'runs', 'rounds between runs'],
    measured.map(({ window, prompt, size, fits, lost, cut, over, runs }) => [
      String(window),
      `${prompt * 100} %`,
      `${size * 100} %`,
      fits ? 'yes' : 'no',
      ...[lost, cut, over, runs.length].map(String),
      String(Math.min(...runs.slice(1).map((run, index) => run - (runs[index] ?? 0)))).replace('Infinity', '-'),
    ]),
  ),
);
const broken = measured.filter(({ fits, lost, cut, over }) => lost + over > 0 || (fits && cut > 0));
console.log(
  `\n${measured.length} cases; ${broken.length} in which a result that fits was not whole, or a request was over.`,
);
if (broken.length > 0) process.exitCode = 1;
