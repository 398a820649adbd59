/** Filters through links: which links they may lead through, and the ids of the linked documents, read before the list. */
import type { Actor } from '../context.ts';
import { forbidden, tooDeep, tooManyLinked } from '../errors/errors.ts';
import { type Link, type ModelEntry, storedLink } from '../models/entry.ts';
import { typesAt } from '../models/fields/known-path.ts';
import { modelOf } from '../models/mongoose.ts';
import type { Policy } from '../policy/policy.ts';
import { mayNot } from '../policy/refused-row.ts';
import { type LinkedIds, type LinkResolver, withIds } from '../query/link-conditions.ts';
import { inSession, type Place, placeOptions } from './in-session.ts';
import { linkPolicy } from './link-plans.ts';
import type { Planner, RowsPlan } from './plan-types.ts';
import { rowsPlan } from './rows-plan.ts';

/** Linked documents that a condition may match. */
const maxLinked = 10_000;
/** Links that one name may lead through, each of which is read after the other. */
const maxLinks = 3;

/**
 * The links of a model that filters of the caller may lead through: those that the policy shows.
 * @param showDeleted whether deleted linked documents count @param level how many links lead to the model
 */
export function linkResolverFor(
  { services, principal }: Planner,
  { model, view }: Policy,
  showDeleted: boolean,
  level = 1,
): LinkResolver {
  // the filter may be kept for longer than the request takes
  const planner = { services, principal };
  return (name) => {
    const link = model.links.find(({ as, path }) => name.startsWith(`${as}.`) && view.shows(path));
    if (link === undefined || typesAt(model.schema, name).length > 0) return undefined;
    if (level > maxLinks) throw tooDeep('a name that leads through links', maxLinks);
    const linked = linkPolicy(planner, link);
    if (linked === undefined) throw forbidden(mayNot({ name: link.model }, 'r'));
    const { policy } = linked;
    return {
      path: link.path,
      as: link.as,
      asText: link.asText,
      rest: name.slice(link.as.length + 1),
      isSingle: isSingle(model, link),
      view: policy.view,
      resolveLink: linkResolverFor(planner, policy, showDeleted, level + 1),
      plan: (filters) => rowsPlan(planner, { policy, filters, fields: onlyId, links: [], showDeleted }),
    };
  };
}

const onlyId = { mode: 'only', paths: ['_id'] } as const;

/** Whether no list is on the way to the id. */
const isSingle = ({ schema }: ModelEntry, { path, array }: Link): boolean =>
  !array &&
  path
    .split('.')
    .flatMap((_part, at, parts) => typesAt(schema, parts.slice(0, at).join('.')))
    .every((above) => above.kind !== 'document' || !above.array);

/**
 * The plan with the ids of linked documents in its filter. Conditions are read at the same time; one that leads through further links
 * is read after those.
 * @param from the members of the database that may answer; undefined for the primary
 * @throws 400 when a condition matches too many linked documents
 */
export async function withLinkedIds<Plan extends RowsPlan>(
  actor: Actor,
  plan: Plan,
  from?: Place['from'],
): Promise<Plan> {
  const { conditions } = plan;
  if (conditions.length === 0) return plan;
  const found = await Promise.all(conditions.map(async (one) => [one, await idsOf(actor, one, from)] as const));
  return { ...plan, filter: withIds(plan.filter, new Map(found)), conditions: [] };
}

async function idsOf(actor: Actor, { step, read }: LinkedIds, from: Place['from']): Promise<readonly unknown[]> {
  const { services, signal, unit } = actor;
  const { model, filter, maxTimeMS } = await withLinkedIds(actor, read as RowsPlan, from);
  const options = {
    projection: { _id: 1 },
    limit: maxLinked + 1,
    batchSize: maxLinked + 1,
    maxTimeMS,
    signal,
    ...placeOptions({ session: unit?.session, from }),
  } as const;
  const find = async (): Promise<unknown[]> => {
    const begun = performance.now();
    const found = await inSession(unit?.session, () =>
      modelOf(model)
        .collection.find(filter, options)
        .map(({ _id }) => storedLink(step, _id))
        .toArray(),
    );
    const seen = { model, filter, sort: {}, limit: options.limit, returned: found.length };
    services.reads.watch.seen(seen, performance.now() - begun);
    return found;
  };
  const ids = await services.shares.lists({ signal }, find);
  if (ids.length > maxLinked) throw tooManyLinked(step.as, maxLinked);
  return ids;
}
