/** `on_referenced_delete: 'refuse'`: refuses to delete documents that other documents link to. */
import type { ModelActor } from '../../context.ts';
import { stillReferenced } from '../../errors/errors.ts';
import { activeFilter } from '../../models/deleted.ts';
import { type Link, storedLink } from '../../models/entry.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { policyFor } from '../../policy/policy.ts';
import type { Filter } from '../../query/filter.ts';
import { ofKindsWith } from '../../query/kind-filter.ts';
import { sessionOf } from '../commit.ts';

/** Maximum ids of one query. */
const pieceSize = 1000;

/** Whether deletions of a model are refused while others link to the document. */
export const refusesReferenced = ({ model }: ModelActor): boolean => model.options.on_referenced_delete === 'refuse';

/**
 * Checks the documents of a deletion.
 * @param filter of the documents that the caller may delete @param permanently whether soft-deleted documents that link to them count
 * too
 * @param many false checks one document of the filter
 * @returns ids of the documents that were checked; undefined for a model that does not refuse
 * @throws 409 naming the links, as far as the caller may read them in documents that link
 */
export async function refuseReferenced(
  actor: ModelActor,
  filter: Filter,
  { permanently, many = false }: { readonly permanently: boolean; readonly many?: boolean },
): Promise<readonly unknown[] | undefined> {
  if (!refusesReferenced(actor)) return undefined;
  const found = modelOf(actor.model).collection.find(filter, {
    projection: { _id: 1 },
    ...(many ? {} : { limit: 1 }),
    ...sessionOf(actor),
  });
  const ids = (await found.toArray()).map(({ _id }) => _id as unknown);
  const links = await linksTo(actor, ids, permanently);
  if (links.length > 0) throw stillReferenced(actor.model.name, links);
  return ids;
}

/** Names of links such as `review.film_id`; undefined for one that the caller sees in no document that links. */
async function linksTo(
  actor: ModelActor,
  ids: readonly unknown[],
  permanently: boolean,
): Promise<(string | undefined)[]> {
  const { model, principal, services } = actor;
  const options = { projection: { _id: 1 }, ...sessionOf(actor) };
  const names = new Set<string | undefined>();
  for (const { model: name, link } of model.linkedFrom) {
    const from = services.registry.internal(name);
    if (link.stamp || from.options.internal) continue;
    const deletedIds: ReadonlySet<string> = new Set(from === model ? ids.map(String) : []);
    const { collection } = modelOf(from);
    for (let at = 0; at < ids.length; at += pieceSize) {
      const filter = {
        ...filterOf(link, ids.slice(at, at + pieceSize), permanently),
        ...ofKindsWith(link.path, from.schema),
      };
      if (!(await remainsAny(collection.find(filter, options), deletedIds))) continue;
      const policy = policyFor(principal, from);
      const isNamed =
        policy.view.shows(link.path) &&
        (await remainsAny(collection.find(policy.filter('r', filter), options), deletedIds));
      names.add(isNamed ? `${name}.${link.path}` : undefined);
      break;
    }
  }
  return [...names];
}

const filterOf = (link: Link, ids: readonly unknown[], permanently: boolean): Filter => ({
  [link.path]: { $in: ids.map((id) => storedLink(link, id)) },
  ...(permanently ? {} : activeFilter),
});

/** Excludes links among the documents of the same deletion. */
async function remainsAny(rows: AsyncIterable<Row>, deletedIds: ReadonlySet<string>): Promise<boolean> {
  for await (const { _id } of rows) if (!deletedIds.has(String(_id))) return true;
  return false;
}
