/** Parses `limit`, `page`, `after`, `before` and `count`: the page of a list that a caller requests. */
import { badParameter } from '../errors/errors.ts';
import { type ParameterTree, textOf, wholeNumberOf } from './parameter-tree.ts';

/** The page of a list, before the limits of its model apply. */
export interface RequestedPage {
  readonly limit: number | undefined;
  readonly page: number | undefined;
  readonly cursor: RequestedCursor | undefined;
  readonly count: CountMode | undefined;
  /** Whether all rows are requested: by `limit=all`, or because an export names no page. */
  readonly all: 'named' | 'by default' | undefined;
}

/** Where a page begins or ends. */
export interface RequestedCursor {
  readonly name: 'after' | 'before';
  readonly text: string;
}

/** @throws 400 */
export function pageFrom(query: ParameterTree): RequestedPage {
  const cursor = cursorFrom(query);
  const limit = wholeNumberOf(query, 'limit');
  return { limit, page: wholeNumberOf(query, 'page'), cursor, count: countFrom(query), all: undefined };
}

/** The page of an export: all rows where neither `limit` nor `page` nor a cursor is given, or with `limit=all`. @throws 400 */
export function exportedPageFrom(query: ParameterTree): RequestedPage {
  const { limit, page } = query;
  const isAll = limit === 'all';
  if (isAll && page !== undefined) throw badParameter('page', 'must not be given with limit=all, which has no pages');
  if (isAll && cursorFrom(query) !== undefined) throw badParameter('limit', 'must not be all where a cursor is given');
  if (!isAll && (limit !== undefined || page !== undefined || cursorFrom(query) !== undefined)) return pageFrom(query);
  const all = isAll ? 'named' : 'by default';
  return { limit: undefined, page: undefined, cursor: undefined, count: undefined, all };
}

function cursorFrom(query: ParameterTree): RequestedCursor | undefined {
  const [after, before] = [textOf(query, 'after'), textOf(query, 'before')];
  if (after !== undefined && before !== undefined) throw badParameter('after', 'must not be given with before');
  const cursor = after === undefined ? cursorNamed('before', before) : cursorNamed('after', after);
  if (cursor !== undefined && query['page'] !== undefined)
    throw badParameter(cursor.name, 'must not be given with page');
  return cursor;
}

const cursorNamed = (name: RequestedCursor['name'], text: string | undefined): RequestedCursor | undefined =>
  text === undefined ? undefined : { name, text };

/** All rows, rows up to a maximum, or the size of the collection where nothing filters. */
export const countModes = ['exact', 'capped', 'estimated'] as const;
export type CountMode = (typeof countModes)[number];

const modes: ReadonlyMap<string, CountMode | undefined> = new Map<string, CountMode | undefined>([
  ['', undefined],
  ['0', undefined],
  ['false', undefined],
  ['1', 'exact'],
  ['true', 'exact'],
  ...countModes.map((mode) => [mode, mode] as const),
]);

/** @throws 400 for anything else */
export function countFrom(query: ParameterTree): CountMode | undefined {
  const text = textOf(query, 'count') ?? '';
  if (modes.has(text)) return modes.get(text);
  throw badParameter(
    'count',
    `must be exact (or true, 1), capped or estimated, or for no count false or 0, got ${JSON.stringify(text.slice(0, 40))}`,
  );
}
