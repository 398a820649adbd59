/**
 * How a replacement changes a document that exists: the one place where it is planned, for one command or for a loaded document. The stamps of
 * the document, a user's privileges, and fields that the caller may not change stay; everything else is replaced.
 */
import type { ModelActor } from '../../context.ts';
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import { withOtherNames } from '../../models/loading/timestamps.ts';
import type { Row } from '../../models/mongoose.ts';
import { type OwnRowsChange, ownRowsChange, unchangedByReplacement } from '../../policy/field-writes.ts';
import type { Grant } from '../../policy/grants.ts';
import { policyFor } from '../../policy/policy.ts';
import { mayGiveRights } from '../../policy/writable.ts';
import { readTypes } from '../rules/types.ts';
import { updaterFields } from './change.ts';
import { replacementRow } from './new-document.ts';
import type { Replacement } from './replaced-document.ts';

/** A planned replacement. */
interface PlannedReplacement {
  /** The values of the caller. */
  readonly values: Row;
  /** The whole new document that they make. */
  readonly row: Row;
  /** Where it sets fields that only an owner may change: it is only for documents of the caller's own. */
  readonly own: OwnRowsChange | undefined;
}

/** @param values from the caller, which are not read by the types of their paths yet @throws 400 with their faults, 403 */
export async function planReplacement(actor: ModelActor, values: Row, { policy }: Grant): Promise<PlannedReplacement> {
  const own = ownRowsChange(policy, actor.principal, values);
  const row = await replacementRow(actor, values, readTypes(values, actor.model.schema, true));
  return { values, row, own };
}

/** The update of a replacement that one command makes. */
export const updateOfReplacement = (actor: ModelActor, planned: PlannedReplacement): Row[] => [
  {
    $replaceWith: {
      $mergeObjects: [{ $literal: newFields(actor, planned) }, unchangedFields(actor, planned)],
    },
  },
];

/** The document after that update. */
export function rowAfterReplacement(actor: ModelActor, planned: PlannedReplacement, before: Row): Row {
  const names = Object.keys(unchangedFields(actor, planned)).filter((name) => Object.hasOwn(before, name));
  return { ...newFields(actor, planned), ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}

/** What it makes of a loaded document: fields that it does not have become their defaults, or are removed. */
export function changeOfReplacement(actor: ModelActor, planned: PlannedReplacement, stored: Row): Replacement {
  const { values } = planned;
  const after = rowAfterReplacement(actor, planned, stored);
  // Mongoose sets the time
  const names = new Set([...Object.keys(stored), ...Object.keys(after)].filter((name) => name !== 'updatedAt'));
  const changed = [...names].filter((name) => !Object.hasOwn(after, name) || after[name] !== stored[name]);
  const isGiven = (name: string): boolean => Object.hasOwn(values, name) || !Object.hasOwn(after, name);
  return {
    set: Object.fromEntries(changed.filter(isGiven).map((name) => [name, values[name]])),
    made: Object.fromEntries(changed.filter((name) => !isGiven(name)).map((name) => [name, after[name]])),
  };
}

const alwaysUnchanged = {
  _id: '$_id',
  _owner_id: '$_owner_id',
  createdAt: '$createdAt',
  _deleted: '$_deleted',
  [incarnationPath]: `$${incarnationPath}`,
  __v: { $add: [{ $ifNull: ['$__v', 0] }, 1] },
};

/** The fields of a user that only an admin may change. */
const privileges = {
  admin: '$admin',
  groups: '$groups',
  email: '$email',
  email_verified: '$email_verified',
  password: '$password',
};

/** The other name of the time of creation, where the model has one. */
function otherCreation({ schema }: ModelActor['model']): Row {
  const { createdAt: name } = schema.timestampNames;
  return name === undefined ? {} : { [name]: `$${name}` };
}

/** The fields that a replacement leaves as they are, and how a pipeline names them. */
function unchangedFields({ model, principal }: ModelActor, { own }: PlannedReplacement): Row {
  const unwritable = unchangedByReplacement(policyFor(principal, model), own !== undefined);
  return {
    ...alwaysUnchanged,
    ...otherCreation(model),
    ...(model.name === 'user' && !mayGiveRights(principal) ? privileges : {}),
    ...(Object.fromEntries(unwritable.map((name) => [name, `$${name}`])) as Row),
  };
}

const newFields = ({ principal, services, model }: ModelActor, { row }: PlannedReplacement): Row => ({
  ...Object.fromEntries(
    Object.entries(row).filter(
      ([name]) => !Object.hasOwn(alwaysUnchanged, name) && !Object.hasOwn(otherCreation(model), name),
    ),
  ),
  ...withOtherNames(model.schema.timestampNames, { updatedAt: services.clock() }),
  ...updaterFields(principal),
});
