/** What distinguishes two indexes: their signature. Indexes that differ in other options only cannot exist side by side. */
import type { Doc, Value } from 'dossier-language/values';
import { compareStrings, equal, isDoc, keyOf, sameCollation } from 'dossier-language/values';
import { type IndexSpec, sameKey } from './index-spec.ts';

/** Whether two indexes have the same keys for the same documents: only one of them can exist. */
export const sameSignature = (a: IndexSpec, b: IndexSpec): boolean =>
  sameKey(a.key, b.key) &&
  sameCollation(a.collation, b.collation) &&
  a.unique === b.unique &&
  a.sparse === b.sparse &&
  equal(a.partial && conditionsOf(a.partial), b.partial && conditionsOf(b.partial));

/** Whether two indexes of the same signature also have the same other options. */
export const sameOptions = (a: IndexSpec, b: IndexSpec): boolean => equal(otherOptions(a), otherOptions(b));

const otherOptions = ({ hidden, expireAfterSeconds, shown }: IndexSpec): Value =>
  [hidden, expireAfterSeconds, shown['weights'], shown['default_language'], shown['language_override']].map(
    (option) => option ?? null,
  );

/** A path, an operator and its operand. */
type Condition = [path: string, operator: string, operand: Value];

/**
 * The conditions of a partial filter in an order that does not depend on how it is written. Those with the same path and
 * operator keep their order, as in MongoDB.
 */
const conditionsOf = (filter: Doc): Condition[] =>
  inOrder(unordered(filter), ([path, operator]) => `${path} ${operator}`);

const unordered = (filter: Doc): Condition[] =>
  Object.entries(filter).flatMap(([name, value]): Condition[] => {
    const parts = Array.isArray(value) ? value.filter(isDoc) : [];
    if (name === '$and') return parts.flatMap(unordered);
    if (name === '$or') return [['', name, inOrder(parts.map(conditionsOf), keyOf)]];
    if (!isDoc(value) || !Object.keys(value).some((operator) => operator.startsWith('$')))
      return [[name, '$eq', value]];
    return Object.entries(value).map(([operator, operand]): Condition => [name, operator, operand]);
  });

function inOrder<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const named = items.map((item) => [nameOf(item), item] as const);
  return named.toSorted(([a], [b]) => compareStrings(a, b)).map(([, item]) => item);
}
