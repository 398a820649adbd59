/** The features that plug-ins bring, which join those of the list (docs/plugins.md). */
import type { Feature } from '../features/feature.ts';
import type { DossierConfig } from '../settings/config-file.ts';
import { isSettingRow, pluginNamed } from '../settings/plug-ins.ts';
import { suggestion } from '../text/nearest.ts';

type Kind = 'text' | 'list' | 'object' | 'function' | 'list or function';

/** The members of a feature, which the compiler holds complete. */
const members: Readonly<Record<keyof Feature, Kind>> = {
  name: 'text',
  config: 'object',
  modelOptions: 'list',
  operations: 'list or function',
  interceptors: 'list',
  accountEvents: 'list',
  models: 'list',
  provides: 'list',
  ofProject: 'function',
  attach: 'function',
  begin: 'function',
  work: 'function',
};

const kinds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && /^[a-z][\w-]{0,59}$/i.test(value),
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  function: (value) => typeof value === 'function',
  'list or function': (value) => Array.isArray(value) || typeof value === 'function',
};

/** What the plug-ins of a config bring. The form of the plug-ins themselves is checked with the config. */
export interface PluginFeatures {
  readonly features: readonly Feature[];
  /** Sentences that name the plug-in. */
  readonly faults: readonly string[];
}

export function pluginFeatures({ plugins }: DossierConfig): PluginFeatures {
  const found: Feature[] = [];
  const faults: string[] = [];
  for (const plugin of Array.isArray(plugins) ? (plugins as readonly unknown[]) : []) {
    const { name, features = [] } = Object(plugin) as { readonly name?: unknown; readonly features?: unknown };
    const where = pluginNamed(String(name));
    if (!Array.isArray(features)) faults.push(`${where}: features must be a list of features (dossier/core)`);
    else
      (features as readonly unknown[]).forEach((feature, at) => {
        const own = faultsOf(feature, at);
        if (own.length === 0) found.push(feature as Feature);
        faults.push(...own.map((fault) => `${where}: ${fault}`));
      });
  }
  return { features: found, faults };
}

/** What is wrong with the form of a feature. */
function faultsOf(feature: unknown, at: number): readonly string[] {
  if (!kinds.object(feature)) return [`features.${at} must be an object such as { name, operations } (dossier/core)`];
  const given = feature as Readonly<Record<string, unknown>>;
  const known = Object.keys(members);
  const unknown = Object.keys(given)
    .filter((key) => !known.includes(key))
    .map(
      (key) =>
        `features.${at}.${key} is no member of a feature, which are ${known.join(', ')}${suggestion(key, known)}`,
    );
  const wrong = Object.entries(members)
    .filter(([key, kind]) => (given[key] !== undefined || key === 'name') && !kinds[kind](given[key]))
    .map(([key, kind]) => `features.${at}.${key} must be ${texts[kind]}`);
  const { config = {} } = given as { readonly config?: { readonly settings?: unknown } };
  const { settings = [] } = Object(config) as { readonly settings?: unknown };
  const isListed = Array.isArray(settings) && settings.every(isSettingRow);
  return [...unknown, ...wrong, ...(isListed ? [] : [`features.${at}.config.settings must be ${settingForm}`])];
}

const settingForm = 'a list of settings such as { variable, key, kind, default, meaning }';

const texts: Readonly<Record<Kind, string>> = {
  text: 'a name that starts with a letter and continues with letters, digits, _ and -',
  list: 'a list',
  object: 'an object',
  function: 'a function',
  'list or function': 'a list of groups of operations, or a function that returns one',
};
