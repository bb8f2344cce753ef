export function installApart(root: string, name: string, packages: readonly string[]): string;
