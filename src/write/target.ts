/** The target of a write: its id, the caller's rows, and the deletion state. */
import type { ModelActor } from '../context.ts';
import { deletedDocument, type Failure, preconditionFailed, unknownDocument } from '../errors/errors.ts';
import { documentId } from '../models/fields/document-id.ts';
import type { Letter } from '../models/letters.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import type { OwnRowsChange } from '../policy/field-writes.ts';
import { type Grant, grantFor, refusal } from '../policy/grants.ts';
import { notYours } from '../policy/refused-row.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { sessionOf } from './commit.ts';
import type { Target } from './intents.ts';

/** The filter of the one document. @throws 400 for an id that the model cannot have */
export function targetFilter(
  { model, restrictions }: ModelActor,
  { id, grant }: Target,
  ...more: readonly (Filter | undefined)[]
): Filter {
  const { hook, precondition } = restrictions;
  return grant.policy.filter(grant.letter, { _id: documentId(model, 'id', id) }, ...more, hook, precondition);
}

/** What a change needs besides the operation's own grant. */
export interface Demands {
  /** Where the body sets fields that only an owner may change. */
  readonly own?: OwnRowsChange | undefined;
  /** The grant of `d`, where the body deletes. */
  readonly deletion?: Grant | undefined;
}

/**
 * @returns the failure of a write without a target: 403 for a document that the caller may read but not write, 404 for one that they
 * may not read, is deleted or does not exist, 412 for one with a revision other than If-Match names
 */
export async function missingTargetFailure(
  actor: ModelActor,
  target: Target,
  { own, deletion }: Demands = {},
): Promise<Failure> {
  const { model, restrictions } = actor;
  const { policy, letter } = target.grant;
  const { id = '' } = target;
  const row = await rowOf(actor, target, own !== undefined || deletion !== undefined);
  if (row === null) return unknownDocument(model.name, id);
  const writable = policy.reaches(letter, row) && deletion?.policy.reaches('d', row) !== false;
  if (!writable && !policy.admits('r', row)) return unknownDocument(model.name, id);
  if (writable && restrictions.precondition !== undefined) return preconditionFailed();
  if (row['_deleted'] === true) return deletedDocument(model.name, id);
  return writable
    ? (own?.failureFor(row) ?? unknownDocument(model.name, id))
    : notYours(actor.principal, policy.reaches(letter, row) ? 'd' : letter, model);
}

async function rowOf(actor: ModelActor, { id, grant }: Target, isWhole: boolean): Promise<Row | null> {
  const { model, restrictions } = actor;
  const { policy, letter } = grant;
  // rules may name paths inside of each other, which no projection takes
  const whole = isWhole || policy.hasRules(letter) || policy.hasRules('r');
  const paths = ['_deleted', ...policy.rowPaths(letter), ...policy.rowPaths('r')];
  const projection = whole ? {} : Object.fromEntries(paths.map((path) => [path, 1]));
  return await modelOf(model).collection.findOne<Row>(
    allOf([{ _id: documentId(model, 'id', id) }, restrictions.hook]),
    {
      projection,
      ...sessionOf(actor),
    },
  );
}

/** The grant of another letter, required besides the operation's own. @throws 401, 403 */
export function requireFurtherLetter(actor: ModelActor, letter: Letter, why: string): Grant {
  const grant = grantFor(actor.principal, letter, actor.model);
  if (grant === undefined) throw refusal(actor.principal, why);
  return grant;
}
