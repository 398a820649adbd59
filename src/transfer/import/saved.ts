/** Records of models with middleware, or rules that read the document: each is saved by itself, as a request would save it. */
import type { ModelContext } from '../../context.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { kindIn } from '../../models/kinds.ts';
import { modelOf, raiseRevision, type Row, storedRow } from '../../models/mongoose.ts';
import { assign } from '../../write/assign.ts';
import { commit } from '../../write/commit.ts';
import { refuseOtherKind } from '../../write/discriminator.ts';
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
  context: ModelContext,
  given: Row,
  mode: ImportMode,
  stored: Row | undefined,
): Promise<Save | undefined> {
  const document =
    stored === undefined
      ? await createdDocument(context, given, mode)
      : await changedDocument(context, given, mode, stored);
  if (document === undefined) return undefined;
  storedSize(storedRow(document));
  return () =>
    commit(writerOf(context), {
      kind: 'save',
      model: context.model,
      document,
      event: stored === undefined ? 'post' : 'put',
    });
}

type Saved = InstanceType<ReturnType<typeof modelOf>>;

async function createdDocument(context: ModelContext, given: Row, mode: ImportMode): Promise<Saved> {
  const document = unsavedDocument(context, await readValues(context, given, mode));
  keepTimes(document, given);
  return document;
}

async function changedDocument(
  context: ModelContext,
  given: Row,
  mode: ImportMode,
  stored: Row,
): Promise<Saved | undefined> {
  const { model } = context;
  const values = await readValues(context, fieldsToChange(given), mode, stored);
  refuseOtherKind(model, values, kindIn(model.schema, stored));
  const document = modelOf(model).hydrate(stored);
  assign(document, model.schema, values);
  if (!document.isModified()) return undefined;
  keepTimes(document, given);
  raiseRevision(document);
  return document;
}

/** Keeps the times of a record, which Mongoose would set to the present when it saves. */
function keepTimes(document: Saved, given: Row): void {
  if (given['createdAt'] === undefined && given['updatedAt'] === undefined) return;
  const timed = document as unknown as { initializeTimestamps(): void; $timestamps(applied: boolean): void };
  timed.initializeTimestamps();
  timed.$timestamps(false);
}
