/** Changes a loaded document, to be saved: the one place where values and operators meet a document, for requests, bulk writes and imports. */
import type { ModelActor } from '../../context.ts';
import { badBody } from '../../errors/errors.ts';
import { schemaOfKind } from '../../models/fields/known-path.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { modelOf, raiseRevision, type Row, storedRow, storedValue, valueAt } from '../../models/mongoose.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import type { ChangeEvent } from '../contract.ts';
import { wantsImages } from '../mutation/images.ts';
import { withContext, writeOf } from '../mutation/middleware-context.ts';
import { fromWrite } from '../mutation/mongoose-errors.ts';
import { readKindFields, refuseOtherKeysOfParts } from '../rules/discriminator.ts';
import { demandFault, positionDemands } from '../rules/positions.ts';
import { assign, unmarkEntries } from './assign.ts';
import { changeLists } from './list-operators.ts';
import { effectOf } from './operators.ts';
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
