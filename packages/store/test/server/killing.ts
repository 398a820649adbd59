/** Kills this process at a named moment: at the commit of a transaction with a certain statement. */
import Database from 'libsql';
import type { Connect } from '../../src/storage/schema.ts';

/** A commit of the data file: the first one whose transaction has the statement. */
export interface KillPoint {
  /** A part of a statement that the transaction contains. */
  readonly at: string;
  readonly when: 'before' | 'after';
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
export function killingAt({ at, when, ofState }: KillPoint): Killing {
  let isArmed = false;
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
      const kills = sql === 'COMMIT' && isMeant && isArmed;
      if (sql === 'COMMIT') isMeant = false;
      if (kills && when === 'before') die();
      const result = exec(sql);
      if (kills) die();
      return result;
    };
    return database;
  };
  return {
    connect,
    arm: () => {
      isArmed = true;
    },
  };
}
