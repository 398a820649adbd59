/** Reports how long writes took to what watches slow operations. Inserts search for nothing, and are not reported. */
import type { ModelEntry } from '../../models/entry.ts';
import type { Row } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import type { Services } from '../../services.ts';
import type { Bulk, BulkCommand, BulkOutcome } from '../contract.ts';

/** The search of one command for the documents that it writes. */
interface Search {
  readonly model: ModelEntry;
  readonly write: string;
  readonly filter: Filter;
  /** The number of documents that it writes at most. */
  readonly limit: number | undefined;
}

interface Watched {
  readonly services: Partial<Pick<Services, 'readWatch'>>;
}

/** Searches of one bulk write that are seen. */
const maxSeen = 20;

/** Runs a change or a deletion of one document. */
export const watchedOne = (
  writer: Watched,
  write: 'updateOne' | 'deleteOne',
  { model, filter }: Pick<Search, 'model' | 'filter'>,
  send: () => Promise<Row | null>,
): Promise<Row | null> => watched(writer, [{ model, write, filter, limit: 1 }], send, (row) => (row === null ? 0 : 1));

/** Runs an update or a deletion of many documents. */
export const watchedMany = <T extends { readonly matchedCount: number } | { readonly deletedCount: number }>(
  writer: Watched,
  write: 'updateMany' | 'deleteMany',
  { model, filter }: Pick<Search, 'model' | 'filter'>,
  send: () => Promise<T>,
): Promise<T> =>
  watched(writer, [{ model, write, filter, limit: undefined }], send, (done) =>
    'matchedCount' in done ? done.matchedCount : done.deletedCount,
  );

/** Runs a bulk write; of its commands, those that make documents search for none. */
export const watchedBulk = (
  writer: Watched,
  { model, commands }: Bulk,
  send: () => Promise<BulkOutcome>,
): Promise<BulkOutcome> =>
  watched(
    writer,
    commands.flatMap((command) => searchIn(model, command)),
    send,
    ({ matched }) => matched,
  );

function searchIn(model: ModelEntry, command: BulkCommand): readonly Search[] {
  const [[write, parts] = ['', {}]] = Object.entries(command) as [string, { readonly filter?: Filter }][];
  const { filter } = parts;
  return filter === undefined ? [] : [{ model, write, filter, limit: write.endsWith('Many') ? undefined : 1 }];
}

/**
 * The searches of one write share its time and what it has found evenly: the database does not report them of each. A write that fails is
 * seen too, such as one that took too long.
 */
async function watched<T>(
  { services: { readWatch } }: Watched,
  searches: readonly Search[],
  send: () => Promise<T>,
  foundBy: (outcome: T) => number,
): Promise<T> {
  if (readWatch === undefined || searches.length === 0) return send();
  const begun = performance.now();
  let found = 0;
  try {
    const outcome = await send();
    found = foundBy(outcome);
    return outcome;
  } finally {
    const ms = (performance.now() - begun) / searches.length;
    const returned = Math.round(found / searches.length);
    for (const search of searches.slice(0, maxSeen)) readWatch.seen({ ...search, sort: {}, returned }, ms);
  }
}
