/** A grant → the row filter that keeps a caller to their own documents, and the check of one document. */
import { forbidden, type Failure } from '../errors.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { ObjectId } from '../registry/object-id.ts';
import type { Grant } from './decide.ts';

/** The path that says whose a document is: users own their own document. */
export const ownerPath = (model: ModelEntry): '_id' | '_owner_id' => (model.name === 'user' ? '_id' : '_owner_id');

/** The filter of a grant; undefined when all rows are allowed. */
export function rowFilter(grant: Grant, model: ModelEntry): Record<string, unknown> | undefined {
  if (grant.rows === 'all') return undefined;
  // a grant for own rows without an owner matches nothing
  return { [ownerPath(model)]: grant.owner === undefined ? { $in: [] } : new ObjectId(grant.owner) };
}

/** Whether a grant is for this row. */
export const covers = (grant: Grant, model: ModelEntry, row: Readonly<Record<string, unknown>>): boolean =>
  grant.rows === 'all' || (grant.owner !== undefined && String(row[ownerPath(model)]) === grant.owner);

/** What a caller is answered who may read a row and do no more with it. */
export const notYours = (model: ModelEntry): Failure => forbidden(`this ${model.name} is not yours`);
