/** Writes a batch of records: creates the documents that do not exist, and changes or replaces the others. */
import type { ModelActor } from '../../context.ts';
import { badValue } from '../../errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { documentId } from '../../models/fields/document-id.ts';
import { idFrom } from '../../models/fields/id-types.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import { commitAll, writerOf } from '../../write/commit.ts';
import type { Images, ListedMutation } from '../../write/contract.ts';
import { isRecorded } from '../../write/mutation/images.ts';
import { byId } from '../../write/mutation/mutation-list.ts';
import type { UniqueIndex } from '../../write/rules/unique-index.ts';
import { planRecord, type Writing } from './record.ts';
import { type Reason, reasonOf } from './refusal.ts';
import type { ImportMode } from './values.ts';

/** A record that has been read. */
export interface Item {
  readonly line: number;
  readonly given: Row;
  /** The values by which its document is found: those of `on`, or its id. */
  readonly key: Row;
}

export interface Refused extends Reason {
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

type Sending = Writing & { readonly item: Item };

/** Documents that are created at the same time: as many as there may be threads that hash passwords. */
const maxAtOnce = 4;

/**
 * @param items with different keys, in the order of the file
 * @returns the records that were refused; all others are stored, with `isStrict` only those before the first refused one
 */
export async function writeBatch(batches: Batches, items: readonly Item[]): Promise<Refused[]> {
  const refused: Refused[] = [];
  const stored = await storedDocuments(batches, items);
  const sendings: Sending[] = [];
  for (let at = 0; at < items.length; at += maxAtOnce) {
    const made = items.slice(at, at + maxAtOnce).map(async (item, offset) => {
      try {
        const writing = await planRecord(batches.actor, {
          given: item.given,
          mode: batches,
          skipsReactions: batches.skipsReactions,
          stored: stored[at + offset],
        });
        return writing === undefined ? [] : [{ item, ...writing }];
      } catch (error) {
        refused.push({ line: item.line, ...reasonOf(error) });
        return [];
      }
    });
    sendings.push(...(await Promise.all(made)).flat());
  }
  const first = batches.isStrict ? Math.min(...refused.map(({ line }) => line)) : Infinity;
  const sent = sendings.filter(({ item }) => item.line < first);
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
async function send(batches: Batches, sendings: readonly Sending[], before: Images | undefined): Promise<Refused[]> {
  const refused: Refused[] = [];
  let left = sendings;
  while (left.length > 0) {
    const { done, error } = await sendSome(batches, left, before);
    const failed = left[done];
    left = left.slice(done);
    if (error === undefined || failed === undefined) continue;
    refused.push({ line: failed.item.line, ...reasonOf(error) });
    left = batches.isStrict ? [] : left.slice(1);
  }
  return refused;
}

/** Saves the first document, or sends the first commands together. @returns how many are written, and the error of the next one */
async function sendSome(
  { actor, skipsReactions }: Batches,
  sendings: readonly Sending[],
  before: Images | undefined,
): Promise<{ readonly done: number; readonly error?: unknown }> {
  const [first] = sendings;
  if (first !== undefined && 'write' in first)
    return first.write().then(
      () => ({ done: 1 }),
      (error: unknown) => ({ done: 0, error }),
    );
  const mutations: ListedMutation[] = [];
  for (const one of sendings) {
    if ('write' in one) break;
    mutations.push(one.mutation);
  }
  return commitAll(writerOf(actor, { silent: false, skipsReactions }), { model: actor.model, mutations, before });
}

/** The id by which a record is found. @throws Failure 400 for one that the model cannot have, since no request could name it */
export function idKey(model: ModelEntry, id: unknown, isRaw: boolean): Row {
  const { idType } = model;
  // what is stored as it is has the type of ids already
  const isTyped = isRaw && idType.name !== 'String';
  const read = isTyped ? idType.read(id) : idFrom(idType, id);
  if (read !== undefined) return { _id: isRaw ? read : documentId(model, '_id', read) };
  const got = (typeof id === 'string' ? JSON.stringify(id) : String(id)).slice(0, 40);
  throw badValue('_id', idType.name, `${isTyped ? idType.rawRule : idType.rule}, got ${got}`);
}
