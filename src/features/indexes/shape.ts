/** The shape of a search for documents: the paths and operators of its filter and its order, without a value. Pure. */
import { type Filter, isPlainObject } from '../../core.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { isPosition, listsOn, typeAt } from '../../models/fields/path-type.ts';
import type { SeenRead } from '../../read/contract.ts';

/** How an index can serve a condition: by one value or a few, by a range, or not at all. */
type Use = 'equality' | 'range' | 'none';

export interface Shape {
  /** Names the shape: JSON, with `?` in the place of each value. */
  readonly text: string;
  /** The paths that all matching rows have given values at, in the order of the filter. */
  readonly equality: readonly string[];
  /** The paths that have values in a range. */
  readonly range: readonly string[];
  readonly sort: Readonly<Record<string, 1 | -1>>;
  /** Whether an index of these paths can serve the read: not a search for words or places. */
  readonly isIndexable: boolean;
}

type Sort = Shape['sort'];

/** Maximum characters of the text of a shape; a longer one is cut, and shared by all that begin so. */
const maxText = 1000;

const equalities: ReadonlySet<string> = new Set(['$eq', '$in']);
const ranges: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);
/** Conditions that need an index of their own kind. */
const special: ReadonlySet<string> = new Set([
  '$text',
  '$near',
  '$nearSphere',
  '$geoWithin',
  '$geoIntersects',
  '$geoNear',
]);

/** What is done with the documents that are found, where they are not returned as they are. */
type Purpose = Pick<SeenRead, 'pipeline' | 'write'>;

/** @param filter as the database receives it: with the rules on rows and soft deletion */
export function shapeOf(schema: ModelSchema, filter: Filter, sort: Sort, { pipeline, write }: Purpose = {}): Shape {
  const uses = new Map<string, Use>();
  const conditions = conditionsOf(filter);
  for (const [path, value] of conditions) {
    const shown = shownPath(schema, path);
    if (path.startsWith('$') || shown !== path) continue;
    const use = useOf(value);
    if (use !== 'none' && uses.get(shown) !== 'equality') uses.set(shown, use);
  }
  const order = Object.fromEntries(Object.entries(sort).map(([path, way]) => [shownPath(schema, path), way] as const));
  const text = JSON.stringify({
    filter: shownConditions(schema, conditions),
    sort: order,
    ...(pipeline === undefined ? {} : { stages: pipeline.following }),
    ...(write === undefined ? {} : { write }),
  });
  const of = (wanted: Use): string[] => [...uses].flatMap(([path, use]) => (use === wanted ? [path] : []));
  const isIndexable =
    !pipeline?.following.some((name) => special.has(name)) &&
    !conditions.some(([path, value]) => special.has(path) || operatorsOf(value).some((one) => special.has(one))) &&
    Object.keys(sort).every((path) => shownPath(schema, path) === path);
  return { text: text.slice(0, maxText), equality: of('equality'), range: of('range'), sort: order, isIndexable };
}

/** The conditions that all hold, those of `$and` included. */
const conditionsOf = (filter: Filter): readonly (readonly [string, unknown])[] =>
  Object.entries(filter).flatMap(([path, value]) =>
    path === '$and' && Array.isArray(value)
      ? value.flatMap((inner) => conditionsOf(inner as Filter))
      : [[path, value] as const],
  );

const operatorsOf = (value: unknown): readonly string[] => {
  if (!isPlainObject(value)) return [];
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$')) ? keys : [];
};

function useOf(value: unknown): Use {
  if (value instanceof RegExp) return 'none';
  const found = operatorsOf(value);
  if (found.length === 0) return 'equality';
  if (found.some((one) => equalities.has(one))) return 'equality';
  return found.some((one) => ranges.has(one)) ? 'range' : 'none';
}

/** Whether documents are searched for by given ids. */
export const isById = ({ _id, $and }: Filter): boolean =>
  (_id !== undefined && useOf(_id) === 'equality') ||
  (Array.isArray($and) && $and.some((one) => isById(one as Filter)));

/** Conditions without their values, sorted, each once. */
function shownConditions(schema: ModelSchema, conditions: readonly (readonly [string, unknown])[]): readonly object[] {
  const texts = conditions.map(([path, value]) => JSON.stringify(shownCondition(schema, path, value)));
  return [...new Set(texts)].sort().map((text) => JSON.parse(text) as object);
}

function shownCondition(schema: ModelSchema, path: string, value: unknown): object {
  if (['$or', '$nor'].includes(path) && Array.isArray(value)) {
    const branches = value.map((one) => JSON.stringify(shownConditions(schema, conditionsOf(one as Filter))));
    return { [path]: [...new Set(branches)].sort().map((one) => JSON.parse(one) as object) };
  }
  if (path.startsWith('$')) return { [path]: '?' };
  const names = operatorsOf(value);
  // `{ $eq: value }` is another way to write a value
  const isPlain = names.every((one) => one === '$eq');
  const shown = isPlain ? '?' : Object.fromEntries([...names].sort().map((one) => [one, '?']));
  return { [shownPath(schema, path)]: shown };
}

const withoutPositions = (path: string): string =>
  path
    .split('.')
    .filter((part) => !isPosition(part))
    .join('.');

/** A path up to where its names are data: keys of maps and of free-form values are not shown. */
function shownPath(schema: ModelSchema, path: string): string {
  const parts = withoutPositions(path).split('.');
  for (let length = 1; length <= parts.length; length++) {
    const above = parts.slice(0, length).join('.');
    const { kind } = typeAt(schema, above);
    if (kind === 'mixed') return length === parts.length ? above : `${above}.*`;
    if (kind === 'unknown' && above !== '_id' && above !== '_deleted' && !isOfKind(schema, above)) return '*';
  }
  return parts.join('.');
}

const isOfKind = (schema: ModelSchema, path: string): boolean =>
  schema.kinds.some((kind) => typeAt(kind.schema, path).kind !== 'unknown');

/** The paths without all but the first that goes through lists: an index holds the members of one list. */
export function withOneList(schema: ModelSchema, paths: readonly string[]): readonly string[] {
  let list: string | undefined;
  return paths.filter((path) => {
    const [outer] = listsOn(schema, path);
    if (outer === undefined) return true;
    list ??= outer;
    return outer === list;
  });
}
