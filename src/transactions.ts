/** Runs work in a transaction where the database has them. */
import type { ClientSession, Connection } from 'mongoose';
import type { Services } from './services.ts';

/** Whether the database is a member of a replica set or the router of a sharded cluster, and so has transactions. */
export async function detectReplicaSet(connection: Connection): Promise<boolean> {
  const hello = (await connection.db?.admin().command({ hello: 1 })) as
    { setName?: unknown; msg?: unknown } | undefined;
  return hello?.setName !== undefined || hello?.msg === 'isdbgrid';
}

/**
 * @param isReplicaSet false runs the work without a session
 * @param limit maximum milliseconds until the commit; the driver would otherwise retry for two minutes
 */
export function transactionRunner(
  connection: Connection,
  isReplicaSet: boolean,
  limit: number,
): Services['inTransaction'] {
  return async <T>(work: (session: ClientSession | undefined) => Promise<T>): Promise<T> => {
    if (!isReplicaSet) return work(undefined);
    const session = await connection.startSession();
    try {
      return await session.withTransaction(() => work(session), { timeoutMS: limit });
    } finally {
      await session.endSession();
    }
  };
}
