/** Whether a caller may still read what an answer from before shows. */
import { letters, modelOf, type Policy, policyFor, type Principal, type Registry, type Row } from '../../core.ts';
import type { AnswerSubject } from '../../operations/contract.ts';
import { showsAll } from '../../policy/readable.ts';

/** What is kept of a model that an answer is about. */
export interface SubjectView {
  readonly model: string;
  /** The caller's rights on the model at that time. */
  readonly rights: string;
  readonly ids: readonly string[];
}

const rightsIn = (policy: Policy): string =>
  JSON.stringify([policy.key, ...letters.map((letter) => policy.extent(letter))]);

export function subjectViews(principal: Principal, subjects: readonly AnswerSubject[]): readonly SubjectView[] {
  const models = new Set(subjects.map(({ model }) => model));
  return [...models].map((model) => ({
    model: model.name,
    rights: rightsIn(policyFor(principal, model)),
    ids: [...new Set(subjects.flatMap((one) => (one.model === model && one.id !== undefined ? [one.id] : [])))],
  }));
}

/** An answer from before. */
interface Before {
  readonly shown: readonly SubjectView[];
  /** Its JSON; undefined for an answer that was not kept. */
  readonly body: unknown;
}

/**
 * Whether the rights are the same, the documents are among the rows that the caller may read now, and the answer has no field of them that
 * the caller may not see in them now.
 */
export async function isReadable(registry: Registry, principal: Principal, { shown, body }: Before): Promise<boolean> {
  for (const { model: name, rights, ids } of shown) {
    const model = registry.served.find((one) => one.name === name);
    if (model === undefined) return false;
    const policy = policyFor(principal, model);
    if (rightsIn(policy) !== rights) return false;
    const isRestricted = policy.rows('r') !== 'all' && policy.permits('r');
    if ((!isRestricted && policy.ownRows === undefined) || ids.length === 0) continue;
    const keys = ids.map(model.idType.parse);
    if (keys.includes(undefined)) return false;
    const rows = await rowsOf(policy, keys);
    if (rows.length < ids.length || !rows.every((row) => showsAll(policy.viewIn(row), documentsIn(body, row))))
      return false;
  }
  return true;
}

/** The rows that the caller may read, with what decides which of their fields. */
const rowsOf = (policy: Policy, ids: readonly unknown[]): Promise<readonly Row[]> =>
  modelOf(policy.model)
    .collection.find<Row>(policy.filter('r', { _id: { $in: ids } }), {
      projection: { _id: 1, ...(policy.ownRows === undefined ? {} : { [policy.ownRows.path]: 1 }) },
    })
    .toArray();

/** The documents of an answer that are a row, at any depth. */
function documentsIn(value: unknown, row: Row): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap((inner) => documentsIn(inner, row));
  return '_id' in value && String(value._id) === String(row['_id']) ? [value, ...within] : within;
}
