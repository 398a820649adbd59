/**
 * The unit of work: `commit` writes the mutations of plans, and their changes are published when the database has stored them permanently,
 * never of what was rolled back.
 */
import type { KeyedMutex } from '../async/keyed-mutex.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { BulkOutcome, Mutation, Outcomes, Recorder, UnitOfWork, WriteEffects } from './contract.ts';
import { faultIndex, joinedOutcome, nothingDone, type State } from './mutation/bulk-outcome.ts';
import { type Done, execute, type Of, type Outcome } from './mutation/execute.ts';
import { executeAll } from './mutation/execute-all.ts';
import { isReaction, recordersOf, wantedBy } from './mutation/images.ts';
import { isRefusedByReaction, react, reactBesideOthers } from './mutation/reactions.ts';
import { writeEntries } from './mutation/record.ts';
import { repeatable } from './mutation/repeatable.ts';
import { SharedTransactions, writtenDocument } from './mutation/shared-transactions.ts';
import type { Writer } from './mutation/writer.ts';
import { publish, transaction } from './transaction.ts';
import { atomically } from './unit.ts';

export { sessionOf } from './mutation/images.ts';

/**
 * Writes one mutation, by one command, in the writer's unit of work where there is one. A mutation that a recorder needs has a unit of
 * its own otherwise, so that it is written together with its entries.
 * @throws the errors of Mongoose and the driver, unchanged
 */
export async function commit<M extends Mutation>(writer: Writer, mutation: M): Promise<Outcomes[M['kind']]> {
  const recorders = recordersFor(writer, mutation);
  if (writer.unit !== undefined || recorders.length === 0) return write(writer, mutation, recorders);
  if (mutation.kind === 'bulk') return (await bulkUnit(writer, mutation, recorders)) as Outcomes[M['kind']];
  const document = writtenDocument(mutation, recorders);
  const one = { writer, mutation, recorders };
  const outcome = document === undefined ? writeAlone(one) : shared.write(writer.services.inTransaction, document, one);
  return (await outcome) as Outcomes[M['kind']];
}

/**
 * Runs work around the commit of a mutation, such as its middleware, in the unit of work that the mutation has.
 * @param work may run several times @throws what the work throws
 */
export function inUnitOf<T>(writer: Writer, mutation: Mutation, work: (inner: Writer) => Promise<T>): Promise<T> {
  const recorders = recordersFor(writer, mutation);
  if (recorders.length === 0 || writer.unit !== undefined) return work(writer);
  const document = writtenDocument(mutation, recorders);
  const run = (): Promise<T> => inOwnUnit(writer, recorders, work);
  return document === undefined ? run() : shared.oneByOne(writer.services.inTransaction, document.key, run);
}

/** The recorders that need a mutation. */
function recordersFor({ services, skipsReactions }: Writer, mutation: Mutation): readonly Recorder[] {
  if (isHidden(mutation)) return [];
  return recordersOf(services.recorders, mutation.model).filter(
    (one) => one.needs(mutation) && !(skipsReactions === true && isReaction(one)),
  );
}

/** Whether a mutation, of an internal field, changes nothing that is published or recorded. */
const isHidden = (mutation: Mutation): boolean => mutation.kind === 'update' && mutation.event === undefined;

/** A transaction keeps nothing of a bulk write that fails, so the commands before the fault are written once more, without it. */
async function bulkUnit(writer: Writer, bulk: Of<'bulk'>, recorders: readonly Recorder[]): Promise<BulkOutcome> {
  const { commands } = bulk;
  const writeSome = (some: typeof commands): Promise<BulkOutcome> =>
    bulkUnit(writer, { ...bulk, commands: some }, recorders);
  try {
    return await inOwnUnit(writer, recorders, (inner) => commit(inner, bulk));
  } catch (error) {
    const done = faultIndex(error) ?? (commands.length === 1 && isRefusedByReaction(error) ? 0 : undefined);
    if (done === 0) return { ...nothingDone, error: error as Error };
    if (done !== undefined) return { error: error as Error, ...(await writeSome(commands.slice(0, done))) };
    if (!isRefusedByReaction(error)) throw error;
  }
  // which command was refused shows when they are written in smaller parts
  const half = Math.ceil(commands.length / 2);
  const first = await writeSome(commands.slice(0, half));
  return first.error === undefined ? joinedOutcome(first, await writeSome(commands.slice(half))) : first;
}

/** A mutation with the recorders that need it. */
interface Recorded {
  readonly writer: Writer;
  readonly mutation: Mutation;
  readonly recorders: readonly Recorder[];
}

/** Writes one mutation in a transaction of its own. */
function writeAlone({ writer, mutation, recorders }: Recorded): Promise<Outcome> {
  const attempt = repeatable(mutation);
  return inOwnUnit(writer, recorders, (inner) => write(inner, attempt(), recorders));
}

/** Reactions write documents that those to other writes write too, so that units with them run one at a time after a conflict. */
function inOwnUnit<T>(
  writer: Writer,
  recorders: readonly Recorder[],
  work: (inner: Writer & { readonly unit: UnitOfWork }) => Promise<T>,
): Promise<T> {
  const { cause } = writer;
  if (!hasMutex(writer) || !recorders.some(isReaction)) return transaction(writer, work);
  return atomically({ ...writer, signal: cause?.signal ?? new AbortController().signal }, work);
}

const hasMutex = (writer: Writer): writer is Writer & { readonly services: { readonly keyedMutex: KeyedMutex } } =>
  writer.services.keyedMutex !== undefined;

async function write<M extends Mutation>(
  writer: Writer,
  mutation: M,
  recorders: readonly Recorder[],
): Promise<Outcomes[M['kind']]> {
  const { unit, services } = writer;
  const { undo } = mutation;
  const effects: WriteEffects = { changes: [] };
  // a failed command may have written some of its documents
  if (undo !== undefined) effects.undo = () => execute(writer, undo, 'none');
  unit?.effects.push(effects);
  const done = await execute(writer, mutation, wantedBy(recorders, mutation));
  Object.assign(effects, effectsOf({ writer, mutation, recorders }, done));
  if (unit === undefined) publish(services, [effects]);
  else await react({ ...writer, unit }, mutation, effects);
  return done.outcome as Outcomes[M['kind']];
}

const effectsOf = (
  { writer, mutation, recorders }: Recorded,
  { states, invalidates }: Pick<Done<unknown>, 'states' | 'invalidates'>,
): WriteEffects => ({
  changes: states.map((state) => changeOf(writer, mutation.model, state)),
  ...(recorders.length > 0 && {
    recordings: recorders.map((recorder) => ({ recorder, entries: recorder.entriesOf(mutation, states, writer) })),
  }),
  ...(invalidates === true && { invalidated: mutation.model }),
});

const changeOf = ({ user, silent }: Writer, model: ModelEntry, { event, before, after, joined }: State): Change => {
  const id = String((after ?? before)?.['_id']);
  return { event, model, id, before, after, joined, user, silent };
};

/** What a mutation has done in a transaction that is not committed yet. */
interface Written {
  readonly outcome: Outcome;
  readonly effects: readonly WriteEffects[];
}

/** An update or a deletion that has found no document has written nothing. */
const wroteSome = (outcome: Outcome): boolean => outcome !== null;

const shared = new SharedTransactions<Recorded, Written, Outcome>({
  alone: writeAlone,
  inTime: ({ writer: { progress } }, write) => (progress === undefined ? write() : progress.send(write, wroteSome)),
  async together(all, session) {
    const unit: UnitOfWork = { session, effects: [] };
    const done = await executeAll(
      all.map(({ document, one }) => {
        const { writer, mutation, recorders } = one;
        return {
          one,
          document,
          mutation,
          sender: { ...writer, unit, progress: undefined },
          wanted: wantedBy(recorders, mutation),
        };
      }),
    );
    const written: (readonly [Recorded, Written])[] = [];
    for (const [one, { outcome, ...rest }] of done) {
      const own = effectsOf(one, rest);
      const writer = { ...one.writer, unit, progress: undefined };
      written.push([one, { outcome, effects: [own, ...(await reactBesideOthers(writer, one.mutation, own))] }]);
    }
    await writeEntries(
      written.flatMap(([, { effects }]) => effects),
      session,
    );
    return written;
  },
  committed({ writer: { services } }, { outcome, effects }) {
    publish(services, effects);
    return outcome;
  },
});
