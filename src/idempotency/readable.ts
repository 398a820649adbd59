/** Whether a caller may still read what an answer from before shows. */
import { isId } from '../models/cast.ts';
import { letters } from '../models/letters.ts';
import { ObjectId } from '../models/mongoose.ts';
import { modelOf } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import { type Policy, policyFor } from '../policy/policy.ts';
import type { Principal } from '../policy/principal.ts';
import type { AnswerSubject } from './contract.ts';

/** What is kept of a model that an answer is about. */
export interface Shown {
  readonly model: string;
  /** The caller's rights on the model at that time. */
  readonly rights: string;
  readonly ids: readonly string[];
}

const rightsIn = (policy: Policy): string =>
  JSON.stringify([policy.key, ...letters.map((letter) => policy.extent(letter))]);

export function shownBy(principal: Principal, subjects: readonly AnswerSubject[]): readonly Shown[] {
  const models = new Set(subjects.map(({ model }) => model));
  return [...models].map((model) => ({
    model: model.name,
    rights: rightsIn(policyFor(principal, model)),
    ids: [...new Set(subjects.flatMap((one) => (one.model === model && one.id !== undefined ? [one.id] : [])))],
  }));
}

/** Whether the rights are the same, and the documents are among the rows that the caller may read now. */
export async function isReadable(registry: Registry, principal: Principal, shown: readonly Shown[]): Promise<boolean> {
  for (const { model: name, rights, ids } of shown) {
    const model = registry.served.find((one) => one.name === name);
    if (model === undefined) return false;
    const policy = policyFor(principal, model);
    if (rightsIn(policy) !== rights) return false;
    const isRestricted = policy.extent('r') === 'own' || policy.extent('r') === 'some';
    if (!isRestricted || ids.length === 0) continue;
    if (!ids.every(isId)) return false;
    const filter = policy.filter('r', { _id: { $in: ids.map((id) => new ObjectId(id)) } });
    const rows = await modelOf(model)
      .collection.find(filter, { projection: { _id: 1 } })
      .toArray();
    if (rows.length < ids.length) return false;
  }
  return true;
}
