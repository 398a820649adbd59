/** Creates plans for the linked rows of `populate`, each with the caller's rights. */
import type { Context } from '../context.ts';
import { badParameter, forbidden } from '../errors.ts';
import type { Link, ModelEntry } from '../models/entry.ts';
import { suggestion } from '../nearest.ts';
import { policyFor } from '../policy/policy.ts';
import { fieldsFrom } from '../query/fields.ts';
import type { Population } from '../query/populate.ts';
import { linkedPolicy } from './linked-policy.ts';
import type { LinkPlan } from './plan-types.ts';
import { rowsPlan } from './rows-plan.ts';

export interface LinkWishes {
  readonly named: readonly Population[];
  /** `autopopulate=1`: all links that the caller may read. */
  readonly all: boolean;
  readonly showDeleted: boolean;
}

/** The links to show. @throws 400 for a name without a link, 403 for a model that the caller may not read */
export function linkPlans(context: Context, model: ModelEntry, wishes: LinkWishes): LinkPlan[] {
  const { view } = policyFor(context.principal, model);
  const links = model.links.filter(({ path }) => view.shows(path));
  const plans = new Map<Link, LinkPlan>();
  if (wishes.all)
    for (const link of links) {
      const plan = linkPlan(context, link, { name: link.as, fields: undefined, inner: [] }, wishes);
      if (plan !== undefined) plans.set(link, plan);
    }
  for (const [link, wish] of wishes.named.flatMap((named) => linksNamed(model.name, links, named))) {
    const plan = linkPlan(context, link, wish, wishes);
    if (plan === undefined) throw forbidden(`you may not read ${link.model}`);
    plans.set(link, plan);
  }
  return [...plans.values()];
}

/** The links that a name means; the dots of `holder.part` may also lead into a nested document. @throws 400 */
function linksNamed(model: string, links: readonly Link[], wish: Population): (readonly [Link, Population])[] {
  const { name, inner } = wish;
  const link = links.find(({ as, path }) => as === name || path === name) ?? nested(links, name);
  if (link !== undefined) return [[link, wish]];
  if (inner.length === 0) {
    const names = links.flatMap(({ as, path }) => [as, path]);
    throw badParameter('populate', `${model} has no link named ${name}${suggestion(name, names)}`);
  }
  return inner.flatMap((below) => linksNamed(model, links, { ...below, name: `${name}.${below.name}` }));
}

/** A link inside a nested document can be named by its last part, if that is unique. */
function nested(links: readonly Link[], name: string): Link | undefined {
  const found = links.filter(({ as, path }) => as.endsWith(`.${name}`) || path.endsWith(`.${name}`));
  return found.length === 1 ? found[0] : undefined;
}

function linkPlan(context: Context, link: Link, wish: Population, wishes: LinkWishes): LinkPlan | undefined {
  const linked = linkedPolicy(context, link);
  if (linked === undefined) return undefined;
  const { policy, identityOnly } = linked;
  const { model } = policy;
  const { showDeleted } = wishes;
  // suggestions do not reveal the links of users to callers who may not read users
  const inner = identityOnly ? [] : linkPlans(context, model, { named: wish.inner, all: false, showDeleted });
  const fields = identityOnly
    ? ({ mode: 'only', paths: ['name'] } as const)
    : fieldsFrom(wish.fields, model, policy.shownView, { name: 'populate' });
  return { link, rows: rowsPlan(context, { policy, filters: [], fields, links: inner, showDeleted }), identityOnly };
}
