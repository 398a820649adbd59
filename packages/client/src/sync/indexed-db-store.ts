/** A copy that survives the page, in IndexedDB. */
import { type Collection, type Database, inTransaction, needIndexedDb, openDatabase, resultOf } from './indexed-db.ts';
import type { SyncChange, SyncStore } from './store.ts';

export interface IndexedDbStore<Row, Id = string | number> extends SyncStore<Row, Id> {
  /** The row of an id; undefined where there is none. */
  readonly get: (id: Id) => Promise<Row | undefined>;
  /** All rows, in the order of their ids. */
  readonly all: () => Promise<Row[]>;
  readonly clear: () => Promise<void>;
  /** Closes the database, which the next use opens again. */
  readonly close: () => Promise<void>;
}

/** A row with the number of the walk that has written it last: one of an earlier walk is marked. */
interface Kept<Row> {
  readonly walk: number;
  readonly item: Row;
}

interface State {
  readonly position: string;
  readonly walk: number;
}

const [rowsName, stateName] = ['rows', 'state'];
const names = [rowsName, stateName];
const stateKey = 'state';

/**
 * Keeps a copy in the IndexedDB database of this name, which holds nothing else. Several tabs may use it at the same time.
 * @throws TypeError where there is no IndexedDB
 */
export function indexedDbStore<Row, Id extends string | number = string | number>(
  name: string,
): IndexedDbStore<Row, Id> {
  needIndexedDb();
  const { open, close } = makeConnection(name);
  const read = async <Value>(from: string, ask: (collection: Collection) => Parameters<typeof resultOf<Value>>[0]) =>
    resultOf<Value>(ask((await open()).transaction([from], 'readonly').objectStore(from)));
  return {
    position: async () => (await read<State | undefined>(stateName, (state) => state.get(stateKey) as never))?.position,
    get: async (id) => (await read<Kept<Row> | undefined>(rowsName, (rows) => rows.get(id) as never))?.item,
    all: async () => (await read<Kept<Row>[]>(rowsName, (rows) => rows.getAll() as never)).map(({ item }) => item),
    apply: async (changes, position, from) => apply(await open(), changes, { position, from }),
    clear: async () =>
      inTransaction(await open(), names, (collections) => {
        for (const collection of collections) collection.clear();
      }),
    close,
  };
}

/** A connection that is opened when it is needed, and closed when another tab deletes the database. */
function makeConnection(name: string) {
  let opened: Promise<Database> | undefined;
  const forget = (): void => void (opened = undefined);
  const open = (): Promise<Database> => {
    opened ??= openDatabase(name, (database) => {
      database.createObjectStore(rowsName).createIndex('walk', 'walk');
      database.createObjectStore(stateName);
    }).then(
      (database) => {
        database.onclose = forget;
        database.onversionchange = () => {
          database.close();
          forget();
        };
        return database;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return opened;
  };
  const close = async (): Promise<void> => {
    const closing = opened;
    forget();
    (await closing)?.close();
  };
  return { open, close };
}

/** Applies changes if the store still has the position `from`. */
async function apply<Row, Id extends string | number>(
  database: Database,
  changes: readonly SyncChange<Row, Id>[],
  { position, from }: { readonly position: string; readonly from: string | undefined },
): Promise<boolean> {
  let isApplied = false;
  await inTransaction(database, names, ([rows, states]) => {
    if (rows === undefined || states === undefined) return;
    const reading = states.get(stateKey);
    reading.onsuccess = () => {
      const state = reading.result as State | undefined;
      if (state?.position !== from) return;
      const walk = applyTo(rows, changes, state?.walk ?? 0);
      states.put({ position, walk } satisfies State, stateKey);
      isApplied = true;
    };
  });
  return isApplied;
}

/** @returns the number of the walk, which a mark has begun */
function applyTo<Row, Id extends string | number>(
  rows: Collection,
  changes: readonly SyncChange<Row, Id>[],
  before: number,
): number {
  let walk = before;
  for (const change of changes) {
    if (change.event === 'mark') walk += 1;
    else if (change.event === 'sweep') sweep(rows, walk);
    else if (change.event === 'del') rows.delete(change.id);
    else rows.put({ walk, item: change.item } satisfies Kept<Row>, change.id);
  }
  return walk;
}

function sweep(rows: Collection, walk: number): void {
  const reading = rows.index('walk').getAllKeys(needIndexedDb().IDBKeyRange.upperBound(walk, true));
  reading.onsuccess = () => {
    for (const key of reading.result) rows.delete(key);
  };
}
