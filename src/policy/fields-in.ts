/**
 * Which fields of a body count: stamps and the like, which callers do not set, are ignored, as are reverse links. A linked document
 * stands for its id. Paths whose own letters the caller lacks are refused.
 */
import type { ModelEntry } from '../models/entry.ts';
import { unaliased } from '../models/fields/resolve-alias.ts';
import { withLinkIds } from '../models/fields/shown-links.ts';
import { moreOf } from '../models/loading/reverse-links.ts';
import type { Json } from '../models/plain-object.ts';
import { refuseUnwritable } from './field-writes.ts';
import { policyFor } from './policy.ts';
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
  const reverses = new Set(model.reverses.flatMap(({ as }) => [as, moreOf(as)]));
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(withLinkIds(model, body))) {
    const key = unaliased(model.schema, name);
    const first = key.split('.', 1)[0] ?? key;
    if (reverses.has(first) || key === '_silence') continue;
    if (lettersOf[use].some((letter) => policy.writable(key, letter))) result[key] = value;
  }
  refuseUnwritable(policy, result, use === 'new' ? 'c' : 'u');
  return result;
}
