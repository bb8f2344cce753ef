import type { Plugin } from 'esbuild';

export const BUILDING: string;
export const WATCHING: string;
export function watching(builds: number, say?: (line: string) => void): () => Plugin;
