/** The unique indexes that identify documents by values, and those values as they are stored. */
import { badParameter, type PathFault } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { objectIdType } from '../../models/fields/id-types.ts';
import { isList, typeAt } from '../../models/fields/path-type.ts';
import { withoutAliases } from '../../models/fields/resolve-alias.ts';
import { modelOf, type Row, storedRow } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { SchemaView } from '../../query/schema-view.ts';
import { readTypes } from './types.ts';

export interface UniqueIndex {
  readonly paths: readonly string[];
  readonly collation: object | undefined;
}

/**
 * @param view what the caller sees: indexes with other fields do not exist for them
 * @param on the names of the fields, in any order
 * @throws 400 unless they are the fields of a unique index
 */
export function uniqueIndexOn(
  { name: model, schema }: ModelEntry,
  view: SchemaView,
  on: readonly string[],
): UniqueIndex {
  const known = indexesOf(view);
  const given = on.map((name) => withoutAliases(schema, name));
  const index = known.find(({ paths }) => isSameSet(paths, given));
  if (index !== undefined) return index;
  const names = known.map(({ paths }) => paths.join(','));
  throw badParameter(
    'on',
    names.length === 0
      ? `${model} has no unique index that it could name`
      : `must name the fields of a unique index of ${model}: ${names.join(' or ')}`,
  );
}

/** Whether paths are the fields of a unique index. @param view what the caller sees */
export const isUniqueKey = (view: SchemaView, paths: readonly string[]): boolean =>
  indexesOf(view).some((index) => isSameSet(index.paths, paths));

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((path) => other.includes(path));

/** The unique indexes that find a document by single values: neither partial ones nor those of lists. */
function indexesOf({ schema, shows }: SchemaView): readonly UniqueIndex[] {
  // an ObjectId is made by the server, so that a new document has none
  const ofIds = schema.idType === objectIdType ? [] : [{ paths: ['_id'], collation: schema.collation }];
  const others = schema.indexes.flatMap(([fields, options]) => {
    const paths = Object.keys(fields);
    const fits =
      options.unique === true &&
      options.partialFilterExpression === undefined &&
      paths.every((path) => Math.abs(Number(fields[path])) === 1 && shows(path) && !isInList(path));
    return fits ? [{ paths, collation: options.collation ?? schema.collation }] : [];
  });
  return [...ofIds, ...others];

  function isInList(path: string): boolean {
    const parts = path.split('.');
    return parts.some((_, at) => {
      const type = typeAt(schema, parts.slice(0, at + 1).join('.'));
      return type.kind === 'mixed' || isList(type);
    });
  }
}

/** Values of an index, or what is wrong with them. */
export type IndexKey = { readonly key: Row; readonly faults?: undefined } | { readonly faults: readonly PathFault[] };

/**
 * The values by which an index finds a document, as they are stored: cast, and changed by the setters of the model.
 * @throws 400 when one is missing
 */
export function keyIn(model: ModelEntry, { paths }: UniqueIndex, given: Readonly<Row>): IndexKey {
  const { schema } = model;
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [withoutAliases(schema, name), value]),
  );
  const values = Object.fromEntries(paths.map((path) => [path, valueAt(fields, path)]));
  const faults = readTypes(values, schema, true);
  if (faults.length > 0) return { faults };
  const document = new (modelOf(model))();
  document.$set(values);
  const row = storedRow(document);
  const key = Object.fromEntries(paths.map((path) => [path, valueAt(row, path)]));
  const missing = paths.find((path) => key[path] === undefined || key[path] === null);
  if (missing !== undefined) throw badParameter('on', `the body must have a value of ${missing}`);
  return { key };
}

/** The value at a dotted path, which may also be the name of a field. */
export const valueAt = (row: Readonly<Row>, path: string): unknown =>
  Object.hasOwn(row, path)
    ? row[path]
    : path
        .split('.')
        .reduce<unknown>(
          (value, name) => (isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
          row,
        );
