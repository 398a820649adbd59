/**
 * Performs what the makers of intents have planned, and presents it. Nothing else that writes for a request commits
 * (test/architecture/plans.test.ts).
 */
import { turnForLarge } from '../async/yield.ts';
import type { Actor } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Row } from '../models/mongoose.ts';
import type { Policy } from '../policy/policy.ts';
import { present } from '../policy/present.ts';
import type { ShapedJson } from '../policy/shaped.ts';
import { commit, commitAll, inUnitOf, writerOf } from './commit.ts';
import type { Change, Images, ListedMutation, ListOutcome, Mutation, MutationList, Save } from './contract.ts';
import type { WriteIntent } from './intents.ts';
import type { Writer } from './mutation/writer.ts';
import { isLarge } from './rules/size.ts';

/** Performs one mutation. @returns and @throws as `commit` */
export function perform(actor: Actor, intent: WriteIntent, mutation: Save): Promise<Row>;
export function perform(actor: Actor, intent: WriteIntent, mutation: Mutation): Promise<Row | null>;
export function perform(actor: Actor, intent: WriteIntent, mutation: Mutation): Promise<Row | null> {
  return commit(writerOf(actor, intent), mutation);
}

/** Performs a list of mutations by one command. @returns and @throws as `commitAll` */
export const performAll = (actor: Actor, intent: WriteIntent, list: MutationList): Promise<ListOutcome> =>
  commitAll(writerOf(actor, intent), list);

/**
 * Performs a change within code of the project that runs around it, such as the middleware of a query.
 * @param within `runsCode` says whether there is such code: it has the unit of work that the change has
 * @param around calls `send` with the filter and the update to send; it may run several times @throws what `around` throws, and as `commit`
 */
export function performWithin(
  { actor, intent, mutation, runsCode }: ChangeWithin,
  around: (
    writer: Writer,
    send: (one: Pick<Change, 'filter' | 'update'>) => Promise<Row | null>,
  ) => Promise<Row | null>,
): Promise<Row | null> {
  const run = (writer: Writer): Promise<Row | null> => around(writer, (one) => commit(writer, { ...mutation, ...one }));
  const writer = writerOf(actor, intent);
  return runsCode ? inUnitOf(writer, mutation, run) : run(writer);
}

interface ChangeWithin {
  readonly actor: Actor;
  readonly intent: WriteIntent;
  readonly mutation: Change;
  readonly runsCode: boolean;
}

/** Mutations of a model, of which those that save a document cannot be sent together. */
interface OrderedMutations {
  readonly model: ModelEntry;
  readonly mutations: readonly (ListedMutation | Save)[];
  /** As for a `MutationList`. */
  readonly before: Images | undefined;
}

/**
 * Performs the first of several mutations: one that saves a document, otherwise by one command all before one that does.
 * @returns how many are done, and the error of the next one
 */
export async function performNext(
  actor: Actor,
  intent: WriteIntent,
  { model, mutations, before }: OrderedMutations,
): Promise<Pick<ListOutcome, 'done' | 'error'>> {
  const [first] = mutations;
  if (first !== undefined && isSave(first))
    return perform(actor, intent, first).then(
      () => ({ done: 1 }),
      (error: Error) => ({ done: 0, error }),
    );
  const firstSave = mutations.findIndex(isSave);
  const together = mutations.slice(0, firstSave === -1 ? undefined : firstSave) as readonly ListedMutation[];
  return performAll(actor, intent, { model, mutations: together, before });
}

const isSave = (mutation: ListedMutation | Save): mutation is Save => 'document' in mutation;

/** The answer of a write of one document. */
export interface WriteAnswer {
  readonly id: string;
  /** Undefined where the caller may not read the document. */
  readonly data: ShapedJson | undefined;
  /** Immutable paths that the change names with other values, and that stay as they are. */
  readonly ignored?: readonly string[];
}

/** A turn before a large document is presented: those that share a command are stored at once. */
export const turnBeforePresenting = (row: Row): Promise<void> | undefined => turnForLarge(isLarge(row));

export const writeAnswer = (policy: Policy, row: Row): WriteAnswer => ({
  id: String(row['_id']),
  data: policy.admits('r', row) ? present(policy, row) : undefined,
});
