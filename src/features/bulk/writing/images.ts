/** The before-images of a bulk write; read only while a subscriber needs single documents. */
import type { ModelActor } from '../../../context.ts';
import { modelOf } from '../../../models/mongoose.ts';
import type { Filter } from '../../../query/filter.ts';
import { sessionOf } from '../../../write/commit.ts';
import type { Images } from '../../../write/contract.ts';
import { byId } from '../../../write/mutation/bulk-outcome.ts';
import { namesOne } from '../../../write/rules/discriminator.ts';
import type { CommandStep } from './step-types.ts';

/** Maximum documents that are read together. */
const maxImages = 2000;

/** The documents that steps may change; undefined when there are too many. */
export async function imagesBefore(actor: ModelActor, steps: readonly CommandStep[]): Promise<Images | undefined> {
  const options = { limit: maxImages + 1, batchSize: maxImages + 1, ...sessionOf(actor) };
  const rows = await modelOf(actor.model).collection.find(anyOf(steps), options).toArray();
  return rows.length > maxImages ? undefined : byId(rows);
}

/** The documents that a step may change. The command checks the rights again, so ids suffice here. */
function anyOf(steps: readonly CommandStep[]): Filter {
  const filters = steps.map(({ filter }) => filter);
  const ids = filters.filter(namesOne).map(({ _id }) => _id);
  const others = filters.filter((filter) => !namesOne(filter));
  return others.length === 0 ? { _id: { $in: ids } } : { $or: [{ _id: { $in: ids } }, ...others] };
}
