/** Changes, with the event that records them: both or neither. */
import type { ClientSession, Row } from '../../models/mongoose.ts';
import { accountRecorder } from '../../ports/core.ts';
import type { Services } from '../../services.ts';
import { commit } from '../../write/commit.ts';
import type { Mutation } from '../../write/contract.ts';
import type { Writer } from '../../write/mutation/writer.ts';
import { transaction } from '../../write/transaction.ts';
import type { Actor } from '../contract.ts';
import type { AccountEvent } from './contract.ts';

interface RecordedBy extends Pick<Writer, 'unit'> {
  readonly services: Writer['services'] & Pick<Services, 'of'>;
}

interface Event extends Pick<AccountEvent, 'what' | 'whom' | 'model'> {
  readonly by: Actor;
}

/**
 * @param work returns undefined or false where it has changed nothing, which is not recorded
 * @throws 503, and what `work` throws
 */
export const recordEvent = <T>(
  { services, unit: outer }: RecordedBy,
  { by: { user: who, progress, ...origin }, ...event }: Event,
  work: (session: ClientSession | undefined) => Promise<T>,
): Promise<T> =>
  transaction({ services, unit: outer, progress }, async ({ unit }) => {
    const change = (): Promise<T> => work(unit.session);
    // without a transaction, what is sent cannot be recalled
    const done = await (unit.session === undefined && progress !== undefined
      ? progress.send(change, hasChanged)
      : change());
    if (hasChanged(done)) services.of(accountRecorder).record(unit, { ...event, who, ...origin });
    return done;
  });

/**
 * Commits a mutation of an own model, with the event that records it.
 * @returns the document, as `commit` does; null where nothing matched, which is not recorded @throws 503, and the driver's errors
 */
export const commitWithEvent = (
  services: RecordedBy['services'],
  { by, ...event }: Event,
  mutation: Mutation,
): Promise<Row | null> => {
  const { user: who, progress, ...origin } = by;
  return transaction({ services, unit: undefined, progress }, async ({ unit }) => {
    const row = await commit({ services, unit, progress, user: who, origin, silent: false }, mutation);
    if (row !== null) services.of(accountRecorder).record(unit, { ...event, who, ...origin });
    return row;
  });
};

const hasChanged = (done: unknown): boolean => done !== undefined && done !== false;
