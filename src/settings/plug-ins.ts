/** Checks the plug-ins of a config: their form, and names that two of them have. */
import { suggestion } from '../text/nearest.ts';
import type { FeatureConfig, SettingRow } from './row.ts';

const keys = ['name', 'models', 'routes', 'schedules', 'pre_hooks', 'post_hooks', 'changed', 'mails', 'features'];

type Parts = Readonly<Record<string, unknown>>;

/**
 * The faults of the plug-ins, each of which names the plug-in.
 * @param config the config, whose own schedules have names too
 * @param faultsOfParts the faults of hooks, schedules and mails, as a config has them
 */
export function pluginFaults(config: Parts, faultsOfParts: (parts: object) => readonly string[]): readonly string[] {
  const { plugins = [] } = config;
  if (!Array.isArray(plugins)) return ['plugins must be a list of what definePlugin({ name, … }) returns'];
  const names = new Owners('the plug-in');
  const schedules = new Owners('the schedule');
  for (const name of namesOf(config['schedules'])) schedules.add(name, 'the config');
  const mails = new Owners('the mail');
  for (const name of namesOf(config['mails'])) mails.add(name, 'the config');
  return (plugins as readonly unknown[]).flatMap((plugin, at) => {
    if (!isObject(plugin)) return [`plugins.${at} must be what definePlugin({ name, … }) returns`];
    const { name, models, routes } = plugin;
    if (typeof name !== 'string' || !/^[a-z][\w-]{0,59}$/i.test(name))
      return [`plugins.${at}.name must start with a letter and continue with letters, digits, _ and -`];
    const where = pluginNamed(name);
    const found = [
      ...names.add(name.toLowerCase(), `plugins.${at}`),
      ...Object.keys(plugin)
        .filter((key) => !keys.includes(key))
        .map((key) => `${key} is no key of a plug-in, which are ${keys.join(', ')}${suggestion(key, keys)}`),
      ...(models === undefined || isObject(models) ? [] : ['models must be an object: name → schema']),
      ...(routes === undefined || Array.isArray(routes) ? [] : ['routes must be a list of routes']),
      ...faultsOfParts(Object.fromEntries(Object.entries(plugin).filter(([key]) => configKeys.has(key)))),
      ...namesOf(plugin['schedules']).flatMap((one) => schedules.add(one, where)),
      ...namesOf(plugin['mails']).flatMap((one) => mails.add(one, where)),
    ];
    return found.map((fault) => `${where}: ${fault}`);
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** Whether a value is a setting as far as it is named: what is none is a fault of its feature (`start/plugin-features.ts`). */
export const isSettingRow = (row: unknown): row is SettingRow =>
  isObject(row) && ['variable', 'key', 'kind', 'meaning'].every((name) => typeof row[name] === 'string');

/** What the features of plug-ins add to a config. What has no such form is left out. */
export const pluginConfigs = ({ plugins }: { readonly plugins?: unknown }): readonly FeatureConfig[] =>
  listOf(plugins)
    .flatMap((plugin) => (isObject(plugin) ? listOf(plugin['features']) : []))
    .flatMap((feature) =>
      isObject(feature) && isObject(feature['config']) ? [feature['config'] as FeatureConfig] : [],
    )
    .map((config) => ({ ...config, settings: listOf(config.settings).filter(isSettingRow) }));

/** How messages name a plug-in. */
export const pluginNamed = (name: string): string => `plug-in ${name}`;

const configKeys: ReadonlySet<string> = new Set(['schedules', 'pre_hooks', 'post_hooks', 'changed', 'mails']);

const isObject = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const namesOf = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value) : []);

/** What has each name. */
class Owners {
  readonly #owners = new Map<string, string>();

  constructor(private readonly what: string) {}

  /** @returns the fault of a name that is taken */
  add(name: string, owner: string): readonly string[] {
    const other = this.#owners.get(name);
    if (other !== undefined) return [`${this.what} ${name} is also one of ${other}`];
    this.#owners.set(name, owner);
    return [];
  }
}
