/** What a list of mutations is and does: the commands that make it, its counts, and the states of its documents. Pure. */
import { type Collection, mongo, ObjectId, type Row, sameRow } from '../../models/mongoose.ts';
import type { Images, ListedMutation, ListOutcome, State } from '../contract.ts';

/** An operation of the driver's bulk write. */
export type BulkCommand = Parameters<Collection['bulkWrite']>[0][number];

/** The command of a mutation. */
export function commandOf(mutation: ListedMutation): BulkCommand {
  if (mutation.kind === 'insert') {
    const { rows, unless } = mutation;
    const [document = {}] = rows;
    if (unless === undefined) return { insertOne: { document } };
    // wrapped in an alternative, the filter's values do not become fields of the new document
    const filter = { $or: [unless, { _id: new ObjectId() }] };
    return { updateOne: { filter, update: { $setOnInsert: document }, upsert: true } };
  }
  const { filter } = mutation;
  if (mutation.kind === 'remove')
    return mutation.many === undefined ? { deleteOne: { filter } } : { deleteMany: { filter } };
  if ('row' in mutation) {
    const { row: replacement, upserts: upsert } = mutation;
    return { replaceOne: { filter, replacement, ...(upsert && { upsert }) } };
  }
  const update = mutation.update as Row;
  return mutation.many === undefined ? { updateOne: { filter, update } } : { updateMany: { filter, update } };
}

export const emptyOutcome: ListOutcome = { done: 0, made: new Map(), matched: 0, modified: 0 };

/** The position of the mutation that a list failed at; undefined for another error. */
export const faultIndex = (error: unknown): number | undefined =>
  error instanceof mongo.MongoBulkWriteError ? [error.writeErrors].flat()[0]?.index : undefined;

/** The parts of the driver's result that count. */
interface BulkResult {
  readonly upsertedIds: Readonly<Record<number, unknown>>;
  readonly matchedCount: number;
  readonly deletedCount: number;
  readonly modifiedCount: number;
}

export function listOutcome(mutations: readonly ListedMutation[], result: BulkResult, done: number): ListOutcome {
  const made = new Map<number, unknown>();
  let idle = 0;
  for (const [at, mutation] of mutations.slice(0, done).entries()) {
    const isInsertion = mutation.kind === 'insert';
    const id: unknown =
      isInsertion && mutation.unless === undefined ? mutation.rows[0]?.['_id'] : result.upsertedIds[at];
    if (id !== undefined) made.set(at, id);
    // the document that prevents an insertion counts as matched
    else if (isInsertion) idle += 1;
  }
  const matched = result.matchedCount - idle + result.deletedCount;
  return { done, made, matched, modified: result.modifiedCount };
}

/** The outcome of mutations whose first ones all succeeded, and of those after them. */
export function joinedOutcome(first: ListOutcome, second: ListOutcome): ListOutcome {
  const made = new Map([...first.made, ...[...second.made].map(([at, id]) => [at + first.done, id] as const)]);
  const sum = (name: 'done' | 'matched' | 'modified'): number => first[name] + second[name];
  return { ...second, made, done: sum('done'), matched: sum('matched'), modified: sum('modified') };
}

/** The states of documents that mutations have made. */
export const statesOfMade = (mutations: readonly ListedMutation[], { made }: ListOutcome): readonly State[] =>
  [...made].map(([at, _id]) => {
    const mutation = mutations[at];
    const row = mutation?.kind === 'insert' ? mutation.rows[0] : mutation && 'row' in mutation ? mutation.row : {};
    return { kind: 'insert', event: 'post', after: { ...row, _id } };
  });

export const byId = (rows: readonly Row[]): Images => new Map(rows.map((row) => [String(row['_id']), row]));

const isDeleted = (row: Row): boolean => row['_deleted'] === true;

/** Joins the changes of several mutations to one document. Each of them increments its revision, or replaces the document. */
export function stateOf(before: Row | undefined, after: Row | undefined): State[] {
  const joined = true;
  if (after === undefined) return before === undefined ? [] : [{ kind: 'remove', event: 'del', before, joined }];
  if (before === undefined) return [{ kind: 'insert', event: 'post', after, joined }];
  if (before['__v'] === after['__v'] && sameRow(before, after)) return [];
  const event = isDeleted(after) ? (isDeleted(before) ? 'put' : 'del') : isDeleted(before) ? 'post' : 'put';
  return [{ kind: 'change', event, before, after, joined }];
}
