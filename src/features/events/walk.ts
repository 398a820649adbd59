/** Reads all documents of a list, in the order of their ids, for programs that encode them by themselves. */
import type { Actor } from '../../context.ts';
import type { Row } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import { findElement } from '../../read/bytes/layout.ts';
import { plainElement, plainRow } from '../../read/bytes/plain.ts';
import { fetchSlice, sourceOf } from '../../read/fetch.ts';
import type { ListIntent } from '../../read/intents.ts';
import { withLinkedIds } from '../../read/link-filters.ts';
import { planList } from '../../read/plan.ts';

const idName = Buffer.from('_id');

/** Documents as stored, at most as many together as the page of the intent has. Only `policy/present` may show them. */
export async function* walk(actor: Actor, intent: ListIntent): AsyncGenerator<readonly Row[]> {
  const { shares } = actor.services;
  const plan = await withLinkedIds(actor, planList(actor, { ...intent, sort: undefined }));
  const { limit } = plan.page;
  const source = sourceOf(actor);
  for (let range: Filter | undefined; ;) {
    const slice = { range, isReversed: false, skip: 0, limit };
    const rows = await shares.lists(actor.signal, () => fetchSlice(plan, slice, source));
    if (rows.length > 0) yield rows.map(plainRow);
    const last = rows.at(-1);
    if (last === undefined || limit === undefined || rows.length < limit) return;
    range = { _id: { $gt: plainElement(last, findElement(last, 0, idName)) } };
  }
}
