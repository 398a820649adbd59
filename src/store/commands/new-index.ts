/** What a new index must be besides readable. A data file may have older ones, which are taken as they are. */
import { StoreError } from '../errors.ts';
import type { IndexSpec } from '../engine/index-spec.ts';
import { readCollation } from '../values/collation.ts';
import { isDoc, kindOf } from '../values/kind.ts';
import { show } from '../values/show.ts';
import type { Doc, Value } from '../values/types.ts';

/** @throws StoreError 67 or 2, as MongoDB has them */
export function checkNewIndex({ kind, unique, partial, shown }: IndexSpec): void {
  if (kind === 'text' && unique) throw new StoreError(67, "Index type 'text' does not support the unique option");
  const { collation } = shown;
  if (isDoc(collation)) readCollation(collation);
  if (partial !== undefined) checkPartial(partial);
}

const lists: ReadonlySet<string> = new Set(['$and', '$or']);

function checkPartial(filter: Doc): void {
  for (const [name, value] of Object.entries(filter)) {
    if (lists.has(name) && Array.isArray(value)) value.filter(isDoc).forEach(checkPartial);
    else if (name.startsWith('$') || !isAllowed(value)) {
      throw new StoreError(67, `Expression not supported in partial index: ${show({ [name]: value })}`);
    }
  }
}

/** What a planner can tell from a query whether it is implied by it. */
const allowed: ReadonlySet<string> = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$type', '$exists']);

function isAllowed(condition: Value): boolean {
  if (kindOf(condition).name === 'regex') return false;
  if (!isDoc(condition) || !Object.keys(condition).some((name) => name.startsWith('$'))) return true;
  return Object.entries(condition).every(
    ([name, operand]) => allowed.has(name) && (name !== '$exists' || (operand !== false && operand !== 0)),
  );
}
