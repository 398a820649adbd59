/** Questions about passwords, of each kind that a place takes. */
import type { Kind } from './places.ts';

/** The hash that is planted. */
export const canary = '$2b$04$CANARYcanaryCANARYcanaryCANARYcanaryCANARYcanaryCAN';

/** A question about passwords. */
export interface Question {
  readonly guess: (prefix: string) => unknown;
  /** It has a true and a false guess; any other question asks whether there is a password at all. */
  readonly guesses: boolean;
  /** Asked in every position; the others at the start of a pipeline only. */
  readonly everywhere?: true;
}

/** Prefixes: the hash begins with the first, not with the second. */
export const guesses = ['$2b$04$CAN', '$2b$04$DOG'] as const;
const pattern = (prefix: string): string => `^${prefix.replaceAll('$', '\\$')}`;

/** Ways to name a password in an expression. */
const references: readonly unknown[] = [
  '$password',
  '$$ROOT.password',
  '$$CURRENT.password',
  '$login.password',
  { $first: '$logins.password' },
  '$meta.password',
  { $first: '$meta.deep.Password' },
  '$stray.password',
  { $getField: 'password' },
  { $getField: { $literal: 'password' } },
  { $getField: { field: 'password', input: '$$ROOT' } },
  { $getField: { field: { $concat: ['pass', 'word'] }, input: '$login' } },
  { $let: { vars: { x: '$$ROOT' }, in: '$$x.password' } },
  { $let: { vars: { x: '$login' }, in: '$$x.password' } },
  { $let: { vars: { CURRENT: '$login' }, in: '$password' } },
  { $let: { vars: { CURRENT: '$$ROOT' }, in: '$login.password' } },
  { $first: { $map: { input: '$logins', as: 'CURRENT', in: '$password' } } },
  { $first: { $map: { input: '$logins', as: 'one', in: '$$one.password' } } },
  { $getField: { field: 'password', input: { $first: '$logins' } } },
  {
    $reduce: {
      input: { $objectToArray: '$$ROOT' },
      initialValue: '',
      in: { $cond: [{ $eq: ['$$this.k', 'password'] }, '$$this.v', '$$value'] },
    },
  },
  {
    $reduce: {
      input: { $objectToArray: '$meta' },
      initialValue: '',
      in: { $cond: [{ $eq: [{ $toLower: '$$this.k' }, 'password'] }, '$$this.v', '$$value'] },
    },
  },
];
const asked: ReadonlySet<unknown> = new Set(['$login.password']);

const matched = (input: unknown, prefix: string): object => ({
  $regexMatch: { input: { $ifNull: [input, ''] }, regex: pattern(prefix) },
});

/** Comparisons with whole objects, as expressions. */
const compared: readonly ((prefix: string) => object)[] = [
  (prefix) => ({ $gt: ['$login', { site: 's', password: { $literal: prefix } }] }),
  (prefix) => ({ $gt: ['$logins', [{ site: 't', password: { $literal: prefix } }]] }),
  (prefix) => ({ $gt: ['$meta', { colour: 'red', password: { $literal: prefix } }] }),
  (prefix) => ({ $gt: ['$text', { $arrayToObject: [[['password', { $literal: prefix }]]] }] }),
  () => ({ $eq: ['$login', { site: 's' }] }),
  () => ({ $in: [{ site: 't' }, { $ifNull: ['$logins', []] }] }),
  () => ({ $eq: [{ $mergeObjects: ['$login', {}] }, { site: 's' }] }),
  () => ({ $gt: [{ $bsonSize: '$login' }, 30] }),
  () => ({ $gt: [{ $bsonSize: '$$ROOT' }, 700] }),
  () => ({ $gt: [{ $size: { $objectToArray: '$meta' } }, 2] }),
  () => ({ $eq: [{ $type: '$password' }, 'string'] }),
];

const question = (guess: (prefix: string) => unknown, everywhere: boolean): Question => ({
  guess,
  guesses: JSON.stringify(guess(guesses[0])) !== JSON.stringify(guess(guesses[1])),
  ...(everywhere ? { everywhere } : {}),
});

const expressions: readonly Question[] = [
  ...references.map((reference) => question((prefix) => matched(reference, prefix), asked.has(reference))),
  ...compared.map((guess, at) => question(guess, at === 4)),
];

/** Conditions on whole objects, for a path that holds them. */
const wholes = (path: string, whole: object): readonly object[] => [
  { [path]: whole },
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'].map((operator) => ({ [path]: { [operator]: whole } })),
  ...['$in', '$nin', '$all'].map((operator) => ({ [path]: { [operator]: [whole, { other: 1 }].slice(0, 1) } })),
  { [path]: { $not: { $eq: whole } } },
  { $nor: [{ [path]: whole }] },
  { $or: [{ [path]: { $lte: whole } }, { title: 'none' }] },
];

/** Filters that only ask whether there is a password beside the readable fields. */
export const wholeFilters: readonly object[] = [
  ...wholes('login', { site: 's' }),
  ...(
    [
      ['login', {}],
      ['logins', { site: 't' }],
      ['logins', [{ site: 't' }]],
      ['meta', { colour: 'red', deep: [{ keep: 1 }] }],
      ['meta.deep', { keep: 1 }],
      ['meta.deep', [{ keep: 1 }]],
      ['stray', { keep: 1 }],
    ] as const
  ).flatMap(([path, whole]) => wholes(path, whole).slice(0, 3)),
  { logins: { $elemMatch: { $eq: { site: 't' } } } },
  { logins: { $elemMatch: { $gt: { site: 't' } } } },
  { logins: { $elemMatch: { $in: [{ site: 't' }] } } },
  { meta: { $elemMatch: { deep: { keep: 1 } } } },
  { 'meta.deep': { $elemMatch: { $not: { $eq: { keep: 1 } } } } },
];

const filters: readonly Question[] = [
  ...expressions.map(({ guess, everywhere }) => question((prefix) => ({ $expr: guess(prefix) }), everywhere === true)),
  question((prefix) => ({ $and: [{ $expr: matched('$password', prefix) }] }), false),
  question((prefix) => ({ $or: [{ $nor: [{ $expr: matched('$login.password', prefix) }] }] }), false),
  ...['password', 'login.password', 'logins.password', 'logins.0.password', 'meta.Password', 'stray.password'].map(
    (path) => question((prefix) => ({ [path]: { $regex: pattern(prefix) } }), false),
  ),
  question((prefix) => ({ logins: { $elemMatch: { password: { $regex: pattern(prefix) } } } }), false),
  question((prefix) => ({ login: { $gt: { site: 's', password: prefix } } }), true),
  question((prefix) => ({ meta: { $gt: { colour: 'red', password: prefix } } }), false),
  ...wholeFilters.map((filter, at) => question(() => filter, at % 25 === 0)),
];

const paths = ['password', 'login', 'login.password', 'logins', 'logins.password', 'meta', 'meta.deep', 'stray'];

export const questions: Readonly<Record<Kind, readonly Question[]>> = {
  expression: expressions,
  filter: filters,
  order: paths.map((path, at) => question(() => ({ [path]: 1, _id: 1 }), at < 2)),
  path: paths.map((path, at) => question(() => path, at < 2)),
};

/** Questions about the title, of which one holds for some documents, and the other for none. */
export const controls: Readonly<Record<Exclude<Kind, 'path'>, readonly [unknown, unknown]>> = {
  expression: [
    { $regexMatch: { input: '$title', regex: '^Second' } },
    { $regexMatch: { input: '$title', regex: '^Last' } },
  ],
  filter: [{ title: { $regex: '^Second' } }, { title: { $regex: '^Last' } }],
  order: [
    { rank: 1, _id: 1 },
    { rank: -1, _id: 1 },
  ],
};
