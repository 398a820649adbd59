/** Writes a batch of records: creates the documents that do not exist, and changes or replaces the others. */
import type { ModelActor } from '../../context.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import type { Images } from '../../write/contract.ts';
import { isRecorded } from '../../write/mutation/images.ts';
import { byId } from '../../write/mutation/mutation-list.ts';
import { performNext } from '../../write/perform.ts';
import type { UniqueIndex } from '../../write/rules/unique-index.ts';
import { planRecord, type RecordMutation } from './record.ts';
import { type Reason, reasonOf } from './refusal.ts';
import type { ImportMode } from './values.ts';

/** A record that has been read. */
export interface Item {
  readonly line: number;
  readonly given: Row;
  /** The values by which its document is found: those of `on`, or its id. */
  readonly key: Row;
}

export interface RefusedLine extends Reason {
  readonly line: number;
}

/** What holds for all batches of a file. */
export interface Batches extends ImportMode {
  readonly actor: ModelActor;
  /** The index that finds existing documents; undefined for ids. */
  readonly index: UniqueIndex | undefined;
  /** Writes nothing that comes after a refused record. */
  readonly isStrict: boolean;
  readonly skipsReactions: boolean;
}

/** A record, and how it is written. */
interface PlannedRecord {
  readonly item: Item;
  readonly mutation: RecordMutation;
}

/** Documents that are created at the same time: as many as there may be threads that hash passwords. */
const maxAtOnce = 4;

/**
 * @param items with different keys, in the order of the file
 * @returns the records that were refused; all others are stored, with `isStrict` only those before the first refused one
 */
export async function writeBatch(batches: Batches, items: readonly Item[]): Promise<RefusedLine[]> {
  const refused: RefusedLine[] = [];
  const stored = await storedDocuments(batches, items);
  const planned: PlannedRecord[] = [];
  for (let at = 0; at < items.length; at += maxAtOnce) {
    const made = items.slice(at, at + maxAtOnce).map(async (item, offset) => {
      try {
        const record = { given: item.given, mode: batches, stored: stored[at + offset] };
        const mutation = await planRecord(batches.actor, record);
        return mutation === undefined ? [] : [{ item, mutation }];
      } catch (error) {
        refused.push({ line: item.line, ...reasonOf(error) });
        return [];
      }
    });
    planned.push(...(await Promise.all(made)).flat());
  }
  const first = batches.isStrict ? Math.min(...refused.map(({ line }) => line)) : Infinity;
  const sent = planned.filter(({ item }) => item.line < first);
  refused.push(...(await send(batches, sent, imagesOf(batches, stored))));
  return refused;
}

/** The documents that exist, by the positions of their records. */
async function storedDocuments(batches: Batches, items: readonly Item[]): Promise<readonly (Row | undefined)[]> {
  const { actor, index, isExact, isRaw } = batches;
  const { collection } = modelOf(actor.model);
  if (index === undefined) {
    // documents that are replaced need not be read, except for what is recorded of them
    if ((isExact || isRaw) && !needsImages(actor)) return [];
    const ids = items.map(({ key }) => key['_id']);
    const found = byId(
      await collection.find<Row>({ _id: { $in: ids } } as Filter, { batchSize: ids.length + 1 }).toArray(),
    );
    return ids.map((id) => found.get(String(id)));
  }
  const options = index.collation === undefined ? {} : { collation: index.collation as { locale: string } };
  return Promise.all(items.map(async ({ key }) => (await collection.findOne<Row>(key, options)) ?? undefined));
}

/** Whether what is recorded of a bulk write needs its documents: the audit log those of users. */
const needsImages = ({ model, services }: ModelActor): boolean => model.name === 'user' || isRecorded(services, model);

/** The documents that a bulk write may change, where they are recorded. */
const imagesOf = ({ actor }: Batches, stored: readonly (Row | undefined)[]): Images | undefined =>
  needsImages(actor) ? byId(stored.filter((row) => row !== undefined)) : undefined;

/** Writes records in order. One that the database or a rule refuses is left out. */
async function send(
  { actor, isStrict, skipsReactions }: Batches,
  records: readonly PlannedRecord[],
  before: Images | undefined,
): Promise<RefusedLine[]> {
  const refused: RefusedLine[] = [];
  const { model } = actor;
  const mutations = records.map(({ mutation }) => mutation);
  for (let at = 0; at < records.length;) {
    const left = { model, mutations: mutations.slice(at), before };
    const { done, error } = await performNext(actor, { silent: false, skipsReactions }, left);
    at += done;
    const failed = records[at];
    if (error === undefined || failed === undefined) continue;
    refused.push({ line: failed.item.line, ...reasonOf(error) });
    if (isStrict) break;
    at += 1;
  }
  return refused;
}
