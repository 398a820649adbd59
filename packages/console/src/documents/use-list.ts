/** The documents of a table, which stay right while they are shown. */
import type { Live, Page } from 'dossier-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { columnsOf, type Document, type Id, titleField } from '../api/fields.ts';
import { type OwnModel, useModels } from '../api/models.ts';
import { linksOf, type ListState, optionsOf, pageSize } from './list-state.ts';

/** What a table shows. */
export interface ShownList {
  /** While another list is read, that of before. */
  readonly page: Page<Document> | undefined;
  readonly error: unknown;
  /** The ids of documents that have just changed. */
  readonly changed: ReadonlySet<Id>;
  /** Reads the list again: for writes that cause no event, and after a failure. */
  readonly reread: () => void;
}

/** Milliseconds for which a change is marked. */
const marked = 2500;

export function useList(model: OwnModel, state: ListState): ShownList {
  const models = useModels().data;
  const [page, setPage] = useState<Page<Document>>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [changed, mark] = useMarks();
  const live = useRef<Live<object>>(undefined);
  useEffect(() => {
    setError(undefined);
    try {
      const options = listOptions(model, models ?? new Map(), state);
      if (model.events === false) return readOnce(model.name, options, setPage, setError);
      const list = client.model(model.name).live(options);
      list.addEventListener('change', ({ detail }) => {
        setPage(list.page);
        mark(detail.changed as ReadonlySet<Id>);
      });
      list.addEventListener('error', ({ detail }) => setError(detail));
      live.current = list;
      return () => list.close();
    } catch (fault) {
      // a filter that was typed into the address
      setError(fault);
      return undefined;
    }
    // the state is made of the address each time
  }, [model, models, JSON.stringify(state), attempt]);
  const reread = useCallback(
    () =>
      error === undefined && live.current !== undefined ? live.current.refresh() : setAttempt((before) => before + 1),
    [error],
  );
  return { page, error, changed, reread };
}

/** Reads a list whose changes are not published. @returns what ends the reading */
function readOnce(
  model: string,
  options: ReturnType<typeof listOptions>,
  show: (page: Page<Document>) => void,
  fail: (error: unknown) => void,
): () => void {
  const stop = new AbortController();
  client
    .model(model)
    .list({ ...options, signal: stop.signal })
    .then(show, (error: unknown) => (stop.signal.aborted ? undefined : fail(error)));
  return () => stop.abort();
}

function listOptions(model: OwnModel, models: ReadonlyMap<string, OwnModel>, state: ListState) {
  const { columns, after, before, deleted } = state;
  return {
    ...optionsOf(state, model),
    fields: [...new Set([...columns, ...titleIn(model), ...(deleted === 'hidden' ? [] : ['_deleted'])])],
    populate: linksOf(model, models, columns),
    limit: pageSize,
    count: 'capped',
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  } as const;
}

/** The field of the title, by which rows and their boxes are named, whatever columns are shown. */
function titleIn(model: OwnModel): readonly string[] {
  const title = titleField(model);
  return title !== undefined && columnsOf(model).includes(title) ? [title] : [];
}

/** Ids that are marked for a while. */
function useMarks(): readonly [ReadonlySet<Id>, (ids: ReadonlySet<Id>) => void] {
  const [all, setAll] = useState<ReadonlySet<Id>>(new Set());
  const mark = useCallback((ids: ReadonlySet<Id>): void => {
    if (ids.size === 0) return;
    setAll((before) => new Set([...before, ...ids]));
    setTimeout(() => setAll((before) => new Set([...before].filter((id) => !ids.has(id)))), marked);
  }, []);
  return [all, mark];
}
