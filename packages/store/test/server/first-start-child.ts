/**
 * A process that opens a data folder and kills itself before its n-th statement, or after a write. Exits with 0 if
 * there is no n-th statement.
 */
import Database from 'libsql';
import { openSqlite } from '../../src/storage/sqlite.ts';

const [dir = '', point] = process.argv.slice(2);
let left = Number(point);

const die = (): boolean => process.kill(process.pid, 'SIGKILL');

/** A connection that kills the process before the selected statement. */
function connect(path: string): Database.Database {
  const database = new Database(path);
  const exec = database.exec.bind(database);
  database.exec = (sql: string) => {
    left -= 1;
    if (left === 0) die();
    return exec(sql);
  };
  return database;
}

const storage = openSqlite(dir, connect);
if (point === 'write') {
  const bytes = new Uint8Array(5);
  storage.commit({
    changes: [{ collection: 1, sequence: 1, version: 1, bytes }],
    collections: [],
    dropped: [],
    droppedTrees: [],
    events: [],
    oldestEvent: 0,
    retries: [],
    removedRetries: [],
  });
  die();
}
storage.close();
