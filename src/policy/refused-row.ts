/** Why a caller may not do something to a document. */
import { Failure } from '../errors/errors.ts';
import { messageName, type ModelEntry } from '../models/entry.ts';
import { type Letter, verbs } from '../models/letters.ts';
import { pluralOf } from '../models/loading/model-names.ts';
import type { Principal } from './principal.ts';
import { placesOfRight } from './rights.ts';

/** The rights that do not cover a document. It is the cause of a failure, for the log: callers learn the letter only. */
export class RefusedRow {
  constructor(
    readonly model: string,
    readonly letter: Letter,
    /** Their places in the model file, such as `perms.user.u where status`. */
    readonly rights: readonly string[],
  ) {}
}

/** What a caller may not do, in words: one of some rights on documents of a model. */
export const mayNot = (model: Pick<ModelEntry, 'name'>, ...of: readonly Letter[]): string =>
  `you may not ${of.map((letter) => verbs[letter]).join(' or ')} ${pluralOf(messageName(model))}`;

/** The failure of a caller who may read a row, and whose letter is not given for it. */
export const notYours = (principal: Principal, letter: Letter, model: ModelEntry): Failure =>
  refuseRow(`this ${model.name} is not yours to ${verbs[letter]}`, principal, letter, model);

/** The failure of a write that would leave a document for which the letter is not given. */
export const notLikeThis = (principal: Principal, letter: 'c' | 'u', model: ModelEntry): Failure =>
  refuseRow(`you may not ${likeThis[letter]} this`, principal, letter, model);

const likeThis = { c: 'create a document like', u: 'leave the document like' } as const;

/** The reason is for people; the letter is in the list of faults, for programs. */
function refuseRow(reason: string, principal: Principal, letter: Letter, model: ModelEntry): Failure {
  const cause = new RefusedRow(model.name, letter, placesOfRight(principal, letter, model));
  return new Failure(403, 'Forbidden', reason, { errors: [{ path: '_id', kind: letter, message: reason }], cause });
}
