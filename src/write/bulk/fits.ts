/** Which paths an operator works on: the database would put a date in the place of a number, or a list in that of a text. */
import type { Schema } from 'mongoose';
import { badValue, secretPath } from '../../errors.ts';
import type { UpdateRow } from '../../language/updates.ts';
import { castByType } from '../../registry/cast.ts';
import { isPlainObject } from '../../registry/plain-object.ts';
import { holdsSecrets } from '../../registry/secret-parts.ts';
import { typeAt, type PathType } from '../../registry/type-at.ts';

const numbers: ReadonlySet<string> = new Set(['Number', 'Double', 'Int32', 'Decimal128', 'BigInt']);

type Leaf = Extract<PathType, { kind: 'leaf' }>;

const isList = (type: PathType): boolean => 'array' in type && type.array;
const isSingle = (type: PathType): type is Leaf => type.kind === 'leaf' && !type.array;
/** Free-form, or nothing that the schema knows. */
const isFree = (type: PathType): boolean => type.kind === 'unknown' || (type.kind === 'mixed' && !type.map);

/** The order that members of a list are put in tells of all that they are compared by. */
function checkSort(schema: Schema, path: string, value: unknown): void {
  if (!isPlainObject(value) || !Object.hasOwn(value, '$sort')) return;
  const sort = value['$sort'];
  const compared = isPlainObject(sort) ? Object.keys(sort).map((key) => `${path}.${key}`) : [path];
  if (compared.some((one) => holdsSecrets(schema, one))) throw secretPath(path);
}

/** @param path not an alias @throws 400 naming the path, where the schema has another type there than the operator leaves */
export function checkFits(schema: Schema, { name, operand }: UpdateRow, path: string, value: unknown): void {
  const type = typeAt(schema, path);
  if (isFree(type)) return;
  const misfit = (kind: string, what: string): Error => badValue(path, kind, `must be ${what} for ${name}`);
  switch (operand) {
    case 'number':
      if (!isSingle(type) || !numbers.has(type.type.instance)) throw misfit('Number', 'a number');
      return;
    case 'date':
      if (!isSingle(type) || type.type.instance !== 'Date') throw misfit('Date', 'a date');
      if (isPlainObject(value) && value['$type'] === 'timestamp') throw misfit('Date', 'free-form, and not a date,');
      return;
    case 'value':
      if (!isSingle(type)) throw misfit('path', 'a single value');
      castByType(path, value, type.type);
      return;
    case 'push':
      if (!isList(type)) throw misfit('Array', 'a list');
      checkSort(schema, path, value);
      return;
    case 'pull':
    case 'end':
      if (!isList(type)) throw misfit('Array', 'a list');
      return;
    case 'any':
    case 'path':
  }
}
