/** The numbers of documents of all models, in one request. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { useEffect } from 'react';
import { send } from './client.ts';
import { onWritten } from './written.ts';

export interface ModelCount {
  readonly model: string;
  readonly count: number;
  readonly count_is: 'exact' | 'at_least';
}

export const countsKey = ['counts'] as const;
/** Milliseconds for which counts are kept when the window gets the focus again, and those of a pause after own writes. */
const [kept, pause] = [60_000, 1000];

/** The counts that the caller has, by model; none while they are read, and from a server that does not count. */
export function useCounts(): ReadonlyMap<string, ModelCount> {
  const { data } = useQuery({
    queryKey: countsKey,
    queryFn: async () => {
      const { data: counts } = await send<{ data: readonly ModelCount[] }>('GET', '/count');
      return new Map(counts.map((one) => [one.model, one]));
    },
    staleTime: kept,
  });
  return data ?? none;
}

const none: ReadonlyMap<string, ModelCount> = new Map();

/** Takes over the count of a table that shows all documents of a model: it is newer than that of all models. */
export function useNewerCount(model: string, { count, count_is }: Pick<Page<unknown>, 'count' | 'count_is'>): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (count === undefined || count < 0 || count_is === undefined || count_is === 'estimate') return;
    queries.setQueryData<ReadonlyMap<string, ModelCount>>(countsKey, (counts) => {
      const known = counts?.get(model);
      if (known === undefined || (known.count === count && known.count_is === count_is)) return counts;
      return new Map([...(counts ?? []), [model, { model, count, count_is }]]);
    });
  }, [queries, model, count, count_is]);
}

/** Reads again after own writes, once for those that follow each other. @param key of queries, the same each time */
export function useAfterWrites(key: readonly string[]): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = onWritten(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void queries.invalidateQueries({ queryKey: key }), pause);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [queries, key]);
}
