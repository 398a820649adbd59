/** What a table of documents shows, as the address of the view says it. */
import { columnsOf, type Document, firstColumns } from '../api/fields.ts';
import { labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { isReadable } from '../api/models.ts';
import { change } from '../route.ts';
import type { Filter } from './filter/conditions.ts';
import { searchFor } from './search-for.ts';

export type Deleted = 'hidden' | 'shown' | 'only';

export interface ListState {
  readonly columns: readonly string[];
  /** A path, with a minus sign in front for the reverse order. */
  readonly sort: string | undefined;
  readonly search: string;
  /** The filter as JSON; empty for none. */
  readonly filterText: string;
  readonly deleted: Deleted;
  readonly after: string | undefined;
  readonly before: string | undefined;
}

export const pageSize = 50;

const deletedOf = (query: URLSearchParams): Deleted =>
  (['shown', 'only'] as const).find((one) => one === query.get('deleted')) ?? 'hidden';

/** @param kept the columns that the person has chosen before, of which some may no longer be there */
export const stateOf = (query: URLSearchParams, model: OwnModel, kept: readonly string[] = []): ListState => ({
  columns: query.get('fields')?.split(',') ?? columnsFor(deletedOf(query), orFirst(kept, model), model),
  sort: query.get('sort') ?? undefined,
  search: query.get('search') ?? '',
  filterText: query.get('filter') ?? '',
  deleted: deletedOf(query),
  after: query.get('after') ?? undefined,
  before: query.get('before') ?? undefined,
});

/** What the trash calls the stamps of a document, whose last change is that it was deleted. */
const trashNames: Readonly<Record<string, string>> = { updatedAt: 'Deleted', _updated_by_id: 'Deleted by' };

/** In the trash, the time of the deletion and its user stand behind the first column. */
function columnsFor(deleted: Deleted, columns: readonly string[], model: OwnModel): readonly string[] {
  if (deleted !== 'only') return columns;
  const stamps = Object.keys(trashNames).filter((path) => columnsOf(model).includes(path));
  return columns.filter((path) => !stamps.includes(path)).toSpliced(1, 0, ...stamps);
}

/** What the column of a path is called. */
export const headOf = (model: OwnModel, { deleted }: Pick<ListState, 'deleted'>, path: string): string =>
  (deleted === 'only' && Object.hasOwn(trashNames, path) ? trashNames[path] : undefined) ?? labelOf(model, path);

function orFirst(kept: readonly string[], model: OwnModel): readonly string[] {
  const columns = columnsOf(model);
  const shown = kept.filter((path) => columns.includes(path));
  return shown.length === 0 ? firstColumns(model) : shown;
}

/** Changes what is selected, and so goes back to the first page. */
export const select = (values: Readonly<Record<string, string | undefined>>): void =>
  change({ ...values, after: undefined, before: undefined });

/** The filter of a text. @throws SyntaxError, and TypeError for JSON that is not an object */
export function parsedFilter(text: string): Filter {
  if (text.trim() === '') return {};
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('a filter must be an object, such as {"year": {"$gte": 2000}}');
  return value as Filter;
}

/** The options of a request for what a table shows. @throws what `parsedFilter` throws */
export function optionsOf({ search, filterText, deleted, sort }: ListState, model: OwnModel) {
  const filter = parsedFilter(filterText);
  return {
    filter: deleted === 'only' ? { ...filter, _deleted: true } : filter,
    ...(search === '' ? {} : { search: searchFor(search, model) }),
    showDeleted: deleted !== 'hidden',
    // an order by relevance would have no cursors
    sort: sort ?? '_id',
  };
}

/** What a table selects, whatever the order, page and columns. */
export const selectionOf = ({ search, filterText, deleted }: ListState): string =>
  JSON.stringify([search, filterText, deleted]);

/** Whether a table shows all documents, as the counts of models do. */
export const isWhole = ({ search, filterText, deleted }: ListState): boolean =>
  search === '' && filterText === '' && deleted === 'hidden';

/** The links of columns, which are shown by the titles of their documents; those of lists, which may be long, are read apart. */
export const linksOf = (model: OwnModel, models: ReadonlyMap<string, OwnModel>, paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const { link, map_to, array } = model.fields[path] ?? {};
    return array !== true && link !== undefined && map_to !== undefined && isReadable(models.get(link)) ? [map_to] : [];
  });

export const isDeleted = (document: Document): boolean => document['_deleted'] === true;
