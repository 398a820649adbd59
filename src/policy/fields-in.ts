/** Removes the fields of a body that the caller may not set, and linked documents as answers show them. */
import type { ModelEntry } from '../models/entry.ts';
import { unaliased } from '../models/resolve-alias.ts';
import { policyFor } from './policy.ts';
import type { Principal } from './principal.ts';

type Json = Readonly<Record<string, unknown>>;

/** `changing` is true for updates, in which `_deleted` deletes or restores. */
export function fieldsIn(
  body: Json,
  model: ModelEntry,
  principal: Principal,
  changing: boolean,
): Record<string, unknown> {
  const policy = policyFor(principal, model);
  const isShownLink = (name: string): boolean => model.links.some(({ as, path }) => as === name && as !== path);
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const key = unaliased(model.schema, name);
    const first = key.split('.', 1)[0] ?? key;
    if (isShownLink(first) || key === '_silence') continue;
    if (policy.writable(key, changing ? 'u' : 'c')) result[key] = value;
  }
  return result;
}
