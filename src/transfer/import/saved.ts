/** Records of models with middleware, or rules that read the document: each is saved by itself, as a request would save it. */
import type { ModelActor } from '../../context.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { type modelOf, type Row, storedRow } from '../../models/mongoose.ts';
import { commit } from '../../write/commit.ts';
import type { Mutation } from '../../write/contract.ts';
import { changedDocument } from '../../write/plan/changed-document.ts';
import { unsavedDocument } from '../../write/plan/new-document.ts';
import { writerOf } from '../../write/writer.ts';
import { fieldsToChange, type ImportMode, readValues, storedSize } from './values.ts';

/**
 * Whether a record has to be saved: a new one for middleware, a change for all rules. Users are not, whose middleware often hashes
 * passwords, which are hashes already.
 */
export const isSaved = (model: ModelEntry, { isExact, isRaw }: ImportMode, stored: Row | undefined): boolean =>
  !isExact && !isRaw && model.name !== 'user' && (stored === undefined ? model.createsBySave : model.changesBySave);

type Save = () => Promise<unknown>;

/**
 * @param stored the document that the record changes; undefined for a new one
 * @returns what saves the document; undefined when it is stored already as the record has it @throws Failure 400 with the faults of values
 */
export async function savedRecord(
  actor: ModelActor,
  given: Row,
  mode: ImportMode,
  stored: Row | undefined,
): Promise<Save | undefined> {
  const saving = await (stored === undefined ? created(actor, given, mode) : changed(actor, given, mode, stored));
  if (saving === undefined) return undefined;
  storedSize(storedRow(saving.document));
  return () => commit(writerOf(actor, { silent: false }), { kind: 'save', model: actor.model, ...saving });
}

type Saved = InstanceType<ReturnType<typeof modelOf>>;
type Saving = Pick<Extract<Mutation, { kind: 'save' }>, 'event' | 'before'> & { readonly document: Saved };

async function created(actor: ModelActor, given: Row, mode: ImportMode): Promise<Saving> {
  const document = unsavedDocument(actor, await readValues(actor, given, mode));
  keepTimes(document, given);
  return { document, event: 'post' };
}

async function changed(actor: ModelActor, given: Row, mode: ImportMode, stored: Row): Promise<Saving | undefined> {
  const set = await readValues(actor, fieldsToChange(given), mode, stored);
  const saving = changedDocument(actor, stored, { set, operators: {} });
  if (!saving.document.isModified()) return undefined;
  keepTimes(saving.document, given);
  return saving;
}

/** Keeps the times of a record, which Mongoose would set to the present when it saves. */
function keepTimes(document: Saved, given: Row): void {
  if (given['createdAt'] === undefined && given['updatedAt'] === undefined) return;
  const timed = document as unknown as { initializeTimestamps(): void; $timestamps(applied: boolean): void };
  timed.initializeTimestamps();
  timed.$timestamps(false);
}
