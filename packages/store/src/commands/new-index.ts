/** Rules for new indexes only: an existing data file may have indexes that break them. */
import { StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { isDoc, kindOf } from 'dossier-language/values';
import { show } from 'dossier-language/values';
import type { IndexSpec } from '../engine/index-spec.ts';

/** @throws StoreError 67, as MongoDB does */
export function checkNewIndex({ kind, partial, collation, shown }: IndexSpec): void {
  if (kind === 'text' && collation !== undefined) {
    throw new StoreError(
      67,
      `Index type 'text' does not support collation: ${show(collation.shown)}. Give { locale: 'simple' } for the key ${show(shown['key'])}`,
    );
  }
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

/** Operators of a partial filter for which the planner can decide whether a query implies it. */
const allowed: ReadonlySet<string> = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$type', '$exists']);

function isAllowed(condition: Value): boolean {
  if (kindOf(condition).name === 'regex') return false;
  if (!isDoc(condition) || !Object.keys(condition).some((name) => name.startsWith('$'))) return true;
  return Object.entries(condition).every(
    ([name, operand]) => allowed.has(name) && (name !== '$exists' || (operand !== false && operand !== 0)),
  );
}
