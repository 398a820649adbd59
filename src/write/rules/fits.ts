/** Checks that an operator suits the type of its path: the database would replace a number by a date, or a string by a list. */
import { badValue, comparedWhole } from '../../errors.ts';
import { castByType } from '../../models/fields/cast.ts';
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

/** @param path not an alias @throws 400 naming the path, if its type differs from the result of the operator */
export function checkFits(view: SchemaView, row: UpdateRow, path: string, value: unknown): void {
  checkCompared(view, row, path, value);
  const { name, operand } = row;
  const type = typeAt(view.schema, path);
  if (isFree(type)) return;
  const misfit = (kind: string, what: string): Error => badValue(path, kind, `must be ${what} for ${name}`);
  switch (operand) {
    case 'number':
      if (!isSingle(type) || type.field.type?.isNumber !== true) throw misfit('Number', 'a number');
      return;
    case 'date':
      if (!isSingle(type) || type.field.typeName !== 'Date') throw misfit('Date', 'a date');
      if (isPlainObject(value) && value['$type'] === 'timestamp') throw misfit('Date', 'free-form, and not a date,');
      return;
    case 'value':
      if (!isSingle(type)) throw misfit('path', 'a single value');
      castByType(path, value, type.field);
      return;
    case 'push':
    case 'pull':
    case 'end':
      if (!isList(type)) throw misfit('Array', 'a list');
      return;
    case 'any':
    case 'path':
  }
}
