/** How a document was before a change, read only while somebody listens who must be told when it stops matching. */
import type { ModelContext } from '../context.ts';
import type { Filter } from '../language/filter.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import { modelOf, type Row } from '../registry/mongoose.ts';

export async function rowBefore({ model, services }: ModelContext, filter: Filter): Promise<Row | undefined> {
  if (!services.bus.wantsBefore(model)) return undefined;
  try {
    return (await modelOf(model).collection.findOne(filter)) ?? undefined;
  } catch (error) {
    throw fromDatabase(error);
  }
}
