/**
 * Which fields of a body count: stamps and the like, which callers do not set, are ignored, as are reverse links. A linked document
 * stands for its id. Paths whose own letters the caller lacks are refused.
 */
import type { ModelEntry } from '../models/entry.ts';
import { firstName } from '../models/fields/path-type.ts';
import { withoutAliases } from '../models/fields/resolve-alias.ts';
import { withLinkIds } from '../models/fields/shown-links.ts';
import { moreOf } from '../models/loading/reverse-links.ts';
import { isPlainObject, type Json } from '../models/plain-object.ts';
import { updateOperators } from '../query/updates.ts';
import { refuseUnwritable } from './field-writes.ts';
import { type Policy, policyFor } from './policy.ts';
import type { Principal } from './principal.ts';

/**
 * What a body becomes: a new document, a change, in which `_deleted` deletes or restores, a replacement of a document, or a change that
 * creates the document where there is none, whose fields count for either.
 */
export type BodyUse = 'new' | 'change' | 'replacement' | 'upsert';

const lettersOf: Readonly<Record<BodyUse, readonly ('c' | 'u')[]>> = {
  new: ['c'],
  change: ['u'],
  replacement: ['c'],
  upsert: ['c', 'u'],
};

/** @throws 403 that names the paths which the caller may not write */
export function fieldsIn(body: Json, model: ModelEntry, principal: Principal, use: BodyUse): Record<string, unknown> {
  const policy = policyFor(principal, model);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(withLinkIds(model, body))) {
    const field = fieldFor(name, policy, use);
    if (field !== undefined) fields[field] = value;
  }
  if (model.fieldPerms.size > 0) refuseUnwritable(policy, fields, use === 'new' ? 'c' : 'u');
  return fields;
}

/** Null for a name that does not count. */
type FieldsByName = Map<string, string | null>;

/** What declared names stand for, by the use of the body. */
const known = new WeakMap<Policy, Partial<Record<BodyUse, FieldsByName>>>();

/** The field that a name in a body sets; undefined for one that does not count. Decided once for a caller and a declared name. */
function fieldFor(name: string, policy: Policy, use: BodyUse): string | undefined {
  const byUse = known.get(policy) ?? {};
  known.set(policy, byUse);
  const byName: FieldsByName = (byUse[use] ??= new Map());
  const before = byName.get(name);
  if (before !== undefined) return before ?? undefined;
  const field = findField(name, policy, use);
  const { declared, nested } = policy.model.schema;
  // other names are the caller's, who may send any number of them
  if (declared.has(name) || nested.has(name)) byName.set(name, field);
  return field ?? undefined;
}

function findField(name: string, policy: Policy, use: BodyUse): string | null {
  const { schema, reverses } = policy.model;
  const field = withoutAliases(schema, name);
  const first = firstName(field);
  if (field === '_silence' || reverses.some(({ as }) => first === as || first === moreOf(as))) return null;
  return lettersOf[use].some((letter) => policy.writable(field, letter)) ? field : null;
}

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
