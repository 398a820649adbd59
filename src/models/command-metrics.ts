/** Measures and traces the commands of a connection, by the events of the driver. */
import type { Metrics } from '../metrics/metrics.ts';
import { traceCommand } from '../tracing.ts';
import type { Connection } from './mongoose.ts';

/** The name of the system in the semantic conventions; the embedded store speaks MongoDB's protocol. */
const system = 'mongodb';

/** The client of the connection must report its commands. */
export function measureCommands(connection: Connection, metrics: Metrics): void {
  const client = connection.getClient();
  /** When commands began that have not ended, by their ids. */
  const begun = new Map<number, { readonly at: number; readonly end: ReturnType<typeof traceCommand> }>();
  const end = (id: number, name: string, error?: string): void => {
    const command = begun.get(id);
    begun.delete(id);
    if (command === undefined) return;
    command.end(error);
    const seconds = (performance.now() - command.at) / 1000;
    metrics.observe('db_client_operation_duration_seconds', [system, name, error ?? ''], seconds);
  };
  client.on('commandStarted', ({ requestId, commandName: operation, databaseName: database, command }) => {
    const named: unknown = command[operation];
    const collection = typeof named === 'string' ? named : undefined;
    begun.set(requestId, { at: performance.now(), end: traceCommand({ system, database, operation, collection }) });
  });
  client.on('commandSucceeded', ({ requestId, commandName }) => end(requestId, commandName));
  client.on('commandFailed', ({ requestId, commandName, failure }) => end(requestId, commandName, errorType(failure)));
}

/** The code of the database's answer, or the name of the driver's error: both are bounded. */
const errorType = (failure: Error & { readonly code?: unknown }): string =>
  typeof failure.code === 'number' ? String(failure.code) : failure.name;
