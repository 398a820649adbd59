/** A new document, made and validated as Mongoose says, as the row that is stored. */
import type { ModelContext } from '../context.ts';
import { castId } from '../registry/cast.ts';
import { modelOf, ObjectId, storedRow, type Row } from '../registry/mongoose.ts';
import { fromWrite } from './mongoose-errors.ts';
import { readTypes } from './types.ts';

/** @param values from the caller, checked @throws 400 with the faults */
export async function newRow({ model, principal }: ModelContext, values: Row): Promise<Row> {
  const owner = principal.user === undefined ? {} : { _owner_id: new ObjectId(principal.user.id) };
  const id = values['_id'] === undefined ? {} : { _id: castId('_id', values['_id']) };
  readTypes(values, model.schema);
  try {
    const document = new (modelOf(model))({ ...owner, ...values, ...id });
    (document as unknown as { initializeTimestamps(): void }).initializeTimestamps();
    await document.validate();
    const row = storedRow(document);
    row['__v'] = 0;
    return row;
  } catch (error) {
    throw fromWrite(error);
  }
}
