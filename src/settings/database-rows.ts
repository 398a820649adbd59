/** The settings of the connections to the database. */
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
