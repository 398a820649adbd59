/** A process that converts a data folder of format 1 and kills itself before its n-th statement, or at a named moment. */
import Database from 'libsql';
import { convert } from '../../src/engine/conversion.ts';
import { defaultLimits } from '../../src/engine/limits.ts';
import type { Connect } from '../../src/storage/schema.ts';
import { pointOf } from './kill-points.ts';
import { killingAt } from './killing.ts';

const [dir = '', point = ''] = process.argv.slice(2);

/** A connection that kills the process before its n-th statement. */
function killingBefore(statement: number): Connect {
  let left = statement;
  return (path) => {
    const database = new Database(path);
    const exec = database.exec.bind(database);
    database.exec = (sql: string) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return exec(sql);
    };
    return database;
  };
}

function killingAtPoint(): Connect {
  const { connect, arm } = killingAt(pointOf('conversion', point));
  arm();
  return connect;
}

const isNumber = /^\d+$/.test(point);
const connect = isNumber ? killingBefore(Number(point)) : killingAtPoint();
/** A number is of a statement of one of many checkpoints. */
const dirtyBytes = isNumber ? 20_000 : 200_000;
const silent = { onWarning: () => undefined, onFatal: () => undefined };
void convert(dir, { ...defaultLimits, dirtyBytes }, silent, connect);
