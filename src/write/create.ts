/** POST: creates one document. */
import { policyFor } from '../policy/policy.ts';
import { present } from '../policy/present.ts';
import type { ModelContext } from '../context.ts';
import { ownWrite } from '../registry/model-writes.ts';
import { modelOf, saveDocument, storedRow, type Row } from '../registry/mongoose.ts';
import { valuesFrom } from './body.ts';
import { checkLinks } from './check-links.ts';
import { changed, type Written } from './changed.ts';
import { owned } from './document.ts';
import { checkGroups } from './groups.ts';
import { fromWrite } from './mongoose-errors.ts';

export async function create(context: ModelContext): Promise<Written> {
  const { model, principal } = context;
  const values: Row = await valuesFrom(context, false);
  checkGroups(model, values);
  await checkLinks(context, [values]);
  const whole = owned(context, values);
  try {
    const document = new (modelOf(model))(whole);
    // a body that names `_deleted` has been stripped of it; the default holds
    await saveDocument(ownWrite(document));
    const row = storedRow(document);
    const id = String(row['_id']);
    changed(context, [{ event: 'post', model, id, after: row }]);
    return { id, data: present(policyFor(principal, model), row) };
  } catch (error) {
    throw fromWrite(error);
  }
}
