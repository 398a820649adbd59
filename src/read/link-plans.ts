/** Creates plans for the linked rows of `populate`, each with the caller's rights. */
import { badParameter, forbidden } from '../errors/errors.ts';
import { type Link, messageName, type ModelEntry } from '../models/entry.ts';
import { identityPolicy, type Policy, policyFor } from '../policy/policy.ts';
import { mayNot } from '../policy/refused-row.ts';
import { fieldsFrom } from '../query/fields.ts';
import { ofKindsWith } from '../query/kind-filter.ts';
import type { Population } from '../query/populate.ts';
import { suggestion } from '../text/nearest.ts';
import type { ViewIntent } from './intents.ts';
import type { LinkPlan, PlannedLink, Planner } from './plan-types.ts';
import { rowsPlan } from './rows-plan.ts';

type RequestedLinks = Pick<ViewIntent, 'links' | 'showDeleted'>;

/** The links to show. @throws 400 for a name without a link, 403 for a model that the caller may not read */
export function linkPlans(planner: Planner, model: ModelEntry, requested: RequestedLinks): LinkPlan[] {
  const links = linksOf(planner, model);
  const plans = new Map<PlannedLink, LinkPlan>();
  if (requested.links.all)
    for (const link of links) {
      if (link.reverseLink !== undefined) continue;
      const plan = linkPlan(planner, link, { name: link.as, fields: undefined, inner: [] }, requested);
      if (plan !== undefined) plans.set(link, plan);
    }
  for (const [link, population] of requested.links.named.flatMap((named) =>
    linksNamed(messageName(model), links, named),
  )) {
    const plan = linkPlan(planner, link, population, requested);
    if (plan === undefined) throw forbidden(mayNot({ name: link.model }, 'r'));
    plans.set(link, plan);
  }
  return [...plans.values()];
}

/** The links of a model in both directions whose paths the caller may see. */
function linksOf({ principal, services: { registry } }: Planner, model: ModelEntry): readonly PlannedLink[] {
  const shows = (of: ModelEntry, path: string): boolean => policyFor(principal, of).view.shows(path);
  return [
    ...model.links.filter(({ path }) => shows(model, path)),
    ...model.reverses
      .filter(({ model: name, path, local }) => shows(registry.internal(name), path) && shows(model, local))
      .map((reverse) => ({ path: '_id', as: reverse.as, array: false, model: reverse.model, reverseLink: reverse })),
  ];
}

/** The names by which callers may request a link. */
const namesOf = ({ as, path, reverseLink }: PlannedLink): readonly string[] =>
  reverseLink === undefined ? [as, path] : [as];

/** The links that a name means; the dots of `holder.part` may also lead into a nested document. @throws 400 */
function linksNamed(
  model: string,
  links: readonly PlannedLink[],
  population: Population,
): (readonly [PlannedLink, Population])[] {
  const { name, inner } = population;
  const link = links.find((one) => namesOf(one).includes(name)) ?? nested(links, name);
  if (link !== undefined) return [[link, population]];
  if (inner.length === 0)
    throw badParameter('populate', `${model} has no link named ${name}${suggestion(name, links.flatMap(namesOf))}`);
  return inner.flatMap((below) => linksNamed(model, links, { ...below, name: `${name}.${below.name}` }));
}

/** A link inside a nested document can be named by its last part, if that is unique. */
function nested(links: readonly PlannedLink[], name: string): PlannedLink | undefined {
  const found = links.filter(({ as, path }) => as.endsWith(`.${name}`) || path.endsWith(`.${name}`));
  return found.length === 1 ? found[0] : undefined;
}

function linkPlan(
  planner: Planner,
  link: PlannedLink,
  population: Population,
  requested: RequestedLinks,
): LinkPlan | undefined {
  const linked = linkPolicy(planner, link);
  if (linked === undefined) return undefined;
  const { policy, identityOnly } = linked;
  const { model } = policy;
  const { showDeleted } = requested;
  // to callers who may not read users, users have no links: neither answers nor suggestions reveal which there are
  if (identityOnly) for (const below of population.inner) linksNamed(messageName(model), [], below);
  const inner =
    identityOnly || population.inner.length === 0
      ? []
      : linkPlans(planner, model, { links: { named: population.inner, all: false }, showDeleted });
  const fields = identityOnly
    ? ({ mode: 'only', paths: ['name'] } as const)
    : fieldsFrom(population.fields, model, policy.shownView, { name: 'populate' });
  const { reverseLink } = link;
  const filters = reverseLink === undefined ? [] : [ofKindsWith(reverseLink.path, model.schema)];
  const rows = rowsPlan(planner, { policy, filters, fields, links: inner, showDeleted, identityOnly });
  return { link, rows, identityOnly };
}

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
