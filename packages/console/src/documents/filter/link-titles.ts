/** The titles of the documents that the links of a filter name. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { titleOf } from '../../api/fields.ts';
import { isReadable, type OwnModel, useModels } from '../../api/models.ts';
import type { Condition } from './conditions.ts';

/** The model whose ids a path has: that to which it links, or its own; undefined where it has no ids. */
export const modelOfIds = (model: OwnModel, path: string): string | undefined =>
  path === '_id' ? model.name : model.fields[path]?.link;

/** Ids of a filter whose titles are read at most. */
const maxIds = 20;

/** @returns a condition with titles in place of the ids whose documents the caller may read */
export function useTitled(model: OwnModel, conditions: readonly Condition[]): (condition: Condition) => Condition {
  const models = useModels().data;
  const ids = conditions
    .flatMap(({ path, value }) => {
      const name = modelOfIds(model, path);
      return name === undefined || !isReadable(models?.get(name)) ? [] : idsOf(value).map((id) => ({ name, id }));
    })
    .slice(0, maxIds);
  const titles = useQuery({
    queryKey: ['titles', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        ids.map(async ({ name, id }) => {
          const document = await client
            .model(name)
            .one(id, { signal })
            .catch(() => undefined);
          return document === undefined ? undefined : ([id, titleOf(document, models?.get(name))] as const);
        }),
      );
      return new Map(found.filter((pair) => pair !== undefined));
    },
  }).data;
  return (condition) =>
    modelOfIds(model, condition.path) === undefined
      ? condition
      : {
          ...condition,
          value: idsOf(condition.value)
            .map((id) => titles?.get(id) ?? id)
            .join(', '),
        };
}

/** The ids of a typed value. */
export const idsOf = (value: string): string[] =>
  value
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
