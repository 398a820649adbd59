/** The part of IndexedDB (W3C Indexed Database API 3.0) that is used, with promises. */

interface Request<Value> {
  readonly result: Value;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface OpenRequest extends Request<Database> {
  onupgradeneeded: (() => void) | null;
}

export interface Collection {
  get(key: string | number): Request<unknown>;
  getAll(): Request<unknown[]>;
  put(value: unknown, key: string | number): unknown;
  delete(key: string | number): unknown;
  clear(): unknown;
  createIndex(name: string, path: string): unknown;
  index(name: string): { getAllKeys(range: unknown): Request<(string | number)[]> };
}

interface Transaction {
  objectStore(name: string): Collection;
  abort(): void;
  readonly error: Error | null;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}

export interface Database {
  createObjectStore(name: string): Collection;
  transaction(names: readonly string[], mode: 'readonly' | 'readwrite'): Transaction;
  close(): void;
  onversionchange: (() => void) | null;
  onclose: (() => void) | null;
}

interface Platform {
  readonly indexedDB?: { open(name: string, version: number): OpenRequest };
  readonly IDBKeyRange?: { upperBound(key: number, isOpen: boolean): unknown };
}

const platform = globalThis as Platform;

/** @throws TypeError where the platform has no IndexedDB */
export function needIndexedDb(): Required<Platform> {
  const { indexedDB, IDBKeyRange } = platform;
  if (indexedDB === undefined || IDBKeyRange === undefined) throw new TypeError('there is no IndexedDB here');
  return { indexedDB, IDBKeyRange };
}

/** The result of a request. @throws its error */
export const resultOf = <Value>(request: Request<Value>): Promise<Value> =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error('IndexedDB has failed'));
  });

export function openDatabase(name: string, upgrade: (database: Database) => void): Promise<Database> {
  const request = needIndexedDb().indexedDB.open(name, 1);
  request.onupgradeneeded = () => upgrade(request.result);
  return resultOf(request);
}

/**
 * Runs work in one transaction. The work makes its requests at once or in callbacks of its requests, where the transaction is active.
 * @throws the error that has aborted it, after which nothing is written
 */
export function inTransaction(
  database: Database,
  names: readonly string[],
  work: (collections: readonly Collection[]) => void,
): Promise<void> {
  return new Promise((done, failed) => {
    const transaction = database.transaction(names, 'readwrite');
    transaction.oncomplete = () => done();
    transaction.onabort = () => failed(transaction.error ?? new Error('the transaction was aborted'));
    try {
      work(names.map((name) => transaction.objectStore(name)));
    } catch (error) {
      transaction.abort();
      failed(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
