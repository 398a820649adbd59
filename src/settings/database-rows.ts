/** The settings of the connections to the database, and of the embedded store. */
import type { SettingRow } from './row.ts';

export const databaseRows = [
  {
    variable: 'POOL_SIZE',
    key: 'pool.size',
    kind: 'count',
    default: undefined,
    min: 5,
    max: 1000,
    meaning: 'Maximum number of connections of a process to the database; 50 unless the URL has `maxPoolSize`',
  },
  {
    variable: 'POOL_MIN',
    key: 'pool.min',
    kind: 'count',
    default: undefined,
    max: 1000,
    meaning: 'Number of these connections that stay open without requests; 2 unless the URL has `minPoolSize`',
  },
  {
    variable: 'READ_PREFERENCE',
    key: 'read_preference',
    kind: 'choice',
    default: undefined,
    choices: ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'],
    meaning:
      'What lists, counts and pipelines are read from: primary (unless the URL has another), primaryPreferred, secondary, secondaryPreferred or nearest',
  },
] as const satisfies readonly SettingRow[];

export const storeRows = [
  {
    variable: 'STORE_MAX_BYTES',
    key: 'store_max_bytes',
    kind: 'bytes',
    default: '0',
    meaning: 'Maximum size of all documents of the embedded store, such as 20gb; 0: as the disk allows',
  },
  {
    variable: 'STORE_HISTORY_HOURS',
    key: 'store_history_hours',
    kind: 'count',
    default: '24',
    min: 1,
    max: 8760,
    meaning: 'Hours for which the embedded store keeps changes, so that event streams can resume',
  },
  {
    variable: 'STORE_HISTORY_BYTES',
    key: 'store_history_bytes',
    kind: 'bytes',
    default: '1gb',
    min: 1048576,
    meaning: 'Maximum size of these changes; the oldest are removed',
  },
] as const satisfies readonly SettingRow[];
