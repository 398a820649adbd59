/** Reads the body that describes a saved view, as the caller may read the model. */
import {
  type Context,
  filterFromJson,
  forbidden,
  type ModelEntry,
  ownCheck,
  policyFor,
  refusals,
  shapes,
  suggestion,
} from '../../core.ts';
import { badValue } from '../../errors/errors.ts';
import { realPath } from '../../models/fields/resolve-alias.ts';
import { filterRule, filterText } from '../../operations/fields.ts';
import { checkKnown, checkPath } from '../../query/key-checks.ts';
import { sortFrom } from '../../query/sort.ts';
import { linkResolverFor } from '../../read/link-filters.ts';
import { deletedChoices, type ViewValues } from './contract.ts';
import { checkedFigure, figureFrom, figureSchema } from './figures/body.ts';
import type { Figure } from './figures/contract.ts';

const [maxTitle, maxSearch, maxSort, maxFields, maxPath] = [100, 200, 1000, 100, 300];

const path = { ...shapes.text, maxLength: maxPath };

/** The parts that name a view. */
export const nameSchemas = {
  model: shapes.withDescription(
    'The name of a model that the caller may read. That of a saved view does not change',
    shapes.text,
  ),
  title: shapes.withDescription('What the view is called', { ...shapes.text, pattern: '\\S', maxLength: maxTitle }),
};

/** The other parts of a view. */
export const valueSchemas = {
  shared: shapes.withDescription(
    'Whether callers who may read its model and all its paths see it; set by those who may write the documents',
    shapes.flag,
  ),
  filter: shapes.withDescription(
    'Which documents: a filter in JSON, as `POST /query/{model}` takes it, such as {"year": {"$lt": 1950}}; null for all',
    ownCheck(shapes.orNull(shapes.filter)),
  ),
  search: shapes.withDescription(
    'Words, as in `search` of a list; null in a figure',
    shapes.orNull({ ...shapes.text, maxLength: maxSearch }),
  ),
  sort: shapes.withDescription(
    'Paths, as in `sort` of a list: "-created,title"; null in a figure',
    shapes.orNull({ ...shapes.text, maxLength: maxSort }),
  ),
  fields: shapes.withDescription(
    'The paths of the columns, which the caller may read; null in a figure',
    shapes.orNull({ ...shapes.listOf(path), minItems: 1, maxItems: maxFields }),
  ),
  deleted: shapes.withDescription(
    'Whether deleted documents are left out, shown beside the others, or shown alone; null is `hidden`',
    ownCheck(shapes.orNull({ ...shapes.text, enum: deletedChoices })),
  ),
  figure: shapes.withDescription('What is shown in place of a table; null for a table', shapes.orNull(figureSchema)),
};

export interface ViewBody {
  readonly model?: string;
  readonly title?: string;
  readonly shared?: boolean;
  readonly filter?: unknown;
  readonly search?: string | null;
  readonly sort?: string | null;
  readonly fields?: readonly string[] | null;
  readonly deleted?: unknown;
  readonly figure?: unknown;
}

const rules = {
  model: 'must be the name of a model',
  title: `must be text of 1 to ${maxTitle} characters`,
  shared: 'must be true or false',
  filter: filterRule,
  search: `must be text of at most ${maxSearch} characters, or null`,
  sort: `must be an order such as "-created,title", of at most ${maxSort} characters, or null`,
  fields: `must be a list of 1 to ${maxFields} paths, or null`,
  deleted: `must be ${deletedChoices.join(', ')}, or null`,
  figure: 'must be a figure, such as {"of": "count", "by": "created", "unit": "day"}, or null',
};

/** The failure of a body that its schema refuses. */
export const badView = refusals(
  rules,
  'send an object such as {"model": "film", "title": "Old films", "filter": {"year": {"$lt": 1950}}}',
);

/** The model of a view, which the caller must be able to read. @throws 400 alike for unknown models and for those of others */
export function modelOf({ services: { registry }, principal }: Context, name: string): ModelEntry {
  const readable = registry.served.filter((one) => policyFor(principal, one).permits('r'));
  const found = registry.find(name);
  if (found !== undefined && readable.includes(found)) return found;
  const hint = suggestion(
    name,
    readable.map((one) => one.name),
  );
  throw badValue(
    'model',
    'enum',
    `must name a model: there is no model ${JSON.stringify(name.slice(0, 40))} that you may read${hint}`,
  );
}

/** The values that a body has. @param before those of a view that is changed @throws 400, 403 */
export function valuesOf(context: Context, model: ModelEntry, before: Partial<ViewValues> = {}): Partial<ViewValues> {
  const { title, shared, filter, search, sort, fields, deleted, figure } = context.body as ViewBody;
  if (shared === true && !mayShare(context, model))
    throw forbidden(`views of ${model.name} are shared by those who may write its documents`);
  const values = {
    ...(title === undefined ? {} : { title: title.trim() }),
    ...(shared === undefined ? {} : { shared }),
    ...(filter === undefined ? {} : { filter: filterText(filter) }),
    ...(search === undefined ? {} : { search }),
    ...(sort === undefined ? {} : { sort }),
    ...(fields === undefined ? {} : { fields }),
    ...(deleted === undefined ? {} : { deleted: readDeleted(deleted) }),
    ...(figure === undefined ? {} : { figure: figure === null ? null : JSON.stringify(figureFrom(figure)) }),
  };
  refuseParts({ ...before, ...values });
  checkNames(context, model, values);
  return values;
}

/** A figure has no rows that are ordered. @throws 400 */
function refuseParts(values: Partial<ViewValues>): void {
  if (values.figure == null) return;
  for (const name of ['search', 'sort', 'fields'] as const)
    if (values[name] != null) throw badValue(name, 'figure', 'is no part of a figure: it must be null');
}

/** Who fills the documents of a model arranges the work with them, and admins do. */
function mayShare({ principal }: Context, model: ModelEntry): boolean {
  const policy = policyFor(principal, model);
  return principal.admin || policy.permits('c') || policy.permits('u');
}

/** @throws 400 */
export function readDeleted(given: unknown): ViewValues['deleted'] {
  const found = deletedChoices.find((one) => one === given);
  if (found === undefined && given !== null) throw badValue('deleted', 'enum', rules.deleted);
  return found ?? null;
}

/**
 * Refuses what names a path that the caller may not read, and what the model does not have.
 * @throws 400, 403
 */
export function checkNames(context: Context, model: ModelEntry, values: Partial<ViewValues>): void {
  const { services, principal } = context;
  const policy = policyFor(principal, model);
  const { view } = policy;
  const { filter, sort, fields, figure } = values;
  if (filter != null)
    filterFromJson(JSON.parse(filter), view, services.clock, linkResolverFor({ services, principal }, policy, false));
  if (sort != null) sortFrom(sort, view);
  if (figure != null) checkedFigure(view, JSON.parse(figure) as Figure);
  for (const name of fields ?? []) {
    const real = realPath(view.schema, name);
    checkPath(view, real);
    checkKnown(view, real, 'fields');
  }
}
