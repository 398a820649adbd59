/** The numbers of documents of all models, in one request. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { send } from './client.ts';
import { onWritten } from './written.ts';

export interface ModelCount {
  readonly model: string;
  readonly count: number;
  readonly count_is: 'exact' | 'at_least';
}

const key = ['counts'] as const;
/** Milliseconds for which counts are kept when the window gets the focus again, and those of a pause after own writes. */
const [kept, pause] = [60_000, 1000];

/** The counts that the caller has, by model; none while they are read, and from a server that does not count. */
export function useCounts(): ReadonlyMap<string, ModelCount> {
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const { data: counts } = await send<{ data: readonly ModelCount[] }>('GET', '/count');
      return new Map(counts.map((one) => [one.model, one]));
    },
    staleTime: kept,
  });
  return data ?? none;
}

const none: ReadonlyMap<string, ModelCount> = new Map();

/** Reads the counts again after own writes, once for those that follow each other. */
export function useCountsAfterWrites(): void {
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
  }, [queries]);
}
