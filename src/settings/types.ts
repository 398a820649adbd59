/** The settings' types, derived from their rows. */
import type { FeatureConfigs } from '../features/configs.ts';
import type { coreRows } from './core-rows.ts';
import type { KindTypes } from './row.ts';

type RowOf<C> = C extends { readonly settings: readonly (infer R)[] } ? R : never;
type Row = (typeof coreRows)[number] | RowOf<FeatureConfigs[number]>;
type TypeOf<R extends Row> = R extends { readonly choices: readonly (infer C)[] } ? C : KindTypes[R['kind']];
type ValueOf<R extends Row> = R['default'] extends string ? TypeOf<R> : TypeOf<R> | undefined;
type SectionName = Row['key'] extends infer K ? (K extends `${infer S}.${string}` ? S : never) : never;

type TopLevel = { readonly [R in Row as R['key'] extends `${string}.${string}` ? never : R['key']]: ValueOf<R> };
type Section<S extends string> = {
  readonly [R in Row as R['key'] extends `${S}.${infer N}` ? N : never]: ValueOf<R>;
};

/** All settings, read, checked and frozen. */
export type Settings = TopLevel & { readonly [S in SectionName]: Section<S> } & {
  /** `NODE_ENV` is production. */
  readonly production: boolean;
};

/** The keys of the settings as a program or a config file gives them: same names, all optional. */
export type SettingsInput = { readonly [K in keyof TopLevel]?: TopLevel[K] | string } & {
  readonly [S in SectionName]?: { readonly [K in keyof Section<S>]?: Section<S>[K] | string };
};
