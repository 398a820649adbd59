/** What the names and types of fields mean to the console. Pure. */
import { dateText } from '../parts/dates.ts';
import type { Document, Id } from './document.ts';
import type { Field, Model, OwnModel } from './models.ts';

export type { Document, Id };

export const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

/** A document inside of another one, such as a member of a list. */
export type Row = Readonly<Record<string, unknown>>;

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a path is `password` in one of its parts: the server never shows such values. */
export const isSecret = (path: string): boolean => path.split('.').some((part) => part.toLowerCase() === 'password');

const nameLike = ['title', 'name', 'label', 'subject', 'email', 'slug', 'code'];

type Titled = Pick<Model, 'fields' | 'title'>;

/** The field by which people know a document; undefined where there is only its id. */
export function titleField({ fields, title }: Titled): string | undefined {
  if (title !== undefined) return title;
  const isText = (path: string): boolean => {
    const field = fields[path];
    return field !== undefined && field.input === 'text' && !field.array;
  };
  return (
    nameLike.find(isText) ??
    Object.keys(fields).find((path) => isText(path) && !path.startsWith('_') && !path.includes('.') && !isSecret(path))
  );
}

/** What a document is called: by its title or, where that is empty, by another text of its kind, such as a user without a name by the email. */
export function titleOf(document: Readonly<Record<string, unknown>>, model: Titled | undefined): string {
  const own = model === undefined ? undefined : titleField(model);
  const values = [...(own === undefined ? [] : [own]), ...nameLike].map((path) => valueAt(document, path));
  const text = values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return text ?? String(document['_id']);
}

/** What tells a document from others of its title: up to two of its values, and the end of its id. */
export function detailOf(document: Document, model: OwnModel): string {
  const title = titleField(model);
  const values = firstColumns(model)
    .filter((path) => path !== title && model.fields[path]?.link === undefined)
    .map((path) => ({ value: valueAt(document, path), input: model.fields[path]?.input }))
    .filter(({ value }) => (typeof value === 'string' && value !== '') || typeof value === 'number')
    .slice(0, 2)
    .map(({ value, input }) => (input === 'date' ? dateText(String(value)) : String(value).slice(0, maxDetail)));
  const id = String(document._id);
  return [...values, id.length > maxEnd ? `…${id.slice(-maxEnd)}` : id].join(' · ');
}

/** Characters of a value, and of an id. */
const [maxDetail, maxEnd] = [60, 6];

/** The value at a dotted path. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/** Whether a path is inside the members of a list. */
export const isInList = ({ fields }: Pick<Model, 'fields'>, path: string): boolean =>
  path
    .split('.')
    .slice(0, -1)
    .some((_, at, parts) => fields[parts.slice(0, at + 1).join('.')]?.array === true);

/** The paths that a table may show: those that the caller may read, without the insides of lists. */
export const columnsOf = (model: OwnModel): string[] =>
  Object.keys(model.fields).filter(
    (path) =>
      model.rights.fields[path]?.includes('r') === true &&
      model.fields[path]?.hidden !== true &&
      !isSecret(path) &&
      !isInList(model, path) &&
      path !== '_id' &&
      // those of nested documents tell people nothing either
      !path.endsWith('._id'),
  );

/** Texts from this length on are long. */
const longText = 200;
const longNames = new Set([
  'body',
  'bio',
  'comment',
  'content',
  'description',
  'html',
  'markdown',
  'notes',
  'summary',
  'text',
]);

/** Whether the values of a field are texts of several sentences, as far as its limits or its name show. */
export function isLong(
  path: string,
  { input, array, maxlength }: Pick<Field, 'input' | 'array' | 'maxlength'>,
): boolean {
  if (input !== 'text' || array) return false;
  return maxlength === undefined ? longNames.has(path.split('.').at(-1) ?? '') : maxlength >= longText;
}

/** The kinds of columns in the order of a table. */
const ranks: readonly ((path: string, field: Field) => boolean)[] = [
  (_, { enum: choices, input }) => choices !== undefined || input === 'boolean',
  (_, { link }) => link !== undefined,
  (path, field) => (field.input === 'text' || field.input === 'number') && !field.array && !isLong(path, field),
  (_, { input, array }) => input === 'date' && !array,
  (path, field) => !isLong(path, field) && field.input !== 'json' && field.input !== 'object',
  isLong,
];

/** The columns that a table has unless others are chosen: those of the model file, else the title, then those that it lists, then by kind. */
export function firstColumns(model: OwnModel): string[] {
  const columns = columnsOf(model);
  const listed = model.list?.filter((path) => columns.includes(path)) ?? [];
  if (listed.length > 0) return listed;
  const title = titleField(model);
  const rankOf = (path: string): number => {
    const field = model.fields[path];
    if (path === title) return -2;
    if (field?.list === true) return -1;
    const rank = field === undefined ? -1 : ranks.findIndex((isOfRank) => isOfRank(path, field));
    return rank < 0 ? ranks.length : rank;
  };
  return columns
    .filter((path) => model.fields[path]?.list ?? (!path.startsWith('_') && path !== 'createdAt'))
    .map((path) => ({ path, rank: rankOf(path) }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxColumns)
    .map(({ path }) => path);
}

const maxColumns = 7;
