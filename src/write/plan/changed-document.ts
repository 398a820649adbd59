/** Changes a loaded document, to be saved: the one place where values and operators meet a document, for requests, bulk writes and imports. */
import type { ModelActor } from '../../context.ts';
import { badBody } from '../../errors/errors.ts';
import { castAsStored } from '../../models/fields/cast.ts';
import { schemaOfKind } from '../../models/fields/known-path.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { modelOf, raiseRevision, type Row, storedRow, storedValue, valueAt } from '../../models/mongoose.ts';
import { BSON } from '../../models/object-id.ts';
import { rowAfterUpdate } from '../../query/row-update.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import type { ChangeEvent } from '../contract.ts';
import { wantsImages } from '../mutation/images.ts';
import { withContext, writeOf } from '../mutation/middleware-context.ts';
import { fromWrite } from '../mutation/mongoose-errors.ts';
import { readKindFields, refuseOtherKeysOfParts } from '../rules/discriminator.ts';
import { demandFault, positionDemands } from '../rules/positions.ts';
import { assign, unmarkEntries } from './assign.ts';
import { type Difference, difference } from './difference.ts';
import { type ChangedList, changeLists, isListOperator, mongooseListAt } from './list-operators.ts';
import { replacedDocument, type Replacement } from './replaced-document.ts';

/** What changes a document. */
export interface DocumentChange {
  /** The values to set, or for a replacement what it makes of the document. */
  readonly set: Row | ((stored: Row) => Replacement);
  readonly operators: Update;
}

interface ChangedDocument {
  readonly document: InstanceType<ReturnType<typeof modelOf>>;
  readonly event: ChangeEvent;
  /** The document as it was, if a subscriber needs it. */
  readonly before: Row | undefined;
}

/** @returns the document, to be saved for the revision that is stored @throws 400 for what this document cannot have */
export function changedDocument(actor: ModelActor, stored: Row, { set, operators }: DocumentChange): ChangedDocument {
  const { model, services } = actor;
  const { schema } = model;
  // the document may change what it is made from
  const before = wantsImages(services, model) ? (storedValue(stored) as Row) : undefined;
  const loaded = withContext(modelOf(model).hydrate(stored), writeOf(actor));
  const isReplaced = typeof set === 'function';
  const { document, ...given } = isReplaced
    ? replacedDocument(model, loaded, stored, set(storedRow(loaded)))
    : { document: loaded, set, ofNewKind: {} };
  if (isReplaced) withContext(document, writeOf(actor));
  const kindKey = schema.kindKey;
  const effect = effectOf(document, schemaOfKind(schema, valueAt(document, kindKey)), operators, services.clock());
  const values = { ...effect.values, ...given.set };
  const isRestored = valueAt(document, '_deleted') === true && values['_deleted'] === false;
  const event = values['_deleted'] === true ? 'del' : isRestored ? 'post' : 'put';
  readKindFields(model, { ...operators, $set: values }, { [kindKey]: valueAt(document, kindKey) });
  const update = { ...effect.lists, $set: values };
  refuseOtherKeysOfParts(schema, update, (path) => valueAt(document, path));
  checkReach(document, schema, update);
  assign(document, schema, values);
  unmarkEntries(document, schema);
  if (isReplaced) document.$set(given.ofNewKind, undefined, undefined, { overwriteImmutable: true });
  changeLists(document, schema, effect.lists);
  // a verification that is sent with an address applies to that address, even if it was true before
  if (model.name === 'user' && Object.hasOwn(values, 'email_verified')) document.markModified('email_verified');
  raiseRevision(document);
  return { document, event, before };
}

/**
 * The document after values are set in it, for a command that sets them.
 * @throws 400 with the faults that validation finds
 */
export async function changedRow(actor: ModelActor, stored: Row, set: Row): Promise<Row> {
  const { document } = changedDocument(actor, stored, { set, operators: {} });
  try {
    await document.validate();
    return storedRow(document);
  } catch (error) {
    throw fromWrite(error);
  }
}

/** Checks positions in lists, and paths through free-form fields, which depend on the document. @throws 400 */
function checkReach(document: object, schema: ModelSchema, update: Update): void {
  const fault = demandFault(positionDemands(schema, update), (path) => valueAt(document, path));
  if (fault !== undefined) throw fault;
  for (const path of pathsOf(update))
    for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1)) {
      const value = valueAt(document, path.slice(0, end));
      if (value !== undefined && typeof value !== 'object')
        throw badBody(`${path.slice(0, end)} of this document is a scalar and has no subpaths`);
    }
}

type Loaded = Parameters<typeof storedRow>[0] & ChangedList;

/** What update operators do to a loaded document. */
interface Effect {
  /** Values to set, which setters have not seen. */
  readonly values: Difference;
  /** The operators on lists, which change these in place: their other members have been through setters. */
  readonly lists: Update;
}

/** @param schema of the document's kind @param now the time of `$currentDate` @throws Mongoose's CastError, and StoreError for what the database would refuse */
function effectOf(document: Loaded, schema: ModelSchema, operators: Update, now: Date): Effect {
  if (Object.keys(operators).length === 0) return { values: {}, lists: {} };
  const cast: Update = {};
  const lists: Update = {};
  const others: Update = {};
  for (const [name, operands] of Object.entries(operators))
    for (const [path, given] of Object.entries(operands)) {
      const operand = castOperand(schema, { name, path, given });
      const kind = isListOperator(name) && isList(document, schema, path) ? lists : others;
      for (const update of [cast, kind]) (update[name] ??= {})[path] = operand;
    }
  const before = storedRow(document);
  // refuses what the database would, such as two operators on one path
  const whole = rowAfterUpdate(before, cast, now);
  if (Object.keys(others).length === 0) return { values: {}, lists };
  const after = Object.keys(lists).length === 0 ? whole : rowAfterUpdate(before, others, now);
  return { values: difference(BSON.deserialize(BSON.serialize(before)), after), lists };
}

/** Whether Mongoose has a list at a path, or makes one of a value that is set there. */
function isList(document: ChangedList, schema: ModelSchema, path: string): boolean {
  if (mongooseListAt(document, path) !== undefined) return true;
  const type = typeAt(schema, path);
  return 'array' in type && type.array && (valueAt(document, path) ?? null) === null;
}

interface Operand {
  readonly name: string;
  readonly path: string;
  readonly given: unknown;
}

/** The operators whose operands have the type of their path. */
const typed: ReadonlySet<string> = new Set(['$inc', '$min', '$max']);

/** An operand by the type of its path; setters run when the result is set. */
function castOperand(schema: ModelSchema, { name, path, given }: Operand): unknown {
  const type = typeAt(schema, path);
  if (!typed.has(name) || type.kind !== 'leaf' || type.array || given === null) return given;
  return castAsStored(type.field, given);
}
