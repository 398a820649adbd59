/** Whether a caller could read a document before and after a change. */
import type { Policy } from '../../core.ts';
import { sizeOfRow } from '../../models/mongoose.ts';
import { allOf } from '../../query/and.ts';
import type { ListIntent } from '../../read/intents.ts';
import { matcherOf } from '../../read/matches.ts';
import type { Change } from '../../realtime/changes/contract.ts';

type Row = Readonly<Record<string, unknown>>;

/** Which rows a caller reads, and which of them they ask for. */
export interface Reader extends Pick<ListIntent, 'filter' | 'hook'> {
  readonly policy: Pick<Policy, 'model' | 'rows' | 'rowPaths' | 'admits'>;
}

export interface Visibility {
  /** Undefined where it is not known. */
  before(change: Change): boolean | undefined;
  /** False where it is not known: the next change, or the document itself, shows it. */
  after(change: Change): boolean;
}

/** A filter that costs too much is taken to match. */
export function makeVisibility(reader: Reader): Visibility {
  const { policy, hook } = reader;
  const admits = rowsOf(reader);
  const readsAll = policy.rows('r') === 'all' && hook === undefined;
  const isDecidedBy = hook === undefined ? decides(policy.rowPaths('r')) : () => true;
  return {
    before({ event, before, after, updatedPaths }) {
      // made, or restored
      if (event === 'post') return false;
      if (before !== undefined) return admits(before);
      // its id may be known to those who may read it
      if (readsAll) return true;
      if (after === undefined || updatedPaths === undefined || updatedPaths.some(isDecidedBy)) return undefined;
      return (event === 'del' || after['_deleted'] !== true) && policy.admits('r', after);
    },
    after: ({ event, after }) => event !== 'del' && after !== undefined && admits(after),
  };
}

function rowsOf({ policy, filter, hook }: Reader): (row: Row) => boolean {
  const asked = filter === undefined && hook === undefined ? undefined : matcherOf(allOf([filter, hook]), policy.model);
  return (row) =>
    row['_deleted'] !== true &&
    policy.admits('r', row) &&
    (asked === undefined || sizeOfRow(row) > asked.quickBytes || asked.matches(row));
}

/** Whether a change of a path changes one of these, which may be above or below it. */
const decides = (paths: readonly string[]): ((path: string) => boolean) => {
  const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}.`);
  return (path) => paths.some((deciding) => isWithin(path, deciding) || isWithin(deciding, path));
};
