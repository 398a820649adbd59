/** Pages of lists that are no lists of documents: their limit, and the cursors of what follows. */
import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { badParameter } from '../errors/errors.ts';
import { textOf } from '../query/parameter-tree.ts';

const [standardLimit, maxLimit] = [20, 100];

/** @throws 400 */
export function pageLimit({ query }: Pick<Context, 'query'>): number {
  const text = textOf(query, 'limit');
  if (text === undefined) return standardLimit;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxLimit) return Number(text);
  throw badParameter('limit', `must be a whole number from 1 to ${maxLimit}, got ${JSON.stringify(text.slice(0, 40))}`);
}

/**
 * Reads a page of a list: its rows, and the fields of its answer beside `data`.
 * @param list names it, with the parameters that decide what is in it
 * @param read reads so many rows that come after a place
 * @param placeOf the place of a row, which JSON carries
 * @throws 400
 */
export async function readPage<T, Place>(
  context: Pick<Context, 'services' | 'query'>,
  list: readonly unknown[],
  read: (limit: number, after: Place | undefined) => Promise<readonly T[]>,
  placeOf: (row: T) => Place,
) {
  const limit = pageLimit(context);
  const cursors = pageCursors<Place>(context, list);
  const found = await read(limit + 1, cursors.given());
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, page: { limit, ...(last === undefined ? {} : { next_cursor: cursors.of(placeOf(last)) }) } };
}

/** The cursors of one list. */
interface PageCursors<Place> {
  of(place: Place): string;
  /** The place of `after`. @throws 400 for a cursor of another list */
  given(): Place | undefined;
}

/** @param list names it, with the parameters that decide what is in it */
export function pageCursors<Place>(
  { services, query }: Pick<Context, 'services' | 'query'>,
  list: readonly unknown[],
): PageCursors<Place> {
  const { after } = query;
  const bond = createHash('sha256').update(JSON.stringify(list)).digest();
  return {
    of: (place) => services.reads.cursors.seal(Buffer.from(JSON.stringify(place)), bond),
    given() {
      if (after === undefined) return undefined;
      const opened = typeof after === 'string' ? services.reads.cursors.open(after, bond) : undefined;
      if (opened !== undefined) return JSON.parse(opened.toString()) as Place;
      throw badParameter('after', 'is no cursor of this list with these parameters; begin again without it');
    },
  };
}
