/** What surrounds each command that writes: the time limit of its request, and what watches slow operations. */
import { isOutcomeUnknown } from '../../models/database-errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Row } from '../../models/mongoose.ts';
import { aroundStoring } from '../../models/mongoose/model-writes.ts';
import type { Filter } from '../../query/filter.ts';
import type { Services } from '../../services.ts';
import type { ListOutcome, WriteProgress } from '../contract.ts';
import type { InUnit } from './images.ts';
import type { BulkCommand } from './mutation-list.ts';

/** The search of one command for the documents that it writes, or the documents that it makes without one. */
interface Search {
  readonly model: ModelEntry;
  readonly write: string;
  readonly filter: Filter;
  /** The number of documents that it writes at most. */
  readonly limit: number | undefined;
  /** The number of documents that it makes; undefined for one that searches. */
  readonly makes?: number;
}

/** What the outcome of a command says. */
interface Reading<T> {
  /** The number of documents that its search has found. */
  readonly found: (outcome: T) => number;
  /** Whether it has written anything, or may have; by default where it has found something. */
  readonly wrote?: (outcome: T) => boolean;
}

interface Watched extends InUnit {
  readonly progress?: WriteProgress | undefined;
  readonly services: Partial<Pick<Services, 'reads'>>;
}

/** Searches of one bulk write that are seen. */
const maxSeen = 20;

/** Runs a change or a deletion of one document. */
export const watchOne = (
  writer: Watched,
  write: 'updateOne' | 'deleteOne',
  { model, filter }: Pick<Search, 'model' | 'filter'>,
  send: () => Promise<Row | null>,
): Promise<Row | null> =>
  watched(writer, [{ model, write, filter, limit: 1 }], send, {
    found: (row) => (row === null ? 0 : 1),
  });

/** Runs an update or a deletion of many documents. */
export const watchMany = <T extends { readonly matchedCount: number } | { readonly deletedCount: number }>(
  writer: Watched,
  write: 'updateMany' | 'deleteMany',
  { model, filter }: Pick<Search, 'model' | 'filter'>,
  send: () => Promise<T>,
): Promise<T> =>
  watched(writer, [{ model, write, filter, limit: undefined }], send, {
    found: (done) => ('matchedCount' in done ? done.matchedCount : done.deletedCount),
  });

/** Runs an insertion of documents. */
export const watchInsert = <T>(writer: Watched, model: ModelEntry, count: number, send: () => Promise<T>): Promise<T> =>
  watched(writer, [insertion(model, count)], send, { found: () => 0, wrote: () => true });

/** Has the command watched by which Mongoose stores a document, without the middleware around it. @returns the document */
export function watchSave<T extends object>(writer: Watched, model: ModelEntry, document: T): T {
  if (writer.services.reads === undefined && writer.progress === undefined) return document;
  return aroundStoring(document, {
    insert: (send) => watchInsert(writer, model, 1, send),
    update: (filter, send) =>
      watched(writer, [{ model, write: 'updateOne', filter, limit: 1 }], send, {
        found: ({ matchedCount }) => matchedCount,
      }),
  });
}

const insertion = (model: ModelEntry, makes: number): Search => ({
  ...{ model, write: makes === 1 ? 'insertOne' : 'insertMany' },
  ...{ filter: {}, limit: undefined, makes },
});

/** Runs a bulk write. */
export const watchBulk = (
  writer: Watched,
  { model, commands }: { readonly model: ModelEntry; readonly commands: readonly BulkCommand[] },
  send: () => Promise<ListOutcome>,
): Promise<ListOutcome> =>
  watched(writer, searchesIn(model, commands), send, {
    found: ({ matched }) => matched,
    wrote: ({ made, matched, error }) => made.size + matched > 0 || isOutcomeUnknown(error),
  });

/** Those of its commands, and all that make documents as one. */
function searchesIn(model: ModelEntry, commands: readonly BulkCommand[]): readonly Search[] {
  const searches = commands.flatMap((command) => searchIn(model, command));
  const made = commands.length - searches.length;
  return made === 0 ? searches : [insertion(model, made), ...searches];
}

function searchIn(model: ModelEntry, command: BulkCommand): readonly Search[] {
  const [[write, parts] = ['', {}]] = Object.entries(command) as [string, { readonly filter?: Filter }][];
  const { filter } = parts;
  return filter === undefined ? [] : [{ model, write, filter, limit: write.endsWith('Many') ? undefined : 1 }];
}

/** Sends a command, unless the time of its request is over. Outside of a transaction, what is sent cannot be recalled. */
function inTime<T>({ progress, unit }: Watched, send: () => Promise<T>, wrote: (outcome: T) => boolean): Promise<T> {
  if (progress === undefined) return send();
  if (unit?.session === undefined) return progress.send(send, wrote);
  progress.check();
  return send();
}

/**
 * The searches of one write share its time and what it has found evenly: the database does not report them of each. A write that fails is
 * seen too, such as one that took too long.
 */
async function watched<T>(
  writer: Watched,
  searches: readonly Search[],
  send: () => Promise<T>,
  { found: foundBy, wrote = (outcome) => foundBy(outcome) > 0 }: Reading<T>,
): Promise<T> {
  const { reads } = writer.services;
  if (reads === undefined || searches.length === 0) return inTime(writer, send, wrote);
  const begun = performance.now();
  let found = 0;
  let isCut = true;
  try {
    const outcome = await inTime(writer, send, wrote);
    found = foundBy(outcome);
    isCut = false;
    return outcome;
  } finally {
    const ms = (performance.now() - begun) / searches.length;
    const searching = searches.length === 1 ? 1 : searches.filter(({ makes }) => makes === undefined).length;
    const returned = Math.round(found / searching);
    for (const { makes, model, write, filter, limit } of searches.slice(0, maxSeen))
      reads.watch.seen({ model, write, filter, limit, sort: unsorted, returned: makes ?? returned, isCut }, ms);
  }
}

const unsorted = {};
