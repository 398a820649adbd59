/** Reads of a transaction. Its session sends one command at a time, and a read may consist of several. */
import { Sequence } from '../async/sequence.ts';
import type { ClientSession } from '../models/mongoose.ts';

const sequences = new WeakMap<ClientSession, Sequence>();

/** Runs a read; in a transaction after those before it. @param session undefined outside of a transaction */
export function inSession<T>(session: ClientSession | undefined, read: () => Promise<T>): Promise<T> {
  if (session === undefined) return read();
  const sequence = sequences.get(session) ?? new Sequence();
  sequences.set(session, sequence);
  return sequence.run(read);
}

/** The option of the driver. */
export const sessionOption = (session: ClientSession | undefined): { readonly session?: ClientSession } =>
  session === undefined ? {} : { session };
