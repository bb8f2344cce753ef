import type { Message, Plugin } from 'esbuild';

// What the terminal of `npm run build -- --watch` says. The problem matcher of the task "watch" reads it: F5 waits for
// WATCHING.
export const BUILDING = 'building';
export const WATCHING = 'built, watching for changes';

/**
 * Makes a plugin for each of this many builds that are watched together: says when the first begins and when the last
 * has ended.
 */
export function watching(builds: number, say: (line: string) => void = console.log): () => Plugin {
  let running = builds;
  say(BUILDING);
  return () => ({
    name: 'watching',
    setup(build) {
      let isFirst = true;
      build.onStart(() => {
        if (!isFirst) running += 1;
        if (!isFirst && running === 1) say(BUILDING);
        isFirst = false;
      });
      build.onEnd(({ errors, warnings }) => {
        for (const one of errors) say(lineOf('error', one));
        for (const one of warnings) say(lineOf('warning', one));
        running -= 1;
        if (running === 0) say(WATCHING);
      });
    },
  });
}

/** `src/a.ts:3:20: error: text`, columns from 1. */
function lineOf(severity: string, { text, location }: Message): string {
  const place = location === null ? 'esbuild.mjs:1:1' : `${location.file}:${location.line}:${location.column + 1}`;
  return `${place}: ${severity}: ${text}`;
}
