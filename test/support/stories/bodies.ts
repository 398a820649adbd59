/** Random bodies of requests. */
import type { ModelPlan } from './models.ts';
import type { Random } from './random.ts';

export type Json = Record<string, unknown>;

/** Ids of documents of each model that exist, deleted ones too. */
type Ids = Readonly<Record<string, readonly string[]>>;

export interface BodyParts {
  readonly random: Random;
  readonly plan: ModelPlan;
  /** The models that its documents link to. */
  readonly links: readonly string[];
  readonly ids: Ids;
}

export const codeOf = (random: Random): string => `c${random.below(6)}`;

/** Some fields by their paths, of which some have dots. */
export function pathsOf({ random, plan, links, ids }: BodyParts): Json {
  const chosen = Object.entries(plan.values).filter(() => random.once(3));
  const body: Json = Object.fromEntries(chosen.map(([path, make]) => [path, make()]));
  if (random.once(5)) body['code'] = codeOf(random);
  if (plan.hasKinds && random.once(10)) body['side'] = random.below(5);
  for (const to of links) {
    const targets = ids[to] ?? [];
    if (targets.length > 0 && random.once(2)) body[`${to}_id`] = random.oneOf(targets);
    if (targets.length > 0 && random.once(3))
      body[`${to}_ids`] = [...new Set(random.list(2, () => random.oneOf(targets)))];
  }
  return body;
}

/** Some fields, those inside of others in objects. */
export function documentOf(parts: BodyParts): Json {
  const { random, plan } = parts;
  const document: Json = plan.hasKinds && random.once(2) ? { kind: random.oneOf(['square', 'round']) } : {};
  for (const [path, value] of Object.entries(pathsOf(parts))) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let holder = document;
    for (const name of names) holder = (holder[name] ??= {}) as Json;
    holder[last] = value;
  }
  return document;
}

type Operator = (random: Random) => Json;

/** Operators by the field that they need. */
const operators: Readonly<Record<string, readonly Operator[]>> = {
  count: [
    (random) => ({ $inc: { count: random.oneOf([1, -3]) } }),
    () => ({ $mul: { count: 2 } }),
    () => ({ $min: { count: 1 } }),
    () => ({ $max: { count: 3 } }),
    () => ({ $unset: { count: '' } }),
  ],
  tags: [
    () => ({ $push: { tags: 'pushed' } }),
    () => ({ $addToSet: { tags: 'red' } }),
    () => ({ $pull: { tags: 'red' } }),
    () => ({ $pop: { tags: 1 } }),
    () => ({ $push: { tags: { $each: ['a', 'b'], $position: 0, $slice: 3 } } }),
  ],
  sizes: [() => ({ $push: { sizes: 2 } }), () => ({ $pull: { sizes: { $lt: 2 } } })],
  when: [() => ({ $currentDate: { when: true } })],
  free: [() => ({ $unset: { free: '' } })],
  'inner.a': [() => ({ $inc: { 'inner.a': 1 } }), () => ({ $unset: { 'inner.b': '' } })],
  parts: [(random) => ({ $push: { parts: { x: random.below(3), y: [1] } } }), () => ({ $pull: { parts: { x: 1 } } })],
  plain: [() => ({ $addToSet: { plain: { x: 1 } } })],
  scores: [() => ({ $inc: { 'scores.p': 1 } })],
};

/** An update by operators, of different fields. */
export function operatorsOf(parts: BodyParts): Json {
  const { random, plan } = parts;
  const update: Record<string, Json> = {};
  for (const [path, all] of Object.entries(operators))
    if (path in plan.values && random.once(3))
      for (const [operator, operands] of Object.entries(random.oneOf(all)(random)))
        update[operator] = { ...update[operator], ...(operands as Json) };
  const taken = new Set(Object.values(update).flatMap((operands) => Object.keys(operands).map(firstOf)));
  const set = Object.entries(pathsOf(parts)).filter(([path]) => !taken.has(firstOf(path)));
  if (set.length > 0 || Object.keys(update).length === 0)
    update['$set'] = Object.fromEntries([['name', 'set'], ...set]);
  return update;
}

const firstOf = (path: string): string => path.split('.')[0] ?? '';

/** A JSON Patch that sets or removes fields. */
export const jsonPatchOf = (parts: BodyParts): readonly Json[] =>
  Object.entries(pathsOf(parts)).map(([path, value]) => {
    const pointer = `/${path.replaceAll('.', '/')}`;
    return parts.random.once(4) ? { op: 'remove', path: pointer } : { op: 'add', path: pointer, value };
  });

/** One operation of a bulk write. */
export function bulkOperationOf(parts: BodyParts): Json {
  const { random, plan, ids } = parts;
  const all = ids[plan.name] ?? [];
  const one = (): Json => (all.length === 0 || random.once(4) ? { code: codeOf(random) } : { _id: random.oneOf(all) });
  const many = (): Json =>
    random.oneOf<() => Json>([
      () => ({ _id: { $in: random.list(3, () => random.oneOf([...all, '0'.repeat(24)])) } }),
      () => ({ name: random.oneOf(['red', 'green', 'set']) }),
      () => ({ code: { $in: [codeOf(random), codeOf(random)] } }),
    ])();
  const upsert = random.once(3) ? { upsert: true } : {};
  const update = (): Json => (random.once(2) ? operatorsOf(parts) : { name: 'updated', ...pathsOf(parts) });
  return random.oneOf<() => Json>([
    () => ({ insertOne: { document: documentOf(parts) } }),
    () => ({ insertOne: { document: documentOf(parts) } }),
    () => ({ updateOne: { filter: one(), update: update(), ...upsert } }),
    () => ({ updateOne: { filter: one(), update: update() } }),
    () => ({ updateMany: { filter: many(), update: update() } }),
    () => ({ replaceOne: { filter: one(), replacement: documentOf(parts), ...upsert } }),
    () => ({ deleteOne: { filter: one() } }),
    () => ({ deleteMany: { filter: many() } }),
  ])();
}
