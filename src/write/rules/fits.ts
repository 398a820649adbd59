/** Checks that an operator suits the type of its path: the database would replace a number by a date, or a string by a list. */
import { badValue, comparedWhole } from '../../errors/errors.ts';
import { castByType } from '../../models/fields/cast.ts';
import { typesAt } from '../../models/fields/known-path.ts';
import type { PathType } from '../../models/fields/model-schema.ts';
import { isList, typeAt } from '../../models/fields/path-type.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { SchemaView } from '../../query/schema-view.ts';
import type { UpdateRow } from '../../query/updates.ts';
import { refuseWhole } from '../../query/whole-paths.ts';

type Leaf = Extract<PathType, { kind: 'leaf' }>;

const isSingle = (type: PathType): type is Leaf => type.kind === 'leaf' && !type.array;
/** Free-form or unknown. */
const isFree = (type: PathType): boolean => type.kind === 'unknown' || (type.kind === 'mixed' && !type.map);

/** The order of a sorted list reveals the values by which its members are compared. */
function checkSort(view: SchemaView, path: string, value: unknown): void {
  if (!isPlainObject(value) || !Object.hasOwn(value, '$sort')) return;
  const sort = value['$sort'];
  const compared = isPlainObject(sort) ? Object.keys(sort).map((key) => `${path}.${key}`) : [path];
  for (const one of compared) if (view.mayHoldHidden(one)) throw comparedWhole(one);
}

/** Refuses comparisons with hidden values, because the result of the update would reveal their order. @throws 400 */
function checkCompared(view: SchemaView, { name, operand }: UpdateRow, path: string, value: unknown): void {
  if (operand === 'push') checkSort(view, path, value);
  const members = isPlainObject(value) && Array.isArray(value['$each']) ? value['$each'] : value;
  // $pull treats an object as a filter, which is checked as one
  const compares = operand === 'value' || (operand === 'pull' && !isPlainObject(value));
  // the documents that $addToSet adds have declared fields only, so they reveal no value of another one
  const adds = name === '$addToSet' && (typeAt(view.schema, path).kind !== 'document' || view.holdsHidden(path));
  if (compares || adds) refuseWhole(view, path, members);
}

/**
 * @param path not an alias; of a field that several kinds declare, one of its types must fit
 * @throws 400 naming the path, if its type differs from the result of the operator
 */
export function checkFits(view: SchemaView, row: UpdateRow, path: string, value: unknown): void {
  checkCompared(view, row, path, value);
  const types = typesAt(view.schema, path);
  const misfits = types.flatMap((type) => misfitOf(type, row, value) ?? []);
  const [first] = misfits;
  if (first !== undefined && misfits.length === types.length)
    throw badValue(path, first.kind, `must be ${first.what} for ${row.name}`);
  if (row.operand !== 'value') return;
  const single = types.filter(isSingle);
  const [field] = single.map((type) => type.field);
  if (field !== undefined && single.every((type) => type.field.typeName === field.typeName))
    castByType(path, value, field);
}

interface Misfit {
  readonly kind: string;
  readonly what: string;
}

/** What the type of a path would have to be for an operator; undefined where it fits. */
function misfitOf(type: PathType, { operand }: UpdateRow, value: unknown): Misfit | undefined {
  if (isFree(type)) return undefined;
  const unless = (fits: boolean, kind: string, what: string): Misfit | undefined => (fits ? undefined : { kind, what });
  switch (operand) {
    case 'number':
      return unless(isSingle(type) && type.field.type?.isNumber === true, 'Number', 'a number');
    case 'date':
      if (!isSingle(type) || type.field.typeName !== 'Date') return { kind: 'Date', what: 'a date' };
      return unless(!isTimestamp(value), 'Date', 'free-form, and not a date,');
    case 'value':
      return unless(isSingle(type), 'path', 'a single value');
    case 'push':
    case 'pull':
    case 'end':
      return unless(isList(type), 'Array', 'a list');
    case 'any':
    case 'path':
      return undefined;
  }
}

const isTimestamp = (value: unknown): boolean => isPlainObject(value) && value['$type'] === 'timestamp';
