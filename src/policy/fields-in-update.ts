/** Which paths an update with operators may write, where paths have letters of their own. */
import type { ModelEntry } from '../models/entry.ts';
import { isPlainObject, type Json } from '../models/plain-object.ts';
import { updateOperators } from '../query/updates.ts';
import { fieldsIn } from './fields-in.ts';
import type { Principal } from './principal.ts';

/**
 * Judges the paths of all operators at once, before any of them is read: an operator that compares would otherwise be refused for a
 * name that does not exist.
 * @throws 403 that names each path which the caller may not write
 */
export function refuseUnwritableUpdate(model: ModelEntry, principal: Principal, update: Json): void {
  if (model.fieldPerms.size === 0) return;
  const named = Object.entries(update).flatMap(([name, operand]) =>
    isPlainObject(operand) ? namedBy(name, operand) : [],
  );
  fieldsIn(Object.fromEntries(named), model, principal, 'change');
}

/** The fields of an operator in an existing document; values are judged where the operator stores them as they are. */
function namedBy(name: string, operand: Json): (readonly [string, unknown])[] {
  if (name === '$setOnInsert') return [];
  if (updateOperators.get(name)?.mayTouchSecrets === true) return Object.entries(operand);
  const targets = name === '$rename' ? Object.values(operand).filter((to) => typeof to === 'string') : [];
  return [...Object.keys(operand), ...targets].map((path) => [path, undefined]);
}
