/**
 * The unit of work: `commit` writes the mutations of plans, and their changes are published when the database has stored them permanently,
 * never of what was rolled back.
 */
import { makeYielder } from '../async/yield.ts';
import type { Actor } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Row } from '../models/mongoose.ts';
import { signInOf } from '../policy/principal.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { Services } from '../services.ts';
import type {
  ListedMutation,
  ListOutcome,
  Mutation,
  MutationList,
  Recorder,
  Save,
  State,
  UnitOfWork,
  WriteEffects,
} from './contract.ts';
import type { WriteIntent } from './intents.ts';
import { execute, executeList, type MutationResult, type Outcome } from './mutation/execute.ts';
import { executeAll } from './mutation/execute-all.ts';
import { type ImageNeed, isReaction, neededImages, recordersOf } from './mutation/images.ts';
import { emptyOutcome, faultIndex, joinedOutcome } from './mutation/mutation-list.ts';
import { isRefusedByReaction, react, reactBesideOthers } from './mutation/reactions.ts';
import { writeEntries } from './mutation/record.ts';
import { mutationPerAttempt } from './mutation/repeatable.ts';
import { SharedTransactions, writtenDocument } from './mutation/shared-transactions.ts';
import type { Writer } from './mutation/writer.ts';
import { publish, transaction } from './transaction.ts';
import { atomically } from './unit.ts';

export { sessionOf } from './mutation/images.ts';

/** The writer of an actor's mutations. */
export function writerOf(actor: Actor, { silent, skipsReactions }: WriteIntent): Writer {
  const { services, unit, runsAlone, progress, principal, address, requestId } = actor;
  const origin = { address, requestId, ...signInOf(principal) };
  return {
    services,
    unit,
    runsAlone,
    progress,
    user: principal.user?.id,
    origin,
    cause: actor,
    silent,
    skipsReactions,
  };
}

/**
 * Writes one mutation, by one command, in the writer's unit of work where there is one. A mutation that a recorder needs has a unit of
 * its own otherwise, so that it is written together with its entries.
 * @returns the document after it, or as the mutation wants it; null if none matched, and for several
 * @throws the errors of Mongoose and the driver, unchanged
 */
export function commit(writer: Writer, mutation: Save): Promise<Row>;
export function commit(writer: Writer, mutation: Mutation): Promise<Row | null>;
export async function commit(writer: Writer, mutation: Mutation): Promise<Row | null> {
  const recorders = recordersFor(writer, mutation.model, [mutation]);
  const one = { writer, mutation, recorders };
  if (writer.unit !== undefined || recorders.length === 0) return writeOne(one);
  const document = writtenDocument(mutation, recorders);
  return document === undefined ? writeAlone(one) : shared.write(writer.services.inTransaction, document, one);
}

/**
 * Runs work around the commit of a mutation, such as its middleware, in the unit of work that the mutation has.
 * @param work may run several times @throws what the work throws
 */
export function inUnitOf<T>(writer: Writer, mutation: Mutation, work: (inner: Writer) => Promise<T>): Promise<T> {
  const recorders = recordersFor(writer, mutation.model, [mutation]);
  if (recorders.length === 0 || writer.unit !== undefined) return work(writer);
  const document = writtenDocument(mutation, recorders);
  const run = (): Promise<T> => inOwnUnit(writer, true, work);
  return document === undefined ? run() : shared.oneByOne(writer.services.inTransaction, document.key, run);
}

/** Writes a list of mutations by one command, otherwise as `commit`. */
export async function commitAll(writer: Writer, list: MutationList): Promise<ListOutcome> {
  const recorders = recordersFor(writer, list.model, list.mutations);
  return writer.unit !== undefined || recorders.length === 0
    ? writeList(writer, list, recorders)
    : listInOwnUnit(writer, list, recorders);
}

/** The recorders that need mutations of a model. */
function recordersFor(
  { services, skipsReactions }: Writer,
  model: ModelEntry,
  mutations: readonly (Mutation | ListedMutation)[],
): readonly Recorder[] {
  return recordersOf(services.recorders, model).filter(
    (one) =>
      !(skipsReactions === true && isReaction(one)) &&
      mutations.some((mutation) => !isInternal(mutation) && one.needs(mutation)),
  );
}

/** Whether a mutation is of an internal field, and so changes nothing that is published or recorded. */
const isInternal = (mutation: Mutation | ListedMutation): boolean =>
  'event' in mutation && mutation.event === undefined;

/** A transaction keeps nothing of a list that fails, so the mutations before the fault are written once more, without it. */
async function listInOwnUnit(writer: Writer, list: MutationList, recorders: readonly Recorder[]): Promise<ListOutcome> {
  const { mutations } = list;
  const writeSome = (some: typeof mutations): Promise<ListOutcome> =>
    listInOwnUnit(writer, { ...list, mutations: some }, recorders);
  try {
    return await inOwnUnit(writer, recorders.some(isReaction), (inner) => writeList(inner, list, recorders));
  } catch (error) {
    const done = faultIndex(error) ?? (mutations.length === 1 && isRefusedByReaction(error) ? 0 : undefined);
    if (done === 0) return { ...emptyOutcome, error: error as Error };
    if (done !== undefined) return { error: error as Error, ...(await writeSome(mutations.slice(0, done))) };
    if (!isRefusedByReaction(error)) throw error;
  }
  // which of them was refused shows when they are written in smaller parts
  const half = Math.ceil(mutations.length / 2);
  const first = await writeSome(mutations.slice(0, half));
  return first.error === undefined ? joinedOutcome(first, await writeSome(mutations.slice(half))) : first;
}

/** A mutation with the recorders that need it. */
interface Recorded {
  readonly writer: Writer;
  readonly mutation: Mutation;
  readonly recorders: readonly Recorder[];
}

/** Writes one mutation in a transaction of its own. */
function writeAlone({ writer, mutation, recorders }: Recorded): Promise<Outcome> {
  const attempt = mutationPerAttempt(mutation);
  const runsCode = 'document' in mutation || recorders.some(isReaction);
  return inOwnUnit(writer, runsCode, (inner) => writeOne({ writer: inner, mutation: attempt(), recorders }));
}

const writeOne = ({ writer, mutation, recorders }: Recorded): Promise<Outcome> =>
  write({ ...mutation, writer, recorders }, (wanted) => execute(writer, mutation, wanted));

const writeList = (writer: Writer, list: MutationList, recorders: readonly Recorder[]): Promise<ListOutcome> =>
  write({ writer, recorders, model: list.model }, () => executeList(writer, list));

/**
 * Code of the project, such as a reaction, writes documents that it writes for other requests too, or the document of its own unit past that:
 * units with it run one at a time after a conflict, and only so many times.
 * @param runsCode whether the unit runs such code
 */
function inOwnUnit<T>(
  writer: Writer,
  runsCode: boolean,
  work: (inner: Writer & { readonly unit: UnitOfWork }) => Promise<T>,
): Promise<T> {
  const { cause } = writer;
  if (!runsCode || !hasMutex(writer)) return transaction(writer, work);
  return atomically({ ...writer, signal: cause?.signal ?? new AbortController().signal }, work);
}

const hasMutex = (writer: Writer): writer is Writer & { readonly services: Pick<Services, 'shares'> } =>
  writer.services.shares !== undefined;

/** What is written at once, of a model. */
interface Writing extends Pick<Mutation, 'model' | 'undo'> {
  readonly writer: Writer;
  readonly recorders: readonly Recorder[];
}

/** The sequence of each write: execution, what is recorded of it, publication or the reactions in its unit. */
async function write<T>(writing: Writing, run: (wanted: ImageNeed) => Promise<MutationResult<T>>): Promise<T> {
  const { writer, model, undo, recorders } = writing;
  const { unit, services } = writer;
  const effects: WriteEffects = { changes: [] };
  // a failed command may have written some of its documents
  if (undo !== undefined) effects.undo = () => execute(writer, undo, 'none');
  unit?.effects.push(effects);
  const done = await run(neededImages(recorders, model));
  Object.assign(effects, effectsOf(writing, done));
  if (unit === undefined) publish(services, [effects]);
  else await react({ ...writer, unit }, writing, effects);
  return done.outcome;
}

const effectsOf = (
  { writer, model, recorders }: Writing,
  { states, invalidates }: Pick<MutationResult<unknown>, 'states' | 'invalidates'>,
): WriteEffects => ({
  changes: states.map((state) => changeOf(writer, model, state)),
  ...(recorders.length > 0 && {
    recordings: recorders.map((recorder) => ({ recorder, entries: recorder.entriesOf(model, states, writer) })),
  }),
  ...(invalidates === true && { invalidated: model }),
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
          wanted: neededImages(recorders, mutation.model),
        };
      }),
    );
    const written: (readonly [Recorded, Written])[] = [];
    const yieldIfLong = makeYielder();
    for (const [one, { outcome, ...rest }] of done) {
      const own = effectsOf({ ...one, model: one.mutation.model }, rest);
      const writer = { ...one.writer, unit, progress: undefined };
      await yieldIfLong();
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
