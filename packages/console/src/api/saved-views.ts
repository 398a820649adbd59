/** The saved views that the caller sees: own ones, and those that others share. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { hrefOf } from '../route.ts';
import { allRows, client } from './client.ts';

/** A number of documents, or one for each period or value (docs/endpoints.md). */
export interface Figure {
  readonly of: 'count' | 'sum' | 'average' | 'min' | 'max';
  readonly path: string | null;
  readonly by: string | null;
  readonly unit: 'day' | 'week' | 'month' | 'year' | null;
  readonly zone: string | null;
}

/** What a table shows, as the server keeps it. */
interface ViewContent {
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly search: string | null;
  readonly sort: string | null;
  readonly fields: readonly string[] | null;
  readonly deleted: 'hidden' | 'shown' | 'only' | null;
  /** What the home page shows of these documents; null for a table. */
  readonly figure: Figure | null;
}

export interface SavedView extends ViewContent {
  readonly id: string;
  readonly model: string;
  readonly title: string;
  readonly shared: boolean;
  /** Whether it is the caller's. */
  readonly own: boolean;
  readonly may_change: boolean;
  /** In the caller's order, from 0; null for one that it does not have. */
  readonly place: number | null;
}

/** One that the home page shows. */
export type FigureView = SavedView & { readonly figure: Figure };

export const isFigure = (view: SavedView): view is FigureView => view.figure !== null;

export const viewsKey = ['views'] as const;
/** The numbers of figures. */
export const figuresKey = ['figures'] as const;

/** All of them, the oldest first. */
export const useSavedViews = (): UseQueryResult<readonly SavedView[]> =>
  useQuery({
    queryKey: viewsKey,
    queryFn: () => allRows<SavedView>('/views'),
    // users have views
    enabled: client.user !== undefined,
    staleTime: 60_000,
  });

/** The address of the table that a view shows, or of the documents that a figure is of. */
export const viewHref = ({ id, model, filter, search, sort, fields, deleted, figure }: SavedView): string =>
  hrefOf(['documents', model], {
    view: figure === null ? id : undefined,
    filter: filter === null ? undefined : JSON.stringify(filter),
    search: search ?? undefined,
    sort: sort ?? undefined,
    fields: fields?.join(','),
    deleted: deleted === 'hidden' ? undefined : (deleted ?? undefined),
  });
