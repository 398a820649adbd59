/** Kills this process at a named moment: at the commit of a transaction with a certain statement, or at a call of `node:fs`. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'libsql';
import type { Connect } from '../../src/storage/schema.ts';

/** A commit of the data file, or a call that changes its folder. */
export interface KillPoint {
  /** A part of a statement that the transaction contains, or the name of a function of `node:fs`. */
  readonly at: string;
  readonly when: 'before' | 'after';
  /** Which of them; the first one if not given. */
  readonly nth?: number;
  /** For a statement whose first value is the number of a tree: whether it is the one of the store's state. */
  readonly ofState?: boolean;
}

/** A connection that kills the process once it is armed. */
export interface Killing {
  readonly connect: Connect;
  readonly arm: () => void;
}

const die = (): boolean => process.kill(process.pid, 'SIGKILL');

/** Prepares a kill. */
export function killingAt({ at, when, nth = 1, ofState }: KillPoint): Killing {
  let left = Number.POSITIVE_INFINITY;
  /** Runs the work of a point, and kills the process before or after it if it is the selected one. */
  const around = <T>(work: () => T): T => {
    left -= 1;
    if (left === 0 && when === 'before') die();
    const result = work();
    if (left === 0) die();
    return result;
  };
  const connect = (path: string): Database.Database => {
    const database = new Database(path);
    let isMeant = false;
    const prepare = database.prepare.bind(database);
    database.prepare = ((sql: string) => {
      const statement = prepare(sql);
      if (!sql.includes(at)) return statement;
      const run = statement.run.bind(statement);
      statement.run = (...given: unknown[]) => {
        const [first] = given.flat();
        if (ofState === undefined || ofState === (first === 0)) isMeant = true;
        return run(...given);
      };
      return statement;
    }) as Database.Database['prepare'];
    const exec = database.exec.bind(database);
    database.exec = (sql: string) => {
      if (sql !== 'COMMIT' || !isMeant) return exec(sql);
      isMeant = false;
      return around(() => exec(sql));
    };
    return database;
  };
  if (at === 'linkSync' || at === 'renameSync') {
    const call = fs[at].bind(fs);
    fs[at] = (from, to) => around(() => call(from, to));
    syncBuiltinESMExports();
  }
  return {
    connect,
    arm: () => {
      left = nth;
    },
  };
}
