/** Traces the commands of a connection, by the events of the driver. */
import { traceCommand } from '../tracing.ts';
import { databaseSystem, errorTypeOf } from './database-words.ts';
import type { Connection } from './mongoose.ts';

/** The client of the connection must report its commands, which copies each command and decodes each answer once more. */
export function traceCommands(connection: Connection): void {
  const client = connection.getClient();
  /** How to end the spans of commands that have not ended, by the ids of the commands. */
  const begun = new Map<number, (error?: string) => void>();
  const end = (id: number, error?: string): void => {
    begun.get(id)?.(error);
    begun.delete(id);
  };
  client.on('commandStarted', ({ requestId, commandName: operation, databaseName: database, command }) => {
    const named: unknown = command[operation];
    const collection = typeof named === 'string' ? named : undefined;
    begun.set(requestId, traceCommand({ system: databaseSystem, database, operation, collection }));
  });
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, errorTypeOf(failure)));
}
