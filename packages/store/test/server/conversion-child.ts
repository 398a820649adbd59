/** A process that converts a data folder of format 1 and kills itself before its n-th statement. */
import Database from 'libsql';
import { convert } from '../../src/engine/conversion.ts';
import { defaultLimits } from '../../src/engine/limits.ts';

const [dir = '', point] = process.argv.slice(2);
let left = Number(point);

function connect(path: string): Database.Database {
  const database = new Database(path);
  const exec = database.exec.bind(database);
  database.exec = (sql: string) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return exec(sql);
  };
  return database;
}

const silent = { onWarning: () => undefined, onFatal: () => undefined };
await convert(dir, { ...defaultLimits, dirtyBytes: 20_000 }, silent, connect);
