export const NOTICES: string;
export function writeNotices(root: string, inputs: readonly string[]): string;
export function packageOf(file: string): string | undefined;
