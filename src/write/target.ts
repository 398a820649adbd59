/** Which document a write is about: its id, the caller's rows, and whether it may be deleted. */
import { decide, refusal, type Grant } from '../access/decide.ts';
import { rowFilter } from '../access/rows.ts';
import type { ModelContext } from '../context.ts';
import { deletedDocument, unknownDocument, type Failure } from '../errors.ts';
import type { Filter } from '../language/filter.ts';
import { allOf } from '../language/merge.ts';
import { castId } from '../registry/cast.ts';
import type { Letter } from '../registry/letters.ts';
import { modelOf } from '../registry/mongoose.ts';
import { fromDatabase } from '../registry/database-errors.ts';

/** The filter of the one document, for a grant. */
export function targetFilter(context: ModelContext, grant: Grant, ...more: readonly (Filter | undefined)[]): Filter {
  const { model, params } = context;
  return allOf([{ _id: castId('id', params['id']) }, ...more, context.filter, rowFilter(grant, model)]);
}

/** Why there was nothing to write: the document does not exist for this caller, or it is deleted. */
export async function missing(context: ModelContext, grant: Grant): Promise<Failure> {
  const { model, params } = context;
  try {
    const there = await modelOf(model).collection.findOne(targetFilter(context, grant), {
      projection: { _deleted: 1 },
    });
    const id = params['id'] ?? '';
    return there?.['_deleted'] === true ? deletedDocument(model.name, id) : unknownDocument(model.name, id);
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** The grant of another letter, needed besides the route's own. @throws 401, 403 */
export function alsoNeeds(context: ModelContext, letter: Letter, why: string): Grant {
  const grant = decide(context.principal, letter, context.model);
  if (grant === undefined) throw refusal(context.principal, why);
  return grant;
}
