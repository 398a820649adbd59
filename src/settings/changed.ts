/** The settings that differ from their defaults, for operators to look at: never a secret. */
import { isDeepStrictEqual } from 'node:util';
import { kindReaders } from './kinds.ts';
import type { SettingRow } from './row.ts';
import { settingRows } from './table.ts';
import type { Settings } from './types.ts';

type Value = string | number | boolean | readonly string[] | readonly number[];

/** A setting with another value than its default. `value` is absent where it is not shown, `default` where there is none. */
export interface ChangedSetting {
  readonly variable: string;
  readonly key: string;
  readonly meaning: string;
  readonly hidden: boolean;
  readonly value?: Value;
  readonly default?: Value;
}

/** Kinds whose readers accept no free text, so that no secret fits in. */
const plainKinds: ReadonlySet<SettingRow['kind']> = new Set([
  ...(['count', 'seconds', 'milliseconds', 'bytes', 'duration', 'durations', 'hosts', 'cron', 'switch'] as const),
  ...(['host', 'origins', 'folders', 'proxy', 'choice'] as const),
]);

/** @param rows those of other features than the list has */
export const changedSettings = (
  settings: Settings,
  rows: readonly SettingRow[] = settingRows,
): readonly ChangedSetting[] =>
  rows.flatMap((row) => {
    const value = valueAt(settings, row.key);
    const usual = row.default === undefined ? undefined : kindReaders[row.kind](row.default, row);
    if (value === undefined || isDeepStrictEqual(value, usual)) return [];
    const hidden = !isShown(row, value);
    return {
      ...{ variable: row.variable, key: row.key, meaning: row.meaning, hidden },
      ...(hidden ? {} : { value }),
      ...(usual === undefined ? {} : { default: usual }),
    };
  });

/** Free text is hidden unless its row says that it is plain; a URL with credentials is always hidden. */
const isShown = ({ kind, plain }: SettingRow, value: Value): boolean =>
  plainKinds.has(kind) || (plain === true && !(kind === 'baseUrl' && hasCredentials(String(value))));

function hasCredentials(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].some((part) => part !== '');
}

function valueAt(settings: object, key: string): Value | undefined {
  const [section = '', name] = key.split('.');
  const found = (settings as Readonly<Record<string, unknown>>)[section];
  return (name === undefined ? found : (found as Readonly<Record<string, unknown>>)[name]) as Value | undefined;
}
