/**
 * Runs a program of the package, which resolves with the problem that stopped it, if any. Prints `usage` if the options are
 * unknown or malformed.
 */
export async function runProgram(name: string, usage: string, main: () => Promise<string | undefined>): Promise<void> {
  try {
    const problem = await main();
    if (problem === undefined) return;
    console.error(`${name}: ${problem}`);
  } catch (error) {
    if (!isWrongCall(error)) throw error;
    console.error(`${name}: ${error.message}\n\n${usage}`);
  }
  process.exitCode = 1;
}

/** Whether an error is that of `parseArgs` for unknown or malformed options. */
export function isWrongCall(error: unknown): error is TypeError {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
