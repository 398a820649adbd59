/** The options `history` and `trash` of model files. */
import type { ModelEntry } from '../../models/entry.ts';
import type { AddedOption } from '../../models/options/added-option.ts';
import { readDuration } from '../../models/options/durations.ts';

/** Which entries of a history are kept. */
interface HistoryRule {
  /** How long, such as `90d`; without it, for as long as the document exists. */
  readonly keep?: string;
  /** The number of the newest entries of each document that are kept in any case; 1 by default. */
  readonly min?: number;
}

export interface HistoryFileOptions {
  /** true, or how long entries are kept, such as `{ keep: '90d', min: 5 }`: each write leaves an entry in the history of its document. */
  history?: boolean | HistoryRule;
  /** How long after their deletion soft-deleted documents are removed permanently, such as `30d`. */
  trash?: string;
}

/** Which entries are kept: `keepMs` is undefined where they are kept without a limit. */
interface KeptHistory {
  readonly keepMs: number | undefined;
  readonly min: number;
}

/** Undefined for a model without history. */
export const historyOption: AddedOption<KeptHistory | undefined> = {
  name: 'history',
  meaning: 'true, or { keep, min }: each write leaves an entry in the history of its document',
  read: readHistory,
  isDescribed: true,
};

export const hasHistory = ({ options }: ModelEntry): boolean => options.added.valueOf(historyOption) !== undefined;

/** Milliseconds after their deletion until documents are removed; undefined where they stay. */
export const trashOption: AddedOption<number | undefined> = {
  name: 'trash',
  meaning: 'How long after their deletion soft-deleted documents are removed permanently, such as 30d',
  read: (value) => (value === undefined ? undefined : readDuration('trash', value)),
  // of the documents whose time in the trash is over
  index: { _deleted: 1, updatedAt: 1 },
};

const maxKept = 10_000;

function readHistory(value: unknown): KeptHistory | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return Object.freeze({ keepMs: undefined, min: 1 });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`history must be true, false or { keep, min }, got ${JSON.stringify(value)}`);
  const { keep, min = 1, ...others } = value as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`history.${unknown} is unknown; there are keep, min`);
  if (!Number.isSafeInteger(min) || (min as number) < 1 || (min as number) > maxKept)
    throw new Error(`history.min must be a whole number from 1 to ${maxKept}, got ${JSON.stringify(min)}`);
  const keepMs = keep === undefined ? undefined : readDuration('history.keep', keep);
  return Object.freeze({ keepMs, min: min as number });
}
