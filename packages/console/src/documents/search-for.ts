/** How a text is searched for in a model. */
import { titleField } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';

/** Full text where the model has an index for it, else text in the field by which people know a document. */
export function searchFor(text: string, model: OwnModel): string | Record<string, string> {
  const hasText = model.indexes.some(({ fields }) => Object.values(fields).includes('text'));
  const title = titleField(model);
  return hasText || title === undefined ? text : { [title]: text };
}
