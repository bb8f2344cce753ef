import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A setting as the manifest declares it. */
export interface DeclaredSetting {
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
  /** The figures of an object setting. */
  readonly properties?: Readonly<Record<string, DeclaredSetting>>;
  readonly order: number;
  readonly markdownDescription: string;
  readonly scope: string;
}

/** A group of settings, shown under its title. */
interface SettingGroup {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, DeclaredSetting>>;
}

/** An entry of a menu. */
export interface MenuItem {
  readonly command: string;
  readonly when: string;
  readonly group: string;
}

/** The parts of package.json that tests read. */
export interface Manifest {
  readonly contributes: {
    readonly configuration: readonly SettingGroup[];
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
}

/** Reads package.json. */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'));
}

/** The settings of all groups, by name; each figure of an object setting has a name of its own, as in the code. */
export function declaredSettings(): Readonly<Record<string, DeclaredSetting>> {
  const groups = readManifest().contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  return Object.fromEntries(
    groups.flatMap(([name, setting]) =>
      setting.properties === undefined
        ? [[name, setting] as const]
        : Object.entries(setting.properties).map(([figure, one]) => [`${name}.${figure}`, one] as const),
    ),
  );
}
