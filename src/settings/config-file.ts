/** The optional config file: settings by their keys, hooks, extra parameters, and the parts of features. */
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import type { HookContext, MailTemplate, Route } from '../define/contract.ts';
import { type FeatureConfigs, featureConfigs } from '../features/configs.ts';
import { suggestion } from '../text/nearest.ts';
import { pluginConfigs, pluginFaults } from './plug-ins.ts';
import { SettingsError } from './read.ts';
import type { ConfigCheck, FeatureConfig, SettingRow } from './row.ts';
import { settingRowsWith } from './table.ts';
import type { SettingsInput } from './types.ts';

/** The operations that can have hooks (docs/hooks.md). */
const coreHooks = [
  'login',
  'get',
  'getOne',
  'post',
  'put',
  'patch',
  'upsert',
  'update',
  'delete',
  'query',
  'count',
  'distinct',
] as const;
type HooksOf<C> = C extends { readonly hooks: readonly (infer N)[] } ? N : never;
export type HookName = (typeof coreHooks)[number] | HooksOf<FeatureConfigs[number]>;

/** The kinds of mails of the core (docs/authentication.md). */
const coreMails = ['recovery', 'invitation', 'new_password', 'new_email', 'new_key', 'new_address'] as const;
type MailsOf<C> = C extends { readonly mails: readonly (infer N)[] } ? N : never;
export type MailName = (typeof coreMails)[number] | MailsOf<FeatureConfigs[number]>;

type SectionName<C> = C extends { readonly sections: infer S } ? keyof S : never;
type SectionOf<C, N extends PropertyKey> = C extends {
  readonly sections: { readonly [K in N]: ConfigCheck<infer T> };
}
  ? T
  : never;
type SectionsInput = {
  readonly [N in SectionName<FeatureConfigs[number]>]?: SectionOf<FeatureConfigs[number], N>;
};

/** What a config may have, with other features than the list has. */
export interface ConfigTables {
  readonly rows: readonly SettingRow[];
  readonly hooks: readonly string[];
  readonly mails: readonly string[];
  readonly sections: readonly (readonly [key: string, check: ConfigCheck])[];
}

export const configTables = (features: readonly FeatureConfig[]): ConfigTables => ({
  rows: settingRowsWith(features),
  hooks: [...coreHooks, ...features.flatMap(({ hooks = [] }) => hooks)],
  mails: [...coreMails, ...features.flatMap(({ mails = [] }) => mails)],
  sections: features.flatMap(({ sections = {} }) => Object.entries(sections)),
});
const listed = configTables(featureConfigs);

/** What a config may have, with the features of its plug-ins. */
function tablesFor(config: unknown): ConfigTables {
  const added = pluginConfigs(Object(config) as object);
  return added.length === 0 ? listed : configTables([...featureConfigs, ...added]);
}

/** The request that hooks receive: Express's request with Dossier's view of it. */
export type HookRequest = Request & { dossier: HookContext };

/** Express middleware that runs after authentication and the permission check. */
export type PreHook = (req: HookRequest, res: Response, next: NextFunction) => unknown;
/** Receives the answer's data and may return a replacement. */
export type PostHook = (req: HookRequest, result: unknown) => unknown;

/** A count in a window, and the end of the window. */
export interface Hits {
  readonly totalHits: number;
  readonly resetTime: Date | undefined;
}

/** The store of a throttle's counts. Any store for express-rate-limit works. */
export interface ThrottleStore {
  init?(options: { readonly windowMs: number }): void | Promise<void>;
  get?(key: string): Promise<Hits | undefined> | Hits | undefined;
  increment(key: string): Promise<Hits> | Hits;
  decrement(key: string): Promise<void> | void;
  resetKey(key: string): Promise<void> | void;
}

/** The methods of a store for failed logins. */
export type Counters = Pick<ThrottleStore, 'init' | 'get' | 'increment'>;

/** What a config and a plug-in may have. */
interface Hooks {
  /** Templates of mails, in place of the built-in texts. */
  readonly mails?: Readonly<Partial<Record<MailName, MailTemplate>>>;
  readonly pre_hooks?: Readonly<Partial<Record<HookName, PreHook | readonly PreHook[]>>>;
  readonly post_hooks?: Readonly<Partial<Record<HookName, PostHook | readonly PostHook[]>>>;
}

/** A feature, whose whole type is `Feature` of `dossier/core`. */
interface NamedFeature {
  readonly name: string;
}

/** A part of an application that a package brings (docs/plugins.md). */
export interface Plugin extends Hooks, Pick<SectionsInput, 'schedules' | 'changed'> {
  readonly name: string;
  /** Mongoose schemas by the names of their models. */
  readonly models?: Readonly<Record<string, object>>;
  readonly routes?: readonly Route[];
  /** Operations, own models and other parts of a server, as its own features have them. */
  readonly features?: readonly NamedFeature[];
}

/** The config of a config file or of `createServer`. */
export interface DossierConfig extends SettingsInput, SectionsInput, Hooks {
  readonly plugins?: readonly Plugin[];
  readonly extra_parameters?: readonly string[];
  /** Stores of the counts of requests and of failed logins, for several servers that share them. */
  readonly throttle_stores?: { readonly requests?: ThrottleStore; readonly logins?: Counters };
}

/** The names that are tried, in this order. */
export const configNames = ['ts', 'js', 'mjs', 'cjs'].map((ending) => `dossier.config.${ending}`);

/** The path of the config file: the given one, otherwise the first in the folder; undefined when there is none. */
export async function findConfigFile(named: string | undefined, folder: string): Promise<string | undefined> {
  if (named !== undefined && named !== '') return resolve(folder, named);
  for (const name of configNames) {
    const file = join(folder, name);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

type Load = (file: string) => Promise<unknown>;

/** A config file that may have faults, each of which names the file. With faults, only the settings of the config may be read. */
export interface ReadConfig {
  readonly config: DossierConfig;
  readonly faults: readonly string[];
}

/** Loads and checks a config file. */
export async function readConfigFile(file: string, load: Load): Promise<ReadConfig> {
  try {
    const config = await load(file);
    const isObject = typeof config === 'object' && config !== null;
    return { config: isObject ? config : {}, faults: faultsOf(config).map((fault) => `${file}: ${fault}`) };
  } catch (error) {
    return { config: {}, faults: [`${file}: ${reasonOf(error)}`] };
  }
}

/** Loads and checks a config file. @throws SettingsError naming the file */
export async function loadConfigFile(file: string, load: Load): Promise<DossierConfig> {
  const { config, faults } = await readConfigFile(file, load);
  if (faults.length > 0) throw new SettingsError(faults);
  return config;
}

/** The first line of the message; the others list the importing files. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

/** The faults of a config: unknown keys and hooks, and values of the wrong type. */
export function faultsOf(config: unknown, tables: ConfigTables = tablesFor(config)): string[] {
  const { rows, hooks, mails, sections } = tables;
  if (typeof config !== 'object' || config === null) return ['the default export must be an object'];
  const { pre_hooks, post_hooks, extra_parameters } = config as DossierConfig;
  const given = new Map<string, unknown>(Object.entries(config).filter(([, value]) => value !== undefined));
  return [
    ...unknownKeys(config, { rows, sections }),
    ...sections.flatMap(([key, check]) => (given.has(key) ? check(given.get(key)) : [])),
    ...hookFaults('pre_hooks', pre_hooks, hooks),
    ...hookFaults('post_hooks', post_hooks, hooks),
    ...mailFaults((config as DossierConfig).mails, mails),
    ...pluginFaults({ ...config }, (parts) => faultsOf(parts, tables)),
    ...(extra_parameters === undefined ||
    (Array.isArray(extra_parameters) && extra_parameters.every((name) => typeof name === 'string'))
      ? []
      : ['extra_parameters must be a list of names']),
  ];
}

const otherKeys = ['plugins', 'pre_hooks', 'post_hooks', 'mails', 'extra_parameters', 'throttle_stores'];

/** The unknown keys, which would otherwise be ignored silently. */
function unknownKeys(config: object, { rows, sections }: Pick<ConfigTables, 'rows' | 'sections'>): string[] {
  const known = new Set([
    ...rows.flatMap(({ key }) => [key, key.split('.', 1)[0] ?? key]),
    ...sections.map(([key]) => key),
    ...otherKeys,
  ]);
  const given = Object.entries(config).flatMap(([key, value]) =>
    rows.some((row) => row.key.startsWith(`${key}.`)) && typeof value === 'object' && value !== null
      ? Object.keys(value as object).map((name) => `${key}.${name}`)
      : [key],
  );
  return given.filter((key) => !known.has(key)).map((key) => `${key} is unknown`);
}

function hookFaults(section: string, hooks: unknown, names: readonly string[]): string[] {
  if (hooks === undefined) return [];
  if (typeof hooks !== 'object' || hooks === null) return [`${section} must be an object`];
  return Object.entries(hooks).flatMap(([name, hook]) => {
    if (!names.includes(name)) return [`${section}.${name} is unknown; expected one of ${names.join(', ')}`];
    const list: unknown[] = Array.isArray(hook) ? hook : [hook];
    return list.every((one) => typeof one === 'function')
      ? []
      : [`${section}.${name} must be a function or a list of functions`];
  });
}

function mailFaults(given: unknown, names: readonly string[]): string[] {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return ['mails must be an object: kind → function'];
  return Object.entries(given).flatMap(([name, template]: readonly [string, unknown]) => {
    if (!names.includes(name))
      return [`mails.${name} is unknown; expected one of ${names.join(', ')}${suggestion(name, names)}`];
    return typeof template === 'function' ? [] : [`mails.${name} must be a function`];
  });
}
