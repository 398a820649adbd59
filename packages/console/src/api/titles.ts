/** The titles of documents that others link to, as far as the caller may read them. */
import { useQueries } from '@tanstack/react-query';
import { maxIds } from './by-id.ts';
import { client } from './client.ts';
import { type Id, titleOf } from './fields.ts';
import { isReadable, useModels } from './models.ts';

/** A document by its model and id. */
export interface Reference {
  readonly model: string;
  readonly id: Id;
}

/** @returns a function that gives the title of a document, also of a deleted one; undefined where it is not known */
export function useTitles(references: readonly Reference[]): (reference: Reference) => string | undefined {
  const models = useModels().data;
  const wanted = [...Map.groupBy(references, ({ model }) => model)].flatMap(([name, those]) => {
    const model = models?.get(name);
    if (!isReadable(model)) return [];
    const ids = [...new Set(those.map(({ id }) => id))].sort();
    const starts = Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, at) => at * maxIds);
    return starts.map((start) => ({ name, model, ids: ids.slice(start, start + maxIds) }));
  });
  const found = useQueries({
    queries: wanted.map(({ name, ids, model }) => ({
      queryKey: ['titles of', name, ids],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const filter = { _id: { $in: ids } };
        const { data } = await client.model(name).list({ filter, showDeleted: true, limit: ids.length, signal });
        return new Map(data.map((one) => [String(one['_id']), titleOf(one, model)]));
      },
    })),
  });
  return ({ model, id }) => {
    const at = wanted.findIndex(({ name, ids }) => name === model && ids.includes(id));
    return found[at]?.data?.get(String(id));
  };
}
