/**
 * The unit of work: `commit` writes the mutations of plans, and their changes are published when the database has stored them permanently,
 * never of what was rolled back.
 */
import { isOutcomeUnknown } from '../models/database-errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Origin } from '../policy/principal.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { Services } from '../services.ts';
import type { BulkOutcome, Mutation, Outcomes, Recorder, UnitOfWork, WriteEffects, WriteProgress } from './contract.ts';
import { faultIndex, nothingDone, type State } from './mutation/bulk-outcome.ts';
import { type Done, execute, type Of, type Outcome } from './mutation/execute.ts';
import { executeAll } from './mutation/execute-all.ts';
import { rollBack, transientErrorIn } from './mutation/failed-unit.ts';
import { wantedBy } from './mutation/images.ts';
import { writeEntries } from './mutation/record.ts';
import { repeatable } from './mutation/repeatable.ts';
import { SharedTransactions, writtenDocument } from './mutation/shared-transactions.ts';

export { sessionOf } from './mutation/images.ts';

/** The writer of mutations: the user, the model's services and the unit of work. */
export interface Writer {
  readonly services: Pick<Services, 'bus' | 'inTransaction' | 'recorders'> & Partial<Pick<Services, 'readWatch'>>;
  /** The unit of work of the write; undefined for a single write. */
  readonly unit?: UnitOfWork | undefined;
  /** Which writes of the request have been sent; undefined for writes without a time limit. */
  readonly progress?: WriteProgress | undefined;
  /** Id of the user who writes. */
  readonly user: string | undefined;
  /** Where the request comes from; undefined for writes of the server itself. */
  readonly origin?: Origin;
  /** Subscribers are not notified; caches and sessions are. */
  readonly silent: boolean;
}

/**
 * Writes one mutation, by one command, in the writer's unit of work where there is one. A mutation that a recorder needs has a unit of
 * its own otherwise, so that it is written together with its entries.
 * @throws the errors of Mongoose and the driver, unchanged
 */
export async function commit<M extends Mutation>(writer: Writer, mutation: M): Promise<Outcomes[M['kind']]> {
  const recorders = writer.services.recorders.filter((one) => one.needs(mutation));
  if (writer.unit !== undefined || recorders.length === 0) return write(writer, mutation, recorders);
  if (mutation.kind === 'bulk') return (await bulkUnit(writer, mutation)) as Outcomes[M['kind']];
  const document = writtenDocument(mutation);
  const one = { writer, mutation, recorders };
  const outcome = document === undefined ? writeAlone(one) : shared.write(writer.services.inTransaction, document, one);
  return (await outcome) as Outcomes[M['kind']];
}

/** A transaction keeps nothing of a bulk write that fails, so the commands before the fault are written once more, without it. */
async function bulkUnit(writer: Writer, bulk: Of<'bulk'>): Promise<BulkOutcome> {
  try {
    return await transaction(writer, (inner) => commit(inner, bulk));
  } catch (error) {
    const done = faultIndex(error);
    if (done === undefined) throw error;
    const before =
      done === 0 ? nothingDone : await bulkUnit(writer, { ...bulk, commands: bulk.commands.slice(0, done) });
    return { error: error as Error, ...before };
  }
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
  return transaction(writer, (inner) => write(inner, attempt(), recorders));
}

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

/**
 * Runs work as one unit: in a transaction where the database has them, or as a part of the enclosing unit. Its changes are
 * published after the commit. Without transactions, a failure undoes the mutations that have an `undo`, and publishes the others.
 * @param work is run again when the transaction conflicts with another one
 * @param isExclusive whether no other such unit runs (`write/unit.ts`)
 * @throws what the work throws, and the driver's errors
 */
export async function transaction<C extends Pick<Writer, 'services' | 'unit' | 'progress'>, T>(
  actor: C,
  work: (inner: C & { readonly unit: UnitOfWork }) => Promise<T>,
  isExclusive = false,
): Promise<T> {
  const { services, progress, unit: outer } = actor;
  if (outer !== undefined) return work({ ...actor, unit: outer });
  let unit: UnitOfWork = { session: undefined, effects: [] };
  const committing = new Committing(progress);
  try {
    const result = await services.inTransaction(async (session) => {
      committing.again();
      unit = { session, effects: [], isExclusive };
      try {
        const result = await work({ ...actor, unit });
        await writeEntries(unit.effects, session);
        if (session !== undefined) committing.begin();
        return result;
      } catch (error) {
        throw transientErrorIn(error) ?? error;
      }
    });
    committing.end(true);
    publish(services, unit.effects);
    return result;
  } catch (error) {
    committing.end(isOutcomeUnknown(error));
    if (unit.session === undefined) await publishRemaining(services, unit.effects);
    throw error;
  }
}

/** The commits of a transaction, which may run several times. */
class Committing {
  #ended: ((remains: boolean) => void) | undefined;

  constructor(private readonly progress: WriteProgress | undefined) {}

  /** Called before the work, also after a commit that has been refused. @throws 503 when the time of the request is over */
  again(): void {
    this.end(false);
    this.progress?.check();
  }

  /** @throws 503 when the time of the request is over, so that nothing is committed */
  begin(): void {
    this.#ended = this.progress?.begin();
  }

  end(remains: boolean): void {
    this.#ended?.(remains);
    this.#ended = undefined;
  }
}

/** Without a transaction, undoes what can be undone of a failed unit, and records and publishes the rest. */
async function publishRemaining(services: Writer['services'], effects: readonly WriteEffects[]): Promise<void> {
  const remaining = await rollBack(effects);
  // the failure of the unit is the one to report
  await writeEntries(remaining, undefined).catch(() => undefined);
  publish(services, remaining);
}

function publish({ bus }: Writer['services'], effects: readonly WriteEffects[]): void {
  const changes = effects.flatMap((one) => one.changes);
  if (changes.length > 0) bus.publish(changes);
  for (const { invalidated, recordings = [] } of effects) {
    if (invalidated !== undefined) bus.invalidate(invalidated);
    for (const { recorder, entries } of recordings) if (entries.length > 0) recorder.committed?.(entries);
  }
}

const changeOf = ({ user, silent }: Writer, model: ModelEntry, { event, before, after, joined }: State): Change => {
  const id = String((after ?? before)?.['_id']);
  return { event, model, id, before, after, joined, user, silent };
};

/** What a mutation has done in a transaction that is not committed yet. */
interface Written {
  readonly outcome: Outcome;
  readonly effects: WriteEffects;
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
    const written = done.map(
      ([one, { outcome, ...rest }]) => [one, { outcome, effects: effectsOf(one, rest) }] as const,
    );
    await writeEntries(
      written.map(([, { effects }]) => effects),
      session,
    );
    return written;
  },
  committed({ writer: { services } }, { outcome, effects }) {
    publish(services, [effects]);
    return outcome;
  },
});
