export function findNode24(root: string): string;
export function installNode(root: string, major: number): string;
