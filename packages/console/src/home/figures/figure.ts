/** Figures of saved views: their numbers, and what they are called. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { client, pathOf, send } from '../../api/client.ts';
import { isInList, isLong, isSecret, titleField, titleOf } from '../../api/fields.ts';
import { labelOf, labelOfModel } from '../../api/labels.ts';
import { type Field, isReadable, type OwnModel, useModels } from '../../api/models.ts';
import { type Figure, figuresKey, type SavedView } from '../../api/saved-views.ts';

/** A number, of one period or value where there is a key. */
export interface FigureRow {
  readonly key?: unknown;
  /** Decimals are texts; null where there is no number. */
  readonly value: number | string | null;
}

/** Milliseconds for which numbers are kept. */
const kept = 60_000;

export const useFigure = (
  { model, filter, deleted }: SavedView,
  figure: Figure,
): UseQueryResult<readonly FigureRow[]> =>
  useQuery({
    queryKey: [...figuresKey, model, figure, filter, deleted],
    queryFn: async () => {
      const path = pathOf(`/figure/${encodeURIComponent(model)}`);
      return (await send<{ data: readonly FigureRow[] }>('POST', path, { figure, filter, deleted })).data;
    },
    staleTime: kept,
  });

/** The titles of linked documents that the caller may read, by their ids. */
export function useTitles(link: string | undefined, ids: readonly unknown[]): ReadonlyMap<unknown, string> {
  const model = useModels().data?.get(link ?? '');
  const { data } = useQuery({
    queryKey: ['titles of', link, ids],
    enabled: isReadable(model) && ids.length > 0,
    queryFn: async ({ signal }) => {
      const title = model === undefined ? undefined : titleField(model);
      const fields = title === undefined ? ['_id'] : [title];
      const options = { filter: { _id: { $in: ids } }, fields, limit: ids.length, showDeleted: true, signal };
      const documents = (await client.model(link ?? '').list(options)).data;
      return new Map<unknown, string>(documents.map((one) => [one._id, titleOf(one, model)]));
    },
  });
  return data ?? none;
}

const none: ReadonlyMap<unknown, string> = new Map();

export const measures: Readonly<Record<Figure['of'], string>> = {
  count: 'Number',
  sum: 'Sum',
  average: 'Average',
  min: 'Smallest',
  max: 'Largest',
};

/** What a figure is of, such as “Sales: sum of Amount by Sold, a month”. */
export function figureText(model: OwnModel, { of, path, by, unit }: Figure): string {
  const number = path === null ? measures[of] : `${measures[of]} of ${labelOf(model, path)}`;
  const group = by === null ? '' : ` by ${labelOf(model, by)}${unit === null ? '' : `, each ${unit}`}`;
  return `${labelOfModel(model)}: ${number.charAt(0).toLowerCase()}${number.slice(1)}${group}`;
}

const isOffered = (model: OwnModel, path: string): boolean =>
  model.rights.fields[path]?.includes('r') === true && model.fields[path]?.hidden !== true && !isSecret(path);

const numbers: ReadonlySet<string> = new Set(['Number', 'Int32', 'Double', 'BigInt', 'Decimal128']);

/** The fields with one number. */
export const numberPaths = (model: OwnModel): string[] =>
  pathsOf(model, (_, { type, array }) => numbers.has(type) && !array).filter((path) => !isInList(model, path));

/** The fields by whose values a figure is divided. */
export const groupPaths = (model: OwnModel): string[] =>
  pathsOf(model, (path, field) => {
    if (field.input === 'date') return !field.array && !isInList(model, path);
    const isChoice = field.enum !== undefined || field.link !== undefined || field.input === 'boolean';
    return isChoice || ((field.input === 'text' || field.input === 'number') && !isLong(path, field));
  });

const pathsOf = (model: OwnModel, fits: (path: string, field: Field) => boolean): string[] =>
  Object.entries(model.fields)
    .filter(([path, field]) => path !== '_id' && !path.startsWith('__') && isOffered(model, path) && fits(path, field))
    .map(([path]) => path);
