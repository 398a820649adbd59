/** Work in a transaction where the database has them, and work of one name one after the other. */
import type { ClientSession, Connection } from 'mongoose';
import type { Services } from './services.ts';

/** Whether the database has transactions: it is a replica set's member or a router. */
export async function hasTransactions(connection: Connection): Promise<boolean> {
  const hello = (await connection.db?.admin().command({ hello: 1 })) as
    { setName?: unknown; msg?: unknown } | undefined;
  return hello?.setName !== undefined || hello?.msg === 'isdbgrid';
}

/** `supported` false runs the work plainly, without a session. */
export function transactionRunner(connection: Connection, supported: boolean): Services['inTransaction'] {
  return async <T>(work: (session: ClientSession | undefined) => Promise<T>): Promise<T> => {
    if (!supported) return work(undefined);
    const session = await connection.startSession();
    try {
      return await session.withTransaction(() => work(session));
    } finally {
      await session.endSession();
    }
  };
}

/** A queue a name: the next work begins when the one before has ended, however it ended. */
export function makeQueues(): Services['oneAtATime'] {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = begun.then(
      () => undefined,
      () => undefined,
    );
    last.set(name, ended);
    void ended.then(() => last.get(name) === ended && last.delete(name));
    return begun;
  };
}
