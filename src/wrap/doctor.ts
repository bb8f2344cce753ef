import { type ExecFileException, execFile } from 'node:child_process';
import { listAgents } from '../adapters/agents/agents.ts';
import { inEnglish } from '../language/language.ts';

/** How long an agent may take to state its version, milliseconds. */
const PATIENCE_MS = 20_000;

/** Prints for each agent whether it is installed, whether it starts, and what prevents it. Resolves with the exit code. */
export async function examine(): Promise<number> {
  const found = await Promise.all(
    listAgents().map(async ({ name, package: source, program, problem }) => {
      if (program === undefined) return { name, isBroken: false, said: `not found: npm install -g ${source}` };
      const { isBroken, said } = await askVersion(program);
      return problem === undefined
        ? { name, isBroken, said }
        : { name, isBroken: true, said: `${said}: ${inEnglish(problem)}` };
    }),
  );
  for (const { name, said } of found) console.log(`${name.padEnd(10)}${said}`);
  return found.some(({ isBroken }) => isBroken) ? 1 : 0;
}

function askVersion(program: string): Promise<{ readonly isBroken: boolean; readonly said: string }> {
  const isWindows = process.platform === 'win32';
  // npm's programs are scripts there, which only a shell can start.
  const [file, options] = [isWindows ? `"${program}"` : program, { timeout: PATIENCE_MS, shell: isWindows }];
  return new Promise((resolve) => {
    execFile(file, ['--version'], options, (error, output, complaints) =>
      resolve(
        error === null
          ? { isBroken: false, said: firstLine(output) || `states no version: ${program}` }
          : { isBroken: true, said: `${program} ${faultOf(error)} ${firstLine(complaints)}`.trimEnd() },
      ),
    );
  });
}

function faultOf({ code, killed, signal }: ExecFileException): string {
  if (killed === true) return `did not answer within ${PATIENCE_MS / 1_000} s.`;
  if (signal !== null && signal !== undefined) return `was ended by ${signal}.`;
  return typeof code === 'number' ? `ends with code ${code}.` : `cannot be started (${code}).`;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
}
