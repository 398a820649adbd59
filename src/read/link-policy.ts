/** What a caller may read of the documents behind a link. */
import type { Link } from '../models/entry.ts';
import { identityPolicy, type Policy, policyFor } from '../policy/policy.ts';
import type { Planner } from './plan-types.ts';

interface LinkPolicy {
  readonly policy: Policy;
  /** Whether only `_id` and `name` are seen, because the caller may not read all users. */
  readonly identityOnly: boolean;
}

/** @returns undefined for a link whose documents the caller may not read */
export function linkPolicy(
  { services, principal }: Planner,
  link: Pick<Link, 'path' | 'model'>,
): LinkPolicy | undefined {
  const model = services.registry.internal(link.model);
  const own = policyFor(principal, model);
  const mayRead = !model.options.internal && own.permits('r');
  const isPerson = link.path === '_owner_id' || link.path === '_updated_by_id';
  if (isPerson && model.name === 'user' && !(mayRead && own.rows('r') === 'all'))
    return { policy: identityPolicy(principal, model), identityOnly: true };
  return mayRead ? { policy: own, identityOnly: false } : undefined;
}
