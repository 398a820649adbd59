/** What a bulk write has done: its counts, and the changes of its documents. Pure. */
import { mongo, type Row, sameRow } from '../../models/mongoose.ts';
import type { Change } from '../../realtime/changes/contract.ts';
import type { BulkCommand, BulkOutcome, Images } from '../contract.ts';

/** The parts of a change that its command provides. */
export type State = Pick<Change, 'event' | 'before' | 'after' | 'joined'>;

export const nothingDone: BulkOutcome = { done: 0, made: new Map(), matched: 0, modified: 0 };

/** The position of the command that a bulk write failed at; undefined for another error. */
export const faultIndex = (error: unknown): number | undefined =>
  error instanceof mongo.MongoBulkWriteError ? [error.writeErrors].flat()[0]?.index : undefined;

/** The parts of the driver's result that count. */
interface BulkResult {
  readonly upsertedIds: Readonly<Record<number, unknown>>;
  readonly matchedCount: number;
  readonly deletedCount: number;
  readonly modifiedCount: number;
}

export function bulkOutcome(commands: readonly BulkCommand[], result: BulkResult, done: number): BulkOutcome {
  const made = new Map<number, unknown>();
  let idle = 0;
  for (const [at, command] of commands.slice(0, done).entries()) {
    const id: unknown = 'insertOne' in command ? command.insertOne.document['_id'] : result.upsertedIds[at];
    if (id !== undefined) made.set(at, id);
    // an upsert counts as matched if the document existed
    else if ('updateOne' in command && command.updateOne.upsert === true) idle += 1;
  }
  const matched = result.matchedCount - idle + result.deletedCount;
  return { done, made, matched, modified: result.modifiedCount };
}

/** The outcome of commands whose first ones all succeeded, and of those after them. */
export function joinedOutcome(first: BulkOutcome, second: BulkOutcome): BulkOutcome {
  const made = new Map([...first.made, ...[...second.made].map(([at, id]) => [at + first.done, id] as const)]);
  const sum = (name: 'done' | 'matched' | 'modified'): number => first[name] + second[name];
  return { ...second, made, done: sum('done'), matched: sum('matched'), modified: sum('modified') };
}

/** The document that a command creates: by an insert, or by an update with `$setOnInsert` only. */
export function madeBy(command: BulkCommand | undefined): Row {
  if (command === undefined) return {};
  if ('insertOne' in command) return command.insertOne.document;
  return 'updateOne' in command ? ((command.updateOne.update as Row)['$setOnInsert'] as Row) : {};
}

export const byId = (rows: readonly Row[]): Images => new Map(rows.map((row) => [String(row['_id']), row]));

const isDeleted = (row: Row): boolean => row['_deleted'] === true;

/** Joins the changes of several commands to one document. Each of them increments its revision, or replaces the document. */
export function stateOf(before: Row | undefined, after: Row | undefined): State[] {
  const joined = true;
  if (after === undefined) return before === undefined ? [] : [{ event: 'del', before, joined }];
  if (before === undefined) return [{ event: 'post', after, joined }];
  if (before['__v'] === after['__v'] && sameRow(before, after)) return [];
  const event = isDeleted(after) ? (isDeleted(before) ? 'put' : 'del') : isDeleted(before) ? 'post' : 'put';
  return [{ event, before, after, joined }];
}
