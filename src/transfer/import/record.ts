/** Plans how a record is written, as a request would write it: by a command, or by saving its document where the model has code for that. */
import type { ModelActor } from '../../context.ts';
import { badValue } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { documentId } from '../../models/fields/document-id.ts';
import { idFrom } from '../../models/fields/id-types.ts';
import { fixTimes, isModified, isNew, type modelOf, type Row, storedRow } from '../../models/mongoose.ts';
import type { ListedMutation, Save } from '../../write/contract.ts';
import { changedDocument } from '../../write/plan/changed-document.ts';
import { unsavedDocument } from '../../write/plan/new-document.ts';
import { changedFields, fieldsToChange, type ImportMode, newDocument, readValues, storedSize } from './values.ts';

/** The mutation that writes a record. */
export type RecordMutation = ListedMutation | Save;

/** Whether documents are stored as they are in the file, in place of those that exist. */
const isWhole = ({ isExact, isRaw }: ImportMode): boolean => isExact || isRaw;

/** A record that has been read. */
interface ReadRecord {
  readonly given: Row;
  readonly mode: ImportMode;
  /** The document that exists. */
  readonly stored: Row | undefined;
}

/** @returns undefined when the document is stored already as the record has it @throws Failure 400 with the faults of values */
export const planRecord = (actor: ModelActor, record: ReadRecord): Promise<RecordMutation | undefined> =>
  record.stored === undefined || isWhole(record.mode)
    ? planNewRecord(actor, record)
    : planChange(actor, record, record.stored);

/** Users are not saved: their middleware often hashes passwords, which are hashes already. */
const isSaved = ({ name, createsBySave, changesBySave }: ModelEntry, isNew: boolean): boolean =>
  name !== 'user' && (isNew ? createsBySave : changesBySave);

async function planNewRecord(actor: ModelActor, record: ReadRecord): Promise<RecordMutation> {
  const { given, mode, stored } = record;
  if (!isWhole(mode) && isSaved(actor.model, true)) {
    const document = unsavedDocument(actor, await readValues(actor, given, mode));
    return saving(actor, record, { document, event: 'post' });
  }
  const row = await newDocument(actor, given, mode);
  storedSize(row);
  if (!isWhole(mode)) return { kind: 'insert', model: actor.model, rows: [row] };
  const { _id } = stored ?? row;
  return { kind: 'change', model: actor.model, filter: { _id }, row: { ...row, _id }, upserts: true };
}

async function planChange(actor: ModelActor, record: ReadRecord, stored: Row): Promise<RecordMutation | undefined> {
  const { given, mode } = record;
  const fields = fieldsToChange(given);
  const values = await readValues(actor, fields, mode, stored);
  if (isSaved(actor.model, false)) {
    const changed = changedDocument(actor, stored, { set: values, operators: {} });
    return isModified(changed.document) ? saving(actor, record, changed) : undefined;
  }
  const set = await changedFields(actor, stored, fields, values);
  if (set === undefined) return undefined;
  storedSize(set);
  const filter = { _id: stored['_id'] };
  const update = { $set: set, $inc: { __v: 1 } };
  return { kind: 'change', model: actor.model, filter, update, event: 'put' };
}

type Saved = InstanceType<ReturnType<typeof modelOf>>;
type Saving = Pick<Save, 'event' | 'before'> & { readonly document: Saved };

function saving({ model }: ModelActor, { given }: ReadRecord, changed: Saving): Save {
  keepTimes(changed.document, given);
  storedSize(storedRow(changed.document));
  return { kind: isNew(changed.document) ? 'insert' : 'change', model, ...changed };
}

/** Keeps the times of a record, which Mongoose would set to the present when it saves. */
function keepTimes(document: Saved, given: Row): void {
  if (given['createdAt'] === undefined && given['updatedAt'] === undefined) return;
  fixTimes(document);
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
