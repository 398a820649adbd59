/** What is probably a mistake in the environment: names that are meant as settings, but are none, and settings without an effect. */
import { correctedName, didYouMean, nearestName } from '../text/nearest.ts';
import type { SettingRow } from './row.ts';
import { settingRows } from './table.ts';
import type { Settings } from './types.ts';

/** Variables that are read beside the table: `NODE_ENV` in `read.ts`, the config file in `cli/options.ts`. */
const otherNames = ['NODE_ENV', 'DOSSIER_CONFIG'];

const settingNames: readonly string[] = [...settingRows.map(({ variable }) => variable), ...otherNames];
const knownNames: ReadonlySet<string> = new Set(settingNames);

/** First words that several settings share, such as `THROTTLE_`; a name with one belongs to this server. */
const prefixes: readonly string[] = sharedPrefixes(settingNames);

/** Variables that Kubernetes and Docker links set for a service, which may be called `store` or `cache`. */
const ofServices = /_(SERVICE_(HOST|PORT)|PORT)(_|$)/;

/**
 * A sentence for each name of an environment that no setting has, but that has a prefix of settings (`THROTTLE_MAXIMUM`) or is a
 * misspelling of one (`WORKER`). Names of other software do not count.
 * @param rows the settings that a server has, with those of plug-ins
 */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
  rows: readonly Pick<SettingRow, 'variable'>[] = [],
): readonly string[] {
  const isKnown = (name: string): boolean => knownNames.has(name) || rows.some(({ variable }) => variable === name);
  return Object.keys(environment)
    .filter((name) => environment[name] !== undefined && !isKnown(name) && !ofServices.test(name))
    .flatMap((name) => {
      const hasPrefix = prefixes.some((prefix) => name.startsWith(prefix));
      const meant = hasPrefix ? nearestName(name, settingNames) : correctedName(name, settingNames);
      if (meant === undefined && !hasPrefix) return [];
      return [`${name} is not a setting, and has no effect${meant === undefined ? '' : didYouMean(meant)}`];
    });
}

function sharedPrefixes(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const prefix = name.slice(0, name.indexOf('_') + 1);
    if (prefix !== '') counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  return [...counts].filter(([prefix, count]) => count > 1 || prefix === 'DOSSIER_').map(([prefix]) => prefix);
}

/** A sentence for each of them. */
export function idleSettings(settings: Pick<Settings, 'read_preference' | 'mongodb_url'>): readonly string[] {
  const { read_preference: mode = 'primary', mongodb_url } = settings;
  if (mode === 'primary' || mongodb_url !== undefined) return [];
  return ['READ_PREFERENCE has no effect without MONGODB_URL: the embedded store has one member'];
}
