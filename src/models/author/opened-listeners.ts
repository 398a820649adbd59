/** Listeners of model files for the opening of the connection, which is open before the files are loaded. */
import type { Connection } from 'mongoose';

const events = ['connected', 'open'] as const;
type Listener = (...given: unknown[]) => unknown;

/** Mongoose's number for an open connection. */
const open = 1;

/**
 * Notes which listeners a connection has.
 * @returns calls those that have been added since, in the order in which Mongoose sends the events; none on a connection that is not open
 */
export function watchOpening(connection: Connection): () => void {
  const known = new Set(listenersOf(connection));
  return () => {
    if (Number(connection.readyState) !== open) return;
    for (const listener of listenersOf(connection)) if (!known.has(listener)) listener.call(connection);
  };
}

/** One that listens once removes itself when it is called. */
const listenersOf = (connection: Connection): readonly Listener[] =>
  events.flatMap((event) => connection.rawListeners(event) as Listener[]);
