/** A world at random, the same for the same seed: models with row rules and field letters, users with documents of their own, and rows. */
import { ObjectId } from '../../src/models/object-id.ts';
import type { Json, Letter, Model, Right } from './oracle.ts';

/** Random choices, the same for the same seed. */
export interface Chance {
  readonly below: (most: number) => number;
  readonly one: <T>(list: readonly T[]) => T;
  readonly is: (chance: number) => boolean;
  /** Up to so many different members of a list. */
  readonly some: <T>(list: readonly T[], most: number) => T[];
}

export function chanceFrom(random: () => number): Chance {
  const below = (most: number): number => Math.floor(random() * most);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return {
    below,
    one,
    is: (chance) => random() < chance,
    some: (list, most) => [...new Set(Array.from({ length: below(most + 1) }, () => one(list)))],
  };
}

export const names = ['plum', 'fern', 'onyx'] as const;
export const people = ['ann', 'bob', 'eve'] as const;
export type Person = (typeof people)[number];
export const groupsOf: Readonly<Record<Person, readonly string[]>> = { ann: ['red', 'blue'], bob: ['red'], eve: [] };
export const units = ['u0', 'u1', 'u2', 'u3'] as const;
export const past = '2020-02-02T00:00:00.000Z';
export const future = '2090-02-02T00:00:00.000Z';

const hex = (kind: number, number: number): string =>
  `${kind.toString(16).padStart(2, '0')}${number.toString(16).padStart(22, '0')}`;
export const personId = (person: Person): string => hex(1, people.indexOf(person) + 1);
export const rowId = (model: string, number: number): string =>
  hex(16 + (names as readonly string[]).indexOf(model), number);

/** The paths that rows have, whose values compare. */
export const scalars = ['title', 'team', 'level', 'open', 'due', 'pay.sum', 'pay.memo', 'link_id'] as const;
export const paths = [...scalars, 'squad', 'lines.kind', 'lines.memo'] as const;
const held = [...scalars, 'squad', 'lines', 'lines.memo', 'pay'] as const;

/** Values of `code`, by which an upsert finds a row; the first rows have the first ones. */
export const codes = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6'] as const;

/** The model that links of a model lead to. */
export const linkedFrom = (model: string): string =>
  names[((names as readonly string[]).indexOf(model) + 1) % names.length] ?? names[0];

/** The model whose links lead to a model, which shows them as `held`. */
export const linkingTo = (model: string): string => names.find((name) => linkedFrom(name) === model) ?? names[0];

// Rules

function textCondition({ one }: Chance): unknown {
  return one<unknown>([
    '$user.unit',
    '$user.unit',
    { $in: '$user.units' },
    { $in: '$user.units' },
    { $ne: '$user.unit' },
    { $nin: '$user.units' },
    { $in: ['u1', '$user.unit'] },
    { $in: '$user.posts.unit' },
    { $in: '$user.unit' },
    { $not: { $eq: '$user.unit' } },
    { $not: { $in: '$user.units' } },
    '$user.box.unit',
    { $ne: '$user.box.unit' },
    { $exists: true },
    'u2',
  ]);
}

function condition(chance: Chance): Json {
  const { one } = chance;
  return one<() => Json>([
    () => ({ team: textCondition(chance) }),
    () => ({ team: textCondition(chance) }),
    () => ({
      squad: one<unknown>([textCondition(chance), { $all: '$user.units' }, { $elemMatch: { $eq: '$user.unit' } }]),
    }),
    () => ({ 'lines.kind': textCondition(chance) }),
    () => ({ lines: { $elemMatch: { kind: textCondition(chance) } } }),
    () => ({ level: { [one(['$gt', '$gte', '$lt', '$lte', '$eq', '$ne'])]: one(['$user.rank', 2]) } }),
    () => ({ open: one<unknown>([true, { $ne: true }, '$user.active']) }),
    () => ({ due: { [one(['$lte', '$gt'])]: one(['$now', '$user.since']) } }),
    () => ({ due: { $not: { $gt: '$now' } } }),
    () => ({ _owner_id: one<unknown>(['$user._id', { $ne: '$user._id' }]) }),
  ])();
}

function where(chance: Chance, depth = 0): Json {
  if (depth > 2 || chance.is(0.55)) return condition(chance);
  const part = (): Json => where(chance, depth + 1);
  return chance.is(0.2)
    ? { ...condition(chance), ...condition(chance) }
    : { [chance.one(['$or', '$or', '$and', '$nor'])]: [part(), part()] };
}

// Models

const letters: readonly Letter[] = ['c', 'r', 'u', 'd'];

function rights(chance: Chance, plain: number): string | Partial<Record<Letter, Right>> {
  if (chance.is(plain)) return chance.one(['r', 'ru', 'cru', 'crud', 'c', 'cr', 'u', 'rd', '']);
  const given: Partial<Record<Letter, Right>> = {};
  for (const letter of letters) {
    if (chance.is(letter === 'r' ? 0.15 : 0.4)) continue;
    given[letter] = chance.is(0.3) ? true : { where: where(chance) };
  }
  return given;
}

function modelAt(name: string, chance: Chance): Model {
  const perms: Record<string, Model['perms'][string]> = {};
  const add = (role: string, probability: number, plain: number): void => {
    if (chance.is(probability)) perms[role] = rights(chance, plain);
  };
  add('all', 0.35, 0.4);
  add('user', 0.7, 0.15);
  add('owner', 0.6, 0.6);
  add('red', 0.5, 0.15);
  add('blue', 0.4, 0.3);
  add('admin', 0.3, 0.3);
  const roles = ['all', 'user', 'owner', 'admin', ...Object.keys(perms)];
  const fieldRights = (): Record<string, string> =>
    Object.fromEntries(chance.some(roles, 3).map((role) => [role, chance.one(['r', 'ru', 'cru', 'u', 'c', 'cr'])]));
  const fields = Object.fromEntries(chance.some(held, 4).map((path) => [path, fieldRights()]));
  return { name, perms, fields };
}

export const modelsOf = (chance: Chance): readonly Model[] => names.map((name) => modelAt(name, chance));

/** The file of a model. */
export function sourceOf({ name, perms, fields }: Model): string {
  const at = (path: string): string => (fields[path] === undefined ? '' : `, perms: ${JSON.stringify(fields[path])}`);
  const field = (path: string, type: string): string =>
    `${path.split('.').at(-1) ?? path}: { type: ${type}${at(path)} }`;
  const inner = (...list: string[]): string => `new Schema({ ${list.join(', ')} }, { _id: false })`;
  return `import { Schema } from 'mongoose';
const schema = new Schema({
  ${field('title', 'String')}, ${field('team', 'String')}, ${field('squad', '[String]')}, ${field('level', 'Number')},
  ${field('open', 'Boolean')}, ${field('due', 'Date')},
  code: { type: String, unique: true, sparse: true },
  link_id: { type: Schema.Types.ObjectId, link: '${linkedFrom(name)}', reverse: 'held'${at('link_id')} },
  pay: { type: ${inner(field('pay.sum', 'Number'), field('pay.memo', 'String'))}${at('pay')} },
  lines: { type: [${inner('kind: String', field('lines.memo', 'String'))}]${at('lines')} },
}, {
  perms: ${JSON.stringify(perms)},
  check_links: true,
  advanced_queries: { query: true, aggregate: true, bulkwrite: true },
  callable_statics: { titled: { needs: 'r', on: 'document' }, changed: { needs: 'u', on: 'document' } },
});
schema.statics.titled = (document) => String(document._id);
schema.statics.changed = (document) => String(document._id);
export default schema;`;
}

/** No caller reads the fields that rules compare with: they hold values of other kinds than the schema says. */
export const userSource = `import { Schema } from 'mongoose';
const part = new Schema({ unit: String }, { _id: false });
const perms = { admin: 'u', owner: 'u' };
export default new Schema({
  unit: { type: String, perms }, units: { type: [String], perms }, rank: { type: Number, perms },
  active: { type: Boolean, perms }, since: { type: Date, perms }, box: { type: part, perms }, posts: { type: [part], perms },
}, { perms: { admin: 'crud', owner: 'ru' } });`;

// Documents

/** What a user's own document has, values of other kinds than the schema's among them. */
export function ownFields({ one, some, is }: Chance): Json {
  const odd = (value: unknown): unknown => (is(0.8) ? value : one<unknown>([undefined, null, ['u1'], { $gt: '' }, []]));
  const fields = {
    unit: odd(one(units)),
    units: odd(one<unknown>([some(units, 3), some(units, 3), some(units, 3), [null, 'u1'], [{ $gt: '' }, 'u2']])),
    rank: odd(one([0, 1, 2, 3])),
    active: odd(is(0.5)),
    since: odd(new Date(one([past, future]))),
    box: odd({ unit: one(units) }),
    posts: odd(some(units, 2).map((unit) => ({ unit }))),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The fields of a row that callers set; every text in `title` and `memo` is found nowhere else. */
function fieldsOf(label: string, model: string, chance: Chance): Record<string, unknown> {
  const { one, some, is, below } = chance;
  const fields: Record<string, unknown> = {
    title: `«${label}.title»`,
    team: one(units),
    squad: some(units, 3),
    level: below(5),
    open: is(0.5),
    due: new Date(one([past, future])),
    link_id: new ObjectId(rowId(linkedFrom(model), below(12))),
    pay: { sum: below(4), memo: `«${label}.pay.memo»` },
    lines: some(units, 2).map((kind, at) => ({ kind, memo: `«${label}.lines.memo.${at}»` })),
  };
  for (const name of ['team', 'squad', 'level', 'open', 'due', 'link_id', 'pay', 'lines'])
    if (is(0.1)) delete fields[name];
  return fields;
}

export function rowsOf(model: string, chance: Chance): Record<string, unknown>[] {
  const at = new Date('2024-05-06T07:08:09Z');
  return Array.from({ length: 12 }, (_, number) => ({
    _id: new ObjectId(rowId(model, number)),
    ...fieldsOf(`${model}.${number}`, model, chance),
    ...(number < 4 ? { code: codes[number] } : {}),
    _deleted: chance.is(0.08),
    _owner_id: new ObjectId(personId(chance.one(people))),
    createdAt: at,
    updatedAt: at,
    __v: 0,
  }));
}
