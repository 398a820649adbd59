/** The titles of documents that others link to, as far as the caller may read them. */
import { useQueries } from '@tanstack/react-query';
import { client } from './client.ts';
import { type Id, titleOf } from './fields.ts';
import { isReadable, useModels } from './models.ts';

/** A document by its model and id. */
export interface Reference {
  readonly model: string;
  readonly id: Id;
}

/** Documents of a model that are read at most, as the server's lists have. */
const maxDocuments = 100;

/** @returns a function that gives the title of a document, also of a deleted one; undefined where it is not known */
export function useTitles(references: readonly Reference[]): (reference: Reference) => string | undefined {
  const models = useModels().data;
  const wanted = [...Map.groupBy(references, ({ model }) => model)].flatMap(([name, those]) => {
    const model = models?.get(name);
    return isReadable(model) ? [{ name, model, ids: [...new Set(those.map(({ id }) => id))].sort() }] : [];
  });
  const found = useQueries({
    queries: wanted.map(({ name, ids, model }) => ({
      queryKey: ['titles of', name, ids],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const limit = Math.min(ids.length, maxDocuments);
        const filter = { _id: { $in: ids.slice(0, limit) } };
        const { data } = await client.model(name).list({ filter, showDeleted: true, limit, signal });
        return new Map(data.map((one) => [String(one['_id']), titleOf(one, model)]));
      },
    })),
  });
  return ({ model, id }) => found[wanted.findIndex(({ name }) => name === model)]?.data?.get(String(id));
}
