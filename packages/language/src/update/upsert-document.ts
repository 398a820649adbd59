/** The document that an upsert inserts before it applies the update: the fields that the filter sets by equality. */
import { BSONRegExp } from 'bson';
import { StoreError } from '../errors.ts';
import { isConditions } from '../query/index.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import { Draft, type Parts } from './draft.ts';
import { idFirst } from './replace.ts';

interface Equality {
  readonly parts: Parts;
  readonly value: Value;
}

/** The initial document of an upsert. @throws StoreError 54 if two conditions would set the same field */
export function upsertDocument(filter: Doc): Doc {
  const equalities = equalitiesIn(filter);
  checkApart(equalities);
  const draft = new Draft({});
  for (const { parts, value } of equalities) draft.set(parts, value);
  return idFirst(draft.doc);
}

/**
 * Refuses the filter of an upsert that has an expression, at any depth: it does not say which document is missing.
 * @throws StoreError 224
 */
export function checkUpsertFilter(filter: Doc): void {
  if (Object.hasOwn(filter, '$expr'))
    throw new StoreError(224, '$expr is not allowed in the query predicate for an upsert');
  for (const name of combining) {
    const filters = filter[name];
    if (Array.isArray(filters)) filters.filter(isDoc).forEach(checkUpsertFilter);
  }
}

const combining = ['$and', '$or', '$nor'];

function equalitiesIn(filter: Doc): readonly Equality[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    if (name === '$and' || (name === '$or' && Array.isArray(value) && value.length === 1))
      return equalitiesInAll(value);
    return name.startsWith('$') ? [] : equalitiesOf(name.split('.'), value);
  });
}

const equalitiesInAll = (filters: Value): readonly Equality[] =>
  Array.isArray(filters) ? filters.filter(isDoc).flatMap(equalitiesIn) : [];

function equalitiesOf(parts: Parts, value: Value): readonly Equality[] {
  if (value instanceof BSONRegExp) return [];
  if (!isConditions(value)) return [{ parts, value }];
  return Object.entries(value).flatMap(([operator, operand]) =>
    (valuesByOperator.get(operator)?.(operand) ?? []).map((given) => ({ parts, value: given })),
  );
}

/** The operators that imply the value of a field. */
const valuesByOperator: ReadonlyMap<string, (operand: Value) => readonly Value[]> = new Map<
  string,
  (operand: Value) => readonly Value[]
>([
  ['$eq', (operand) => [operand]],
  ['$in', (operand) => (Array.isArray(operand) && operand.length === 1 ? operand.filter(isPlain) : [])],
  ['$all', (operand) => (Array.isArray(operand) ? operand.filter(isPlain) : [])],
]);

const isPlain = (value: Value): boolean => !(value instanceof BSONRegExp) && !isConditions(value);

function checkApart(equalities: readonly Equality[]): void {
  const paths = equalities.map(({ parts }) => parts.join('.')).toSorted();
  for (const [at, path] of paths.entries()) {
    if (paths[at + 1] === path) {
      throw new StoreError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
    }
    const inner = paths.find((other) => other.startsWith(`${path}.`));
    if (inner !== undefined) {
      throw new StoreError(54, `cannot infer query fields to set, both paths '${path}' and '${inner}' are matched`);
    }
  }
}
