/** Both images of an updated document by one command, where the other image is certain from the first. */
import type { Row } from '../../models/mongoose.ts';
import { BSON } from '../../models/object-id.ts';
import type { Filter } from '../../query/filter.ts';

/** Sends a command to the database. @returns the document before or after it, as the options want; null where there is none */
export type Send = (...command: Command) => Promise<Row | null>;
export type Command = readonly [filter: Filter, update: Row, options: object];

/** What is known of an updated document besides the image that its command returns; one before the update need not be read. */
export interface OtherImage {
  before?: Row | undefined;
}

/**
 * Sends updates that return the document after them, and keeps the document before.
 * @param read reads the document of a filter, in the unit of work of the update
 */
export const keepBeforeImages =
  (kept: OtherImage, send: Send, read: (filter: Filter) => Promise<Row | undefined>): Send =>
  async (filter, update, options) => {
    if (!onlySets(update)) {
      kept.before ??= await read(filter);
      return send(filter, update, { ...options, returnDocument: 'after' });
    }
    const before = await send(filter, update, { ...options, returnDocument: 'before' });
    kept.before = before ?? undefined;
    if (before === null) return null;
    return afterSetting(before, update) ?? (await read({ _id: before['_id'] })) ?? null;
  };

const isWhole = (name: string): boolean => !name.includes('.') && !name.startsWith('$');

/** Whether an update only sets whole fields and raises the revision. */
export function onlySets(update: Row): boolean {
  const { $set, $inc, ...others } = update;
  return (
    Object.keys(others).length === 0 &&
    Object.keys($inc ?? {}).join() === '__v' &&
    Object.keys(($set ?? {}) as Row).every(isWhole)
  );
}

/**
 * A document after such an update, with values as the driver reads them. New fields follow in the order of their names, as in MongoDB.
 * @returns undefined for a revision that is no plain number
 */
export function afterSetting(before: Row, { $set, $inc }: Row): Row | undefined {
  const { __v: revision = 0 } = before;
  const { __v: raise } = $inc as Row;
  if (!Number.isSafeInteger(revision) || !Number.isSafeInteger(raise)) return undefined;
  const set = BSON.deserialize(BSON.serialize($set ?? {}, { ignoreUndefined: false }));
  const after: Row = { ...before };
  for (const name of [...Object.keys(set), '__v'].sort()) after[name] = set[name];
  after['__v'] = (revision as number) + (raise as number);
  return after;
}
