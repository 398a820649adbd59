/** The top-level fields that filters and pipelines read, so that the other fields of a document need no decoding. */
import { isReferenceName } from '../query/context.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';

/** Names of top-level fields; undefined if all fields may be read. */
export type FieldNames = ReadonlySet<string> | undefined;

/** The fields that a filter reads. */
export const fieldsOfFilter = (filter: Doc): FieldNames => namesIn((found) => addFilter(found, filter));

/**
 * The fields that a pipeline reads: those that its stages read, up to one that creates new documents from them. Without such a stage the
 * documents themselves are its results.
 */
export const fieldsOfPipeline = (stages: readonly Doc[]): FieldNames => namesIn((found) => addPipeline(found, stages));

/**
 * The fields of a projection of `find` that only names what its results have. Other projections may need all fields:
 * `{ list: { $slice: 5 } }` keeps the others.
 */
export const fieldsOfInclusion = (projection: Doc): FieldNames =>
  namesIn(
    (found) =>
      Object.entries(projection).every(([path, value]) => isPlain(path, value)) && addProjection(found, projection),
  );

const isPlain = (path: string, value: Value): boolean =>
  (value === 1 || value === true || isExcludedId(path, value)) && !path.includes('$');

const isExcludedId = (path: string, value: Value): boolean => path === '_id' && (value === 0 || value === false);

/** The fields of paths. */
export const fieldsOfPaths = (paths: readonly string[]): ReadonlySet<string> => new Set(paths.map(fieldOf));

const fieldOf = (path: string): string => path.split('.', 1)[0] ?? '';

/** Collects names; false if all fields may be read. */
type Add<T> = (found: Set<string>, operand: T) => boolean;

function namesIn(add: (found: Set<string>) => boolean): FieldNames {
  const found = new Set<string>();
  return add(found) ? found : undefined;
}

/** The top-level operators of filters that read no field. */
const constantFilters: ReadonlySet<string> = new Set(['$comment', '$alwaysTrue', '$alwaysFalse']);
const logicalFilters: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);

const addFilter: Add<Value> = (found, filter) =>
  isDoc(filter) &&
  Object.entries(filter).every(([name, operand]) => {
    if (!name.startsWith('$') || isReferenceName(name)) return addPath(found, name);
    if (logicalFilters.has(name)) return Array.isArray(operand) && operand.every((part) => addFilter(found, part));
    return name === '$expr' ? addExpression(found, operand) : constantFilters.has(name);
  });

const addPath: Add<string> = (found, path) => {
  found.add(fieldOf(path));
  return true;
};

/** Operators that read the whole document without naming it, and variables that are it. */
const wholeOperators: ReadonlySet<string> = new Set(['$getField', '$meta']);
const wholeVariables: ReadonlySet<string> = new Set(['$$ROOT', '$$CURRENT']);

/** Every string within an expression is taken for a path: an extra name does no harm. */
const addExpression: Add<Value> = (found, expression) => {
  if (typeof expression === 'string') return addString(found, expression);
  if (Array.isArray(expression)) return expression.every((part) => addExpression(found, part));
  if (!isDoc(expression)) return true;
  return Object.entries(expression).every(([name, operand]) => {
    if (wholeOperators.has(name)) return false;
    // the fields of this option have no dollar sign
    if (name === 'sortBy' && isDoc(operand) && !addSort(found, operand)) return false;
    return addExpression(found, operand);
  });
};

const addString: Add<string> = (found, text) => {
  if (text.startsWith('$$')) return !wholeVariables.has(fieldOf(text));
  return !text.startsWith('$') || addPath(found, text.slice(1));
};

const addSort: Add<Value> = (found, sort) =>
  isDoc(sort) && Object.entries(sort).every(([path, direction]) => !isDoc(direction) && addPath(found, path));

const addNothing: Add<Value> = () => true;

/** Fields that a stage changes may exist already. */
const addChanges: Add<Value> = (found, changes) =>
  isDoc(changes) && Object.keys(changes).every((path) => addPath(found, path)) && addExpression(found, changes);

/** The fields of a projection that names what its results have, as opposed to one that names what they lack. */
const addProjection: Add<Value> = (found, projection) => {
  const named = Object.entries(isDoc(projection) ? projection : {}).filter(
    ([path, value]) => !isExcludedId(path, value),
  );
  found.add('_id');
  return (
    named.length > 0 &&
    named.every(
      ([path, value]) =>
        (isIncluded(value) || isOperator(value)) && addPath(found, path) && addExpression(found, value),
    )
  );
};

const isIncluded = (value: Value): boolean => value === true || value === 1 || typeof value === 'string';
const isOperator = (value: Value): boolean => isDoc(value) && Object.keys(value)[0]?.startsWith('$') === true;

/** Stages whose results are their documents, or have more fields. */
const passing: ReadonlyMap<string, Add<Value>> = new Map([
  ['$match', addFilter],
  ['$sort', addSort],
  ['$skip', addNothing],
  ['$limit', addNothing],
  ['$sample', addNothing],
  ['$unwind', addExpression],
  ['$addFields', addChanges],
  ['$set', addChanges],
]);

/** Stages that create new documents. */
const making: ReadonlyMap<string, Add<Value>> = new Map([
  ['$group', addExpression],
  ['$bucket', addExpression],
  ['$bucketAuto', addExpression],
  ['$sortByCount', addExpression],
  ['$count', addNothing],
  ['$project', addProjection],
]);

function addPipeline(found: Set<string>, stages: readonly Doc[]): boolean {
  for (const stage of stages) {
    const [name = '', operand] = Object.entries(stage)[0] ?? [];
    const last = making.get(name);
    if (last !== undefined) return last(found, operand);
    if (passing.get(name)?.(found, operand) !== true) return false;
  }
  return false;
}
