/** Rebuilds documents as they were from the entries of a history. Pure. */
import type { Row } from '../../models/mongoose.ts';
import { withChanges } from '../../write/mutation/row-changes.ts';
import { decodeContent } from './content.ts';
import type { EntryRow } from './rows.ts';

/** A document at a time: `none` where it did not exist, `unknown` where earlier entries are gone. */
export type State = Readonly<Row> | 'none' | 'unknown';

/** An entry with the document before and after it. */
export interface Rebuilt {
  readonly row: EntryRow;
  readonly before: State;
  readonly after: State;
}

/** @param rows entries of one document, in the order of their revisions, without gaps */
export function rebuild(rows: readonly EntryRow[]): readonly Rebuilt[] {
  let state: State = 'unknown';
  return rows.map((row) => {
    const before = stateBefore(row, state);
    state = stateAfter(row, before);
    return { row, before, after: state };
  });
}

function stateBefore(row: EntryRow, last: State): State {
  const { before } = decodeContent(row.content);
  if (before !== undefined) return before;
  return row.operation === 'create' ? 'none' : last;
}

function stateAfter({ operation, content }: EntryRow, before: State): State {
  const { after, changes = [] } = decodeContent(content);
  if (operation === 'remove') return 'none';
  if (after !== undefined) return after;
  return typeof before === 'object' ? withChanges(before, changes) : 'unknown';
}
