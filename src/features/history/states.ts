/** Rebuilds documents as they were from the entries of a history. */
import type { Row } from '../../core.ts';
import { withChanges } from '../../write/mutation/row-changes.ts';
import { type Content, decodeContent } from './content.ts';
import type { EntryRow } from './rows.ts';

/** A document at a time: `none` where it did not exist, `unknown` where earlier entries are gone. */
export type State = Readonly<Row> | 'none' | 'unknown';

/** An entry with the document before and after it. */
export interface EntryStates {
  readonly row: EntryRow;
  readonly before: State;
  readonly after: State;
}

/**
 * Rebuilds one document after another, each from the entry before.
 * @param rows entries in the order of documents and revisions; after a gap, only an entry with the whole document is a beginning
 * @param pause awaited between the steps of each entry
 */
export async function* rebuild(
  rows: Iterable<EntryRow> | AsyncIterable<EntryRow>,
  pause: () => Promise<void> | undefined,
): AsyncGenerator<EntryStates> {
  let last: EntryStates | undefined;
  for await (const row of rows) {
    const content = decodeContent(row.content);
    await pause();
    const before = stateBefore(row, content, last !== undefined && follows(row, last.row) ? last.after : 'unknown');
    last = { row, before, after: stateAfter(row, content, before) };
    await pause();
    yield last;
  }
}

/** The last of the documents. */
export async function lastEntry(documents: AsyncIterable<EntryStates>): Promise<EntryStates | undefined> {
  let last: EntryStates | undefined;
  for await (const one of documents) last = one;
  return last;
}

const follows = ({ document, rev }: EntryRow, last: EntryRow): boolean =>
  document === last.document && rev === last.rev + 1;

function stateBefore({ operation }: EntryRow, { before }: Content, last: State): State {
  if (before !== undefined) return before;
  return operation === 'create' ? 'none' : last;
}

function stateAfter({ operation }: EntryRow, { after, changes = [] }: Content, before: State): State {
  if (operation === 'remove') return 'none';
  if (after !== undefined) return after;
  return typeof before === 'object' ? withChanges(before, changes) : 'unknown';
}
