/** A ring of tests: programs that run one after the other under Node 24, each with its count. */
export interface Ring {
  readonly what: string;
  readonly steps: readonly Step[];
}

export type Step =
  /** A program that counts as one test: passed when it ends with 0. */
  | { readonly kind: 'program'; readonly words: readonly string[] }
  /**
   * Mocha under Node 24 on the files that match; `jobs` processes take a file each, where files share nothing (default:
   * 1).
   */
  | ({ readonly kind: 'mocha'; readonly patterns: readonly string[]; readonly jobs?: number } & Partial<Retried>)
  /** Mocha in the extension host of a real VS Code. */
  | ({ readonly kind: 'host' } & Retried);

/**
 * How often a test that fails is tried again: only where an editor or a browser is driven. A test that passes only then
 * is reported.
 */
interface Retried {
  readonly retries: number;
}

export type RingName = 'check' | 'unit' | 'webview' | 'host' | 'ui' | 'commands';

export const CHECKS: readonly Step[] = [
  { kind: 'program', words: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  {
    kind: 'program',
    words: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--diagnostic-level=warn'],
  },
  { kind: 'program', words: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { kind: 'program', words: ['test/vscode/setup/lintEngine.ts'] },
];

export const RINGS: Readonly<Record<RingName, Ring>> = {
  check: { what: 'types, style, what is not used, and the engine as a package', steps: CHECKS },
  unit: {
    what: 'core, adapters, engine, the pure parts of the host and the shape of the source, in Node',
    steps: [
      {
        kind: 'mocha',
        jobs: 2,
        patterns: [
          'test/core/**/*.test.ts',
          'test/adapters/**/*.test.ts',
          'test/engine/**/*.test.ts',
          'test/host/**/*.test.ts',
          'test/protocol/**/*.test.ts',
          'test/bench/**/*.test.ts',
          'test/vscode/{setup,harness}/**/*.test.ts',
          'test/*.test.ts',
        ],
      },
    ],
  },
  webview: {
    what: 'the webview alone, in a real browser',
    steps: [{ kind: 'mocha', jobs: 2, retries: 1, patterns: ['test/vscode/webview/**/*.test.ts'] }],
  },
  host: { what: 'the extension host of a real VS Code', steps: [{ kind: 'host', retries: 1 }] },
  ui: {
    what: 'what a user sees and does, in a real VS Code',
    steps: [{ kind: 'mocha', jobs: 2, retries: 1, patterns: ['test/vscode/ui/**/*.ui.test.ts'] }],
  },
  commands: {
    what: 'npm start, the .vsix and the engine, as a newcomer meets them',
    steps: [{ kind: 'mocha', retries: 1, patterns: ['test/vscode/commands/**/*.test.ts'] }],
  },
};
