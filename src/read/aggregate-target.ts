/**
 * The collections that `$out` and `$merge` may write to: not users, the server's internal collections, models with password-named
 * fields, or other databases.
 */
import { badPipeline, forbidden } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';
import { policyFor } from '../policy/policy.ts';
import type { Planner } from './plan-types.ts';

export interface WriteTarget {
  readonly collection: string;
  /** Undefined for a collection without a model. */
  readonly model: ModelEntry | undefined;
}

const needs: Readonly<Record<'$out' | '$merge', readonly Letter[]>> = { $out: ['c', 'd'], $merge: ['c', 'u'] };
/** Names of collections in which servers store credentials, this one or another one with the same database. */
const reserved: ReadonlySet<string> = new Set([
  'users',
  'tokens',
  'refreshtokens',
  'sessions',
  'apikeys',
  'usergroups',
]);
const plainName = /^[A-Za-z][\w-]{0,99}$/;

/** @throws 400 for an invalid name, 403 for a collection that may not be written */
export function writeTarget({ services, principal }: Planner, stage: '$out' | '$merge', given: unknown): WriteTarget {
  const name = nameOf(stage, given);
  const { all } = services.registry;
  const model = all.find((entry) => entry.collection === name) ?? all.find((entry) => entry.name === name);
  if (reserved.has(name)) throw forbidden(`${stage} may not write ${name}`);
  if (model === undefined && principal.scopes !== undefined)
    throw forbidden('a key with scopes may not write a collection that belongs to no model');
  if (model === undefined) return { collection: name, model };
  const policy = policyFor(principal, model);
  // only the writers hash or check hidden values, and judge the letters of fields
  const hasFieldLetters = model.fieldPerms.size > 0;
  if (model.name === 'user' || model.options.internal || policy.view.declaresHidden || hasFieldLetters)
    throw forbidden(`${stage} may not write ${model.name}`);
  for (const letter of needs[stage])
    if (policy.rows(letter) !== 'all') throw forbidden(`you may not write ${model.name} by ${stage}`);
  return { collection: model.collection, model };
}

function nameOf(stage: string, given: unknown): string {
  if (typeof given === 'object' && given !== null) throw forbidden(`${stage} may not write other databases`);
  if (typeof given !== 'string' || !plainName.test(given))
    throw badPipeline(`${stage} needs the name of a collection: letters, digits, _ and -`);
  return given;
}
