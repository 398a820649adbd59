/** The settings of the embedded store. */
import type { SettingRow } from './row.ts';

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
