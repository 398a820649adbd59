/** Which writes are recorded in the audit log, and as what: changes of users' rights and credentials, and permanent deletions. Pure. */
import { type ModelEntry, type Mutation, operationOf, type Row, type States } from '../../core.ts';
import { hasObjectIds } from '../../models/fields/document-id.ts';
import { isChangedAt, storedRow } from '../../models/mongoose.ts';
import type { ListedMutation } from '../../write/contract.ts';
import { changesBetween } from '../../write/mutation/row-changes.ts';
import type { AuditRecord } from './kinds.ts';
import { auditOption } from './model-options.ts';

/** The paths of users that are compared. */
const watched = ['admin', 'groups', 'email', 'password'] as const;
const isWatched = (path: string): boolean => watched.some((one) => path === one || path.startsWith(`${one}.`));

/** Whether a mutation may have to be recorded, as far as its values show. */
export function isAudited(mutation: Mutation | ListedMutation): boolean {
  const { model } = mutation;
  // its operations record events of their own
  if (model.isOwn) return false;
  if (isWholly(model) || mutation.kind === 'remove') return true;
  if (model.name !== 'user') return false;
  if ('document' in mutation) return isChangedAt(mutation.document, watched) ?? hasRights(storedRow(mutation.document));
  if (mutation.kind === 'insert') return mutation.rows.some(hasRights);
  return 'row' in mutation || setsWatched(mutation.update);
}

const whole = new WeakMap<ModelEntry, boolean>();

/** Whether each write of a model is recorded, which is read once. */
export function isWholly(model: ModelEntry): boolean {
  const known = whole.get(model) ?? model.options.added.valueOf(auditOption);
  whole.set(model, known);
  return known;
}

/** Whether an update names a watched path. A pipeline replaces the whole document. */
const setsWatched = (update: unknown): boolean =>
  Array.isArray(update) ||
  Object.values(update as Row).some((operands) => Object.keys(operands as object).some(isWatched));

const hasRights = (row: Readonly<Row>): boolean => row['admin'] === true || groupsOf(row) !== '[]';

const groupsOf = (row: Readonly<Row> | undefined): string => {
  const groups = row?.['groups'];
  return JSON.stringify(Array.isArray(groups) ? [...new Set(groups as unknown[])].sort() : []);
};

type Event = Pick<AuditRecord, 'what' | 'whom' | 'model' | 'document' | 'paths'>;

/** The events of an audited mutation. @param states the images of the documents that it has written */
export const auditEventsOf = (model: ModelEntry, states: States): readonly Event[] => [
  ...eventsOf(model, states),
  ...(isWholly(model) ? states.map((state) => documentEvent(model, state)) : []),
];

/** The record of a write of a model with `audit: true`, without values. */
function documentEvent(model: ModelEntry, state: States[number]): Event {
  const { before, after } = state;
  const id = documentIdIn(model, after ?? before);
  const changes = changesBetween(before ?? {}, after ?? {}).map(({ path }) => path);
  const isOwn = (path: string): boolean => model.ownPaths.includes(path.split('.', 1)[0] ?? path);
  const paths = changes.filter((path) => !stamps.has(path) && !isOwn(path));
  return { what: `document.${operationOf(state)}`, whom: id, model: model.name, document: id, paths };
}

/** What every write changes. */
const stamps: ReadonlySet<string> = new Set(['_id', '__v', 'createdAt', 'updatedAt', '_updated_by_id']);

const eventsOf = (model: ModelEntry, states: States): readonly Event[] =>
  states.flatMap(({ kind, before, after }): readonly Event[] => {
    if (kind === 'remove') return [{ what: 'document.removed', whom: documentIdIn(model, before), model: model.name }];
    if (model.name !== 'user' || after === undefined) return [];
    return changesOf(before, after).map((what) => ({ what, whom: after['_id'] }));
  });

/** Ids of other types than ObjectId are recorded as text, by which they are found. */
const documentIdIn = (model: ModelEntry, row: Readonly<Row> | undefined): unknown =>
  hasObjectIds(model) || row === undefined ? row?.['_id'] : String(row['_id']);

/** @param before undefined for a new user, whose email and password are no changes */
function changesOf(before: Readonly<Row> | undefined, after: Readonly<Row>): readonly Event['what'][] {
  const isAdmin = after['admin'] === true;
  const found: Event['what'][] = [];
  if ((before?.['admin'] === true) !== isAdmin) found.push(isAdmin ? 'admin.granted' : 'admin.revoked');
  if (groupsOf(before) !== groupsOf(after)) found.push('groups.changed');
  if (before !== undefined && before['password'] !== after['password']) found.push('password.changed');
  if (before !== undefined && before['email'] !== after['email']) found.push('email.changed');
  return found;
}
