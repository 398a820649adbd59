/** How the documents of a bulk write were before and are afterwards; read only while somebody must be told of single documents. */
import type { ModelContext } from '../../context.ts';
import type { Filter } from '../../language/filter.ts';
import { modelOf, ObjectId, type Row } from '../../registry/mongoose.ts';
import type { Change } from '../../services.ts';
import { changed } from '../changed.ts';
import type { Step } from './step.ts';

/** Documents by their ids. */
export type Images = ReadonlyMap<string, Row>;

/** Documents that are looked at together. */
const mostImages = 2000;

/** All documents that steps may touch; undefined when there are too many. */
export async function imagesBefore({ model }: ModelContext, steps: readonly Step[]): Promise<Images | undefined> {
  const rows = await modelOf(model)
    .collection.find(anyOf(steps), { limit: mostImages + 1, batchSize: mostImages + 1 })
    .toArray();
  return rows.length > mostImages ? undefined : byId(rows);
}

/** What one of the steps may touch. Rights are asked for again by the command itself, so ids alone are enough here. */
function anyOf(steps: readonly Step[]): Filter {
  const ids = steps.map(({ filter }) => filter['_id']).filter((id) => id instanceof ObjectId);
  const others = steps.map(({ filter }) => filter).filter(({ _id }) => !(_id instanceof ObjectId));
  return others.length === 0 ? { _id: { $in: ids } } : { $or: [{ _id: { $in: ids } }, ...others] };
}

const byId = (rows: readonly Row[]): Images => new Map(rows.map((row) => [String(row['_id']), row]));

/** Tells what became of the documents, each once, and of those that were made. */
export async function tellOf(context: ModelContext, before: Images, made: readonly unknown[]): Promise<void> {
  const { model, services } = context;
  const ids = [...[...before.values()].map(({ _id }) => _id), ...made];
  if (ids.length === 0) return;
  try {
    const after = byId(
      await modelOf(model)
        .collection.find({ _id: { $in: ids } } as Filter, { batchSize: ids.length + 1 })
        .toArray(),
    );
    changed(
      context,
      ids.map(String).flatMap((id) => {
        const states = { before: before.get(id), after: after.get(id) };
        const event = eventOf(states);
        return event === undefined ? [] : [{ event, model, id, ...states, joined: true }];
      }),
    );
  } catch (error) {
    services.bus.touched(model);
    throw error;
  }
}

const isDeleted = (row: Row): boolean => row['_deleted'] === true;

/** Every write of a document raises its revision. */
function eventOf({ before, after }: Pick<Change, 'before' | 'after'>): Change['event'] | undefined {
  if (after === undefined) return before === undefined ? undefined : 'del';
  if (before === undefined) return 'post';
  if (before['__v'] === after['__v']) return undefined;
  if (isDeleted(after)) return isDeleted(before) ? 'put' : 'del';
  return isDeleted(before) ? 'post' : 'put';
}
