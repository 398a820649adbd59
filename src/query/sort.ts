/** Parses `sort`: the order of a list. `_id` is always the last key, so that pages never overlap. */
import { badParameter, secretPath, tooMany } from '../errors/errors.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { checkKnown, checkPath } from './key-checks.ts';
import { isTree, namesOf, type Parameter } from './parameter-tree.ts';
import type { SchemaView } from './schema-view.ts';
import { scorePath } from './search.ts';

export type Sort = Readonly<Record<string, 1 | -1>>;
const maxKeys = 10;

const directions: ReadonlyMap<unknown, 1 | -1> = new Map<unknown, 1 | -1>([
  ['1', 1],
  ['asc', 1],
  ['-1', -1],
  ['desc', -1],
]);

/**
 * The order that a caller requests, if any.
 * @param scored whether rows have a `score`, which is not in the schema @throws 400
 */
export function sortFrom(value: Parameter | undefined, view: SchemaView, scored = false): Sort | undefined {
  if (value === undefined || value === '') return undefined;
  const pairs = isTree(value)
    ? Object.entries(value).map(([path, text]) => [path, directionOf(path, text)] as const)
    : fromNames(value);
  if (pairs.length > maxKeys) throw tooMany('keys in sort', maxKeys);
  const sort: Record<string, 1 | -1> = {};
  for (const [name, direction] of pairs) {
    const path = realPath(view.schema, name);
    checkPath(view, path);
    if (!scored || path !== scorePath) checkKnown(view, path, 'sort');
    if (view.holdsHidden(path)) throw secretPath(path);
    if ((sort[path] ?? direction) !== direction) throw badParameter('sort', `${name} has two directions`);
    sort[path] = direction;
  }
  return withId(sort);
}

/** Adds `_id` as the last key. */
const withId = (sort: Sort): Sort => ('_id' in sort ? sort : { ...sort, _id: 1 });

function directionOf(path: string, text: Parameter): 1 | -1 {
  const direction = directions.get(text);
  if (direction === undefined) throw badParameter('sort', `${path} must be 1, -1, asc or desc`);
  return direction;
}

function fromNames(value: Parameter): (readonly [string, 1 | -1])[] {
  if (typeof value !== 'string') throw badParameter('sort', 'takes one value: sort=-createdAt,title');
  return namesOf(value, 'sort').map((name) =>
    name.startsWith('-') ? [name.slice(1), -1] : [name.replace(/^\+/, ''), 1],
  );
}
