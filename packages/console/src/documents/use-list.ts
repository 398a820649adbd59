/** The documents of a table, and its changes as they happen. */
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { Page } from 'dossier-client';
import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import type { Document, Id } from '../api/fields.ts';
import { type OwnModel, useModels } from '../api/models.ts';
import { linksOf, type ListState, optionsOf, pageSize } from './list-state.ts';

export function useList(model: OwnModel, state: ListState): UseQueryResult<Page<Document>> {
  const models = useModels().data ?? new Map<string, OwnModel>();
  const { columns, after, before } = state;
  return useQuery({
    queryKey: ['list', model.name, state],
    queryFn: ({ signal }) =>
      client.model(model.name).list({
        ...optionsOf(state, model),
        fields: [...columns, ...(state.deleted === 'hidden' ? [] : ['_deleted'])],
        populate: linksOf(model, models, columns),
        limit: pageSize,
        count: 'capped',
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before }),
        signal,
      }) as Promise<Page<Document>>,
    placeholderData: keepPreviousData,
  });
}

/** Milliseconds for which a change is marked, and for which further ones are awaited before the list is read again. */
const marked = 2500;
const gathered = 150;

/**
 * Reads the list again when documents of the model change.
 * @returns the ids of documents that have just changed
 */
export function useLive({ name }: OwnModel): ReadonlySet<Id> {
  const queries = useQueryClient();
  const [changed, setChanged] = useState<ReadonlySet<Id>>(new Set());
  useEffect(() => {
    const watch = client.model(name).watch();
    let reading: ReturnType<typeof setTimeout> | undefined;
    watch.addEventListener('change', ({ detail: { item } }) => {
      setChanged((before) => new Set([...before, item._id]));
      setTimeout(() => setChanged((before) => new Set([...before].filter((id) => id !== item._id))), marked);
      reading ??= setTimeout(() => {
        reading = undefined;
        void queries.invalidateQueries({ queryKey: ['list', name] });
      }, gathered);
    });
    return () => {
      clearTimeout(reading);
      watch.close();
    };
  }, [name, queries]);
  return changed;
}
