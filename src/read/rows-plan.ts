/**
 * Creates the plan of the rows that a request reads: the filters of the caller, the hook, the rights and deletion, joined by AND.
 * Only this file creates plans.
 */
import { activeFilter } from '../models/deleted.ts';
import { keyPathsOf } from '../models/fields/declared-names.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';
import type { Policy } from '../policy/policy.ts';
import { hiddenBesideScore, hiddenInStoredFields, type Presentation } from '../policy/presentation.ts';
import { allOf } from '../query/and.ts';
import { type Fields, projectionOf, withLinkPaths } from '../query/fields.ts';
import type { Filter } from '../query/filter.ts';
import { linkConditions } from '../query/link-conditions.ts';
import type { HiddenNames } from '../query/schema-view.ts';
import type { LinkPlan, Planner, RowsPlan } from './plan-types.ts';

export interface RowsPlanOptions {
  readonly policy: Policy;
  readonly filters: readonly (Filter | undefined)[];
  readonly fields: Fields | undefined;
  readonly links: readonly LinkPlan[];
  readonly showDeleted: boolean;
  /** Further paths that the read needs, such as those of the order. */
  readonly needed?: readonly string[];
  /** Whether rows have the `score` of a search. */
  readonly scored?: boolean;
  /** Whether only the identity of users is shown. */
  readonly identityOnly?: boolean;
}

export function rowsPlan({ services }: Pick<Planner, 'services'>, options: RowsPlanOptions): RowsPlan {
  const { policy, filters, links, showDeleted, scored = false, identityOnly = false } = options;
  const { model } = policy;
  const { ownRows } = policy;
  const linkPaths = links.map(({ link }) => link.path);
  const fields = withLinkPaths(options.fields, linkPaths);
  const own = ownRows === undefined ? [] : [ownRows.path];
  const needed = [...linkPaths, ...own, ...kindPaths(model.schema, fields), ...(options.needed ?? [])];
  const asked = policy.filter('r', ...filters);
  const filter = showDeleted ? asked : allOf([asked, activeFilter]);
  const conditions = linkConditions(filter);
  return {
    model,
    policy,
    filter,
    conditions,
    isWhole: Object.keys(asked).length === 0,
    fields,
    projection: model.computed ? undefined : projectionOf(fields, needed),
    presentation: presentationOf({ policy, fields, scored, identityOnly }),
    links,
    maxTimeMS: services.settings.query_limits.max_time_ms,
    isConstant: !policy.isTimed && linkedPlans({ links, conditions }).every(({ isConstant }) => isConstant),
  } as unknown as RowsPlan;
}

/** The reads of linked documents: those that are shown, and those that the filter depends on. */
export const linkedPlans = ({ links, conditions }: Pick<RowsPlan, 'links' | 'conditions'>): readonly RowsPlan[] => [
  ...links.map(({ rows }) => rows),
  // only `linkResolverFor` plans them
  ...conditions.map(({ read }) => read as RowsPlan),
];

/** The discriminator keys of the documents that requested fields are in: they decide which fields a document has. */
function kindPaths(schema: ModelSchema, fields: Fields | undefined): readonly string[] {
  const keys = keyPathsOf(schema.storedNames);
  const isIn = (key: string, path: string): boolean => `${path}.`.startsWith(key.slice(0, key.lastIndexOf('.') + 1));
  return keys.filter((key) => fields?.paths.some((path) => isIn(key, path)) ?? false);
}

interface Presented {
  readonly policy: Pick<Policy, 'view' | 'ownRows'>;
  readonly fields: Fields | undefined;
  /** Whether rows have the `score` of a search. */
  readonly scored: boolean;
  /** Whether only the identity of users is shown, which has no `id`. */
  readonly identityOnly: boolean;
}

/** What answers show of the rows of a plan. */
export function presentationOf({ policy, fields, scored, identityOnly }: Presented): Presentation {
  const { view, ownRows } = policy;
  const hiddenIn = hiddenOf(fields, scored);
  return {
    hidden: hiddenIn(view.hidden),
    ownRows: ownRows && { ...ownRows, hidden: hiddenIn(ownRows.hidden) },
    fields,
    withId: !identityOnly && !view.schema.hasOwnId,
    withScore: scored,
  };
}

function hiddenOf(fields: Fields | undefined, scored: boolean): (hidden: HiddenNames) => HiddenNames {
  if (fields?.mode === 'stored') return hiddenInStoredFields;
  return scored ? hiddenBesideScore : (hidden) => hidden;
}
