/** Creates and validates a new document with Mongoose, and returns the row to store. */
import type { ModelContext } from '../context.ts';
import type { PathFault } from '../errors.ts';
import { castId } from '../models/cast.ts';
import { modelOf, ObjectId, type Row, storedRow } from '../models/mongoose.ts';
import { ownerPath } from '../policy/policy.ts';
import { refuseFaults } from './faults.ts';
import { fromWrite } from './mongoose-errors.ts';
import { readTypes } from './types.ts';

/** The values of a new document with its default owner: the caller, or for a user document the user. The id is cast. */
export function owned({ model, principal }: ModelContext, values: Row): Row {
  const given = values['_id'] === undefined ? {} : { _id: castId('_id', values['_id']) };
  if (ownerPath(model) === '_id') {
    const { _id = new ObjectId() } = given;
    return { _owner_id: _id, ...values, _id };
  }
  return {
    ...(principal.user === undefined ? {} : { _owner_id: new ObjectId(principal.user.id) }),
    ...values,
    ...given,
  };
}

/** A new Mongoose document with its defaults and timestamps. @throws Mongoose's errors of validation */
export async function validDocument(context: ModelContext, values: Row): Promise<Validated> {
  const document = new (modelOf(context.model))(owned(context, values));
  (document as unknown as { initializeTimestamps(): void }).initializeTimestamps();
  await document.validate();
  return document;
}

type Validated = Parameters<typeof storedRow>[0];

/** A new Mongoose document that is not validated yet: saving it does that. @param values from the caller, checked @throws 400 */
export async function unsavedDocument(context: ModelContext, values: Row): Promise<Validated> {
  await refuseFaults(readTypes(values, context.model.schema, true), () => validDocument(context, values));
  return new (modelOf(context.model))(owned(context, values));
}

/** @param values from the caller, checked @param known faults that were found before @throws 400 with the faults */
export async function newRow(context: ModelContext, values: Row, known: readonly PathFault[] = []): Promise<Row> {
  const { model } = context;
  const faults = [...known, ...readTypes(values, model.schema, true)];
  await refuseFaults(faults, () => validDocument(context, values));
  try {
    const document = await validDocument(context, values);
    const row = storedRow(document);
    row['__v'] = 0;
    return row;
  } catch (error) {
    throw fromWrite(error);
  }
}
