/**
 * Keeps the server's connection open: code of model files reaches it, and the driver's client, in many ways (`mongoose.connection.getClient()`, `db` of a
 * model, `client` of a session), and would end the server's work by closing them.
 */
import type { Connection } from 'mongoose';
import { callBack } from './author/left-out-calls.ts';

/**
 * Makes the functions that close an open connection and its client do nothing but call back, until `closeConnection()`.
 * @param note receives the call, such as `MongoClient.close()`
 */
export function keepOpen(connection: Connection, note: (call: string) => void): void {
  const leaveOut = (call: string) => ({
    configurable: true,
    value: async (...given: readonly unknown[]): Promise<void> => {
      note(call);
      await callBack(given, undefined);
    },
  });
  const client = clientOf(connection);
  if (client === undefined) return;
  Object.defineProperty(client, 'close', leaveOut('MongoClient.close()'));
  for (const name of closing) Object.defineProperty(connection, name, leaveOut(`Connection.${name}()`));
}

/** Closes a connection, also one that is kept open. */
export async function closeConnection(connection: Connection): Promise<void> {
  const client = clientOf(connection);
  if (client !== undefined) Reflect.deleteProperty(client, 'close');
  for (const name of closing) Reflect.deleteProperty(connection, name);
  await connection.destroy();
}

const closing = ['close', 'destroy'] as const;

/** The driver's client; none for a connection that has not been opened. */
const clientOf = (connection: Connection): object | undefined => connection.getClient();
