/** The documents of an export as text, in pieces that are no larger than a page. */
import { DossierError } from 'dossier-client';
import { client } from '../../api/client.ts';
import type { OwnModel } from '../../api/models.ts';
import type { optionsOf } from '../list-state.ts';
import { RecordCounter } from './record-counter.ts';

/** What is exported. */
export interface Selection {
  readonly model: OwnModel;
  readonly options: ReturnType<typeof optionsOf>;
  /** Undefined for all that the caller may read. */
  readonly fields: readonly string[] | undefined;
}

/** A part of a file. */
export interface Piece {
  readonly content: Uint8Array<ArrayBuffer> | string;
  /** The documents that are whole so far. */
  readonly documents: number;
}

export type Pieces = (selection: Selection, signal: AbortSignal) => AsyncGenerator<Piece>;

/** The number of documents; undefined where there are too many to be counted. @throws DossierError */
export async function countOf({ model, options }: Selection, signal: AbortSignal): Promise<number | undefined> {
  const asked = { ...options, fields: ['_id'], limit: 1, count: 'exact', signal } as const;
  const { count = -1 } = await client.model(model.name).list(asked);
  return count < 0 ? undefined : count;
}

const endedEarly = 'The connection ended before the last document.';

/** One answer of the server, which makes formulas harmless. @throws Error where it ends early, and DossierError */
export async function* csvPieces({ model, options, fields }: Selection, signal: AbortSignal): AsyncGenerator<Piece> {
  const named = fields === undefined ? {} : { fields };
  const stream = await client.model(model.name).csvStream({ ...options, ...named, limit: 'all', signal });
  const reader = stream.getReader();
  const counter = new RecordCounter();
  try {
    for (;;) {
      const { value } = await reader.read().catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new Error(endedEarly, { cause });
      });
      if (value === undefined) break;
      counter.add(value);
      // the first line has the names of the columns
      yield { content: value, documents: Math.max(0, counter.records - 1) };
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (!counter.isWhole) throw new Error(endedEarly);
}

/** Documents of one request at first. */
const firstLimit = 500;

/**
 * A document a line, by pages. In an order by `_id` none comes twice; in any other, one whose place changes meanwhile may, and is left out
 * the second time. @throws DossierError
 */
export async function* jsonPieces({ model, options, fields }: Selection, signal: AbortSignal): AsyncGenerator<Piece> {
  const seen = options.sort === '_id' ? undefined : new Set<unknown>();
  let [limit, documents, after] = [firstLimit, 0, undefined as string | undefined];
  for (;;) {
    const place = after === undefined ? {} : { after };
    const asked = { ...options, ...place, ...(fields === undefined ? {} : { fields }), limit, signal };
    try {
      const { data, next_cursor } = await client.model(model.name).list(asked);
      const rows = data.filter(({ _id }) => seen?.has(_id) !== true);
      for (const { _id } of rows) seen?.add(_id);
      documents += rows.length;
      yield { content: rows.map((row) => `${JSON.stringify(row)}\n`).join(''), documents };
      after = next_cursor;
      if (after === undefined) return;
    } catch (error) {
      if (limit === 1 || !isPageTooLarge(error)) throw error;
      limit = Math.ceil(limit / 2);
    }
  }
}

/** Whether the server answers smaller pages only: of large documents, or by its limits. */
const isPageTooLarge = (error: unknown): boolean =>
  error instanceof DossierError && (error.status === 413 || error.body.message === 'Bad limit');
