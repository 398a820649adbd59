/** The optional config file: settings by their keys, hooks, OAuth providers and extra parameters. */
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import { type OAuthConfig, oauthFaults } from './oauth.ts';
import { SettingsError } from './read.ts';
import { settingRows } from './table.ts';
import type { SettingsInput } from './types.ts';

/** The operations that can have hooks (docs/hooks.md). */
const hookNames = [
  'login',
  'get',
  'getOne',
  'post',
  'put',
  'update',
  'delete',
  'query',
  'aggregate',
  'count',
  'csv',
  'bulkwrite',
  'call',
] as const;
export type HookName = (typeof hookNames)[number];

/** The request as hooks see it in `req.dossier`. */
export interface HookContext {
  readonly principal: {
    readonly user:
      | { readonly _id: string; readonly email: string; readonly admin: boolean; readonly groups: readonly string[] }
      | undefined;
    readonly admin: boolean;
    readonly roles: readonly string[];
  };
  readonly params: Readonly<Record<string, string>>;
  readonly query: object;
  body: unknown;
  /** Joined to the caller's own filters by AND. */
  filter: Record<string, unknown> | undefined;
}

/** What hooks are given: Express's request, with Dossier's view of it. */
export type HookRequest = Request & { dossier: HookContext };

/** Express middleware, run after authentication and permission. */
export type PreHook = (req: HookRequest, res: Response, next: NextFunction) => unknown;
/** Gets the answer's data and may give another in its place. */
export type PostHook = (req: HookRequest, result: unknown) => unknown;

/** How often something was counted in a window, and when the window ends. */
export interface Hits {
  readonly totalHits: number;
  readonly resetTime: Date | undefined;
}

/** Where a throttle counts: any store made for express-rate-limit will do. */
export interface ThrottleStore {
  init?(options: { readonly windowMs: number }): void | Promise<void>;
  get?(key: string): Promise<Hits | undefined> | Hits | undefined;
  increment(key: string): Promise<Hits> | Hits;
  decrement(key: string): Promise<void> | void;
  resetKey(key: string): Promise<void> | void;
}

/** What is asked of a store where only failed logins are counted. */
export type Counters = Pick<ThrottleStore, 'init' | 'get' | 'increment'>;

/** Everything a config file or `createServer` may be given. */
export interface DossierConfig extends SettingsInput {
  readonly pre_hooks?: Readonly<Partial<Record<HookName, PreHook | readonly PreHook[]>>>;
  readonly post_hooks?: Readonly<Partial<Record<HookName, PostHook | readonly PostHook[]>>>;
  readonly oauth?: OAuthConfig;
  readonly extra_parameters?: readonly string[];
  /** Counters of requests by address, and of failed logins; for several servers that share a store. */
  readonly throttle_stores?: { readonly requests?: ThrottleStore; readonly logins?: Counters };
}

const names = ['ts', 'js', 'mjs', 'cjs'].map((ending) => `dossier.config.${ending}`);

/** Where the config file is: the one named, else the first that the folder has; undefined when there is none. */
export async function findConfigFile(named: string | undefined, folder: string): Promise<string | undefined> {
  if (named !== undefined && named !== '') return resolve(folder, named);
  for (const name of names) {
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

/** Loads and checks a config file. @throws SettingsError naming the file */
export async function loadConfigFile(file: string, load: (file: string) => Promise<unknown>): Promise<DossierConfig> {
  let config: unknown;
  try {
    config = await load(file);
  } catch (error) {
    throw new SettingsError([`${file}: ${reasonOf(error)}`]);
  }
  const faults = faultsOf(config);
  if (faults.length > 0) throw new SettingsError(faults.map((fault) => `${file}: ${fault}`));
  return config as DossierConfig;
}

/** The first line: what follows lists the files that were on the way. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

/** What is wrong with a config: unknown keys and hooks, and what is of the wrong kind. */
export function faultsOf(config: unknown): string[] {
  if (typeof config !== 'object' || config === null) return ['the default export must be an object'];
  const { pre_hooks, post_hooks, oauth, extra_parameters } = config as DossierConfig;
  return [
    ...unknownKeys(config),
    ...oauthFaults(oauth),
    ...hookFaults('pre_hooks', pre_hooks),
    ...hookFaults('post_hooks', post_hooks),
    ...(extra_parameters === undefined ||
    (Array.isArray(extra_parameters) && extra_parameters.every((name) => typeof name === 'string'))
      ? []
      : ['extra_parameters must be a list of names']),
  ];
}

const otherKeys = ['pre_hooks', 'post_hooks', 'oauth', 'extra_parameters', 'throttle_stores'];

/** A key that nothing reads would be a setting that silently isn't. */
function unknownKeys(config: object): string[] {
  const known = new Set([...settingRows.flatMap(({ key }) => [key, key.split('.', 1)[0] ?? key]), ...otherKeys]);
  const given = Object.entries(config).flatMap(([key, value]) =>
    settingRows.some((row) => row.key.startsWith(`${key}.`)) && typeof value === 'object' && value !== null
      ? Object.keys(value as object).map((name) => `${key}.${name}`)
      : [key],
  );
  return given.filter((key) => !known.has(key)).map((key) => `${key} is unknown`);
}

function hookFaults(section: string, hooks: unknown): string[] {
  if (hooks === undefined) return [];
  if (typeof hooks !== 'object' || hooks === null) return [`${section} must be an object`];
  return Object.entries(hooks).flatMap(([name, hook]) => {
    if (!(hookNames as readonly string[]).includes(name))
      return [`${section}.${name} is unknown; there are ${hookNames.join(', ')}`];
    const list: unknown[] = Array.isArray(hook) ? hook : [hook];
    return list.every((one) => typeof one === 'function')
      ? []
      : [`${section}.${name} must be a function or a list of functions`];
  });
}
