/** Where reads take place. Those of a transaction take turns: its session sends one command at a time, and a read may consist of several. */
import { Sequence } from '../async/sequence.ts';
import type { ReadPreference } from '../models/connect.ts';
import type { ClientSession } from '../models/mongoose.ts';

const sequences = new WeakMap<ClientSession, Sequence>();

/** Runs a read; in a transaction after those before it. @param session undefined outside of a transaction */
export function inSession<T>(session: ClientSession | undefined, read: () => Promise<T>): Promise<T> {
  if (session === undefined) return read();
  const sequence = sequences.get(session) ?? new Sequence();
  sequences.set(session, sequence);
  return sequence.run(read);
}

/** What a read sees, and who answers it. */
export interface Place {
  /** The session of the transaction that the read belongs to. */
  readonly session: ClientSession | undefined;
  /** The members of the database that may answer; undefined for the primary. */
  readonly from?: ReadPreference | undefined;
}

/** The options of the driver. */
export const placeOptions = ({
  session,
  from,
}: Place): { readonly session?: ClientSession; readonly readPreference?: ReadPreference } =>
  session !== undefined ? { session } : from === undefined ? {} : { readPreference: from };
