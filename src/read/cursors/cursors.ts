/**
 * Cursors: encrypted positions in a list, bound to what decides which rows the list has and in which order. `limit` and `fields` may
 * change from page to page.
 */
import { hash } from 'node:crypto';
import type { Sealer } from '../../adapters/sealing.ts';
import { badParameter } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { mongo } from '../../models/mongoose.ts';
import { canonicalValue } from '../../query/canonical.ts';
import type { Filter } from '../../query/filter.ts';
import type { RequestedCursor } from '../../query/page.ts';
import { withOnly } from '../bytes/layout.ts';
import type { ListIntent } from '../intents.ts';
import type { OrderKey } from '../order.ts';
import { endOfList, keyNames, positions, rangeOf, readPosition } from './position.ts';

/** Where a page begins, as its cursor says. */
interface Start {
  /** The filter of the rows on this side of the position; undefined for all rows. */
  readonly range: Filter | undefined;
  /** Whether the page ends at the position. */
  readonly isBefore: boolean;
}

/** The cursors of one list. */
export interface Cursors {
  readonly start: Start | undefined;
  /** The cursor of a stored row, or without one of the end that a page has reached; undefined where the order has none. */
  readonly of: ((row: Buffer | undefined) => string) | undefined;
}

/** The order of a list. */
interface Listed {
  readonly order: readonly OrderKey[];
  /** Whether the rows are in the order of their scores. */
  readonly byScore: boolean;
}

/** @throws 400 for a cursor that is not of this list */
export function cursorsOf(sealer: Sealer, intent: ListIntent, listed: Listed): Cursors {
  const { cursor } = intent.page;
  const { order } = listed;
  const fault = faultOf(listed);
  if (fault !== undefined) {
    if (cursor !== undefined) throw badParameter(cursor.name, fault);
    return { start: undefined, of: undefined };
  }
  const listDigest = listDigestOf(intent, order);
  return {
    start: cursor && startAt(cursor.name, sealer.open(cursor.text, listDigest()), order),
    of: sealing(sealer, intent.policy.model, order, listDigest),
  };
}

/** Bytes of the values of the last row, which stay in memory. */
const maxKept = 1024;

/** Seals the positions of rows. Equal rows have equal cursors, so the last one is kept: a list is often read again and is the same. */
function sealing(
  sealer: Sealer,
  model: ModelEntry,
  order: Listed['order'],
  listDigest: () => Buffer,
): NonNullable<Cursors['of']> {
  const positionIn = positions(order, model);
  const names = keyNames(order);
  let last: { readonly values: Buffer; readonly text: string } | undefined;
  return (row) => {
    if (row === undefined) return sealer.seal(endOfList(), listDigest());
    const values = withOnly(row, names);
    if (last?.values.equals(values) === true) return last.text;
    const text = sealer.seal(positionIn(values), listDigest());
    if (values.length <= maxKept) last = { values, text };
    return text;
  };
}

/** Why the order has no cursors, if it has none. */
function faultOf({ order, byScore }: Listed): string | undefined {
  if (byScore) return 'the order by the score of a search has no cursors: sort by fields, such as sort=_id';
  const lists = order.map((key) => key.lists);
  const shared = lists.flat().find((list) => lists.filter((others) => others.includes(list)).length > 1);
  return shared === undefined ? undefined : `an order by several fields of the list ${shared} has no cursors`;
}

function startAt(name: RequestedCursor['name'], opened: Uint8Array | undefined, order: Listed['order']): Start {
  if (opened === undefined)
    throw badParameter(
      name,
      'this cursor was changed, or is of another list: its model, filter, search, sort, showDeleted or rows are not those of this request; begin again without it',
    );
  const position = readPosition(opened);
  if (typeof position === 'string') throw badParameter(name, `${position}: sort by another field, or use page`);
  const isBefore = name === 'before';
  return { range: position.length === 0 ? undefined : rangeOf(order, position, isBefore), isBefore };
}

/** Computes a digest, once, of all that decides which rows a list has, and in which order. */
function listDigestOf({ policy, written, showDeleted, hook }: ListIntent, order: Listed['order']): () => Buffer {
  let known: Buffer | undefined;
  const make = (): Buffer => {
    const parts = {
      model: policy.model.name,
      order: order.map(({ path, direction }) => [path, direction]),
      asked: canonicalValue(written),
      showDeleted,
      rows: policy.rowsKey(),
      // filters of hooks may contain the time of the request
      hook: canonicalValue(hook, () => 'a date'),
    };
    return hash('sha256', mongo.BSON.serialize(parts), 'buffer');
  };
  return () => (known ??= make());
}
