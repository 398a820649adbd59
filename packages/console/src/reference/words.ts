/** What a description of a model says, in words. Pure. */
import type { Rights } from 'dossier-client';
import type { Field, Model } from '../api/models.ts';

const listed = (words: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat('en', { type }).format(words);

const actions = { r: 'read', c: 'create', u: 'change', d: 'delete' } as const;
type Letter = keyof typeof actions;
const letters = Object.keys(actions) as Letter[];

const extents = {
  all: 'all documents',
  some: 'the documents that a rule gives you',
  own: 'your own documents',
} as const;

/** What the caller may do with documents, such as "You may create documents, and read and change all documents." */
export function rightsText({ rows }: Pick<Rights, 'rows'>): string {
  const may = Object.entries(extents).flatMap(([extent, documents]) => {
    const same = letters.filter((letter) => letter !== 'c' && rows[letter] === extent).map((letter) => actions[letter]);
    return same.length === 0 ? [] : [`${listed(same)} ${documents}`];
  });
  const all = [...(rows.c === 'none' ? [] : ['create documents']), ...may];
  const mayNot = letters.filter((letter) => rows[letter] === 'none').map((letter) => actions[letter]);
  return [
    ...(all.length === 0 ? [] : [`You may ${all.join(', and ')}.`]),
    ...(mayNot.length === 0 ? [] : [`You may not ${listed(mayNot, 'disjunction')} documents.`]),
  ].join(' ');
}

const fieldActions = { c: 'set when created', r: 'read', u: 'change' } as const;

/** What the caller may do with a field, by its letters. */
export const fieldRightsText = (given = ''): string =>
  (['r', 'c', 'u'] as const)
    .filter((letter) => given.includes(letter))
    .map((letter) => fieldActions[letter])
    .join(', ') || 'nothing';

export const typeText = ({ type, array }: Pick<Field, 'type' | 'array'>): string => (array ? `list of ${type}` : type);

/** The rules of a field: what a value must be, and what becomes of it. */
export function rulesText(field: Field): string {
  const { required, unique, index, enum: values, kinds, default: fallback, map_to: as } = field;
  return [
    ...(required ? ['required'] : []),
    ...(unique ? ['unique'] : index ? ['indexed'] : []),
    ...(values === undefined ? [] : [`one of ${values.map(String).join(', ')}`]),
    ...limitTexts(field),
    ...(['trim', 'lowercase', 'uppercase'] as const)
      .filter((name) => field[name] === true)
      .map((name) => changes[name]),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
    ...(as === undefined ? [] : [`shown as ${as}`]),
    ...(kinds === undefined ? [] : [`only of ${kinds.map(String).join(', ')}`]),
  ].join('; ');
}

const changes = {
  trim: 'spaces around it are removed',
  lowercase: 'in small letters',
  uppercase: 'in capital letters',
} as const;

const limitTexts = ({ min, max, minlength, maxlength, match }: Field): string[] => [
  ...(min === undefined ? [] : [`at least ${min}`]),
  ...(max === undefined ? [] : [`at most ${max}`]),
  ...(minlength === undefined ? [] : [`at least ${minlength} characters`]),
  ...(maxlength === undefined ? [] : [`at most ${maxlength} characters`]),
  ...(match === undefined ? [] : [`matches /${match.pattern}/${match.flags}`]),
];

const orders: Readonly<Record<string, string>> = { '1': '', '-1': ' (descending)' };

/** The paths of an index, each with its order or kind. */
export const indexText = ({ fields }: Model['indexes'][number]): string =>
  Object.entries(fields)
    .map(([path, order]) => path + (orders[String(order)] ?? ` (${String(order)})`))
    .join(', ');

/** What an index does besides finding. */
export const indexRules = ({ unique, sparse, expireAfterSeconds: seconds }: Model['indexes'][number]): string =>
  [
    ...(unique === true ? ['unique'] : []),
    ...(sparse === true ? ['only of documents that have the fields'] : []),
    ...(seconds === undefined ? [] : [`documents are removed ${seconds} seconds after the date`]),
  ].join('; ');

/** What a caller needs to call a function. */
export const letterText = (letter: string): string => actions[letter as Letter] ?? letter;
