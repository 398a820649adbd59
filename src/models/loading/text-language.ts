/**
 * The language of a document, by which a text index reads its words (MongoDB's manual, "Specify a Language for Text Index"): a field
 * `language`, unless the index has `language_override`. A document with another value there cannot be stored.
 */
import { badValue, type Failure } from '../../errors/errors.ts';
import { enumValuesAt } from '../fields/enum-values.ts';
import type { DeclaredIndex, ModelSchema, TextLanguage } from '../fields/model-schema.ts';
import { mongooseSchema } from '../fields/mongoose-keys.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';

const defaultField = 'language';

/** Names and codes of all languages of version 3 of text indexes. */
const languages: ReadonlySet<unknown> = new Set([
  ...['none', 'danish', 'da', 'dutch', 'nl', 'english', 'en', 'finnish', 'fi', 'french', 'fr', 'german', 'de'],
  ...['hungarian', 'hu', 'italian', 'it', 'norwegian', 'nb', 'portuguese', 'pt', 'romanian', 'ro', 'russian', 'ru'],
  ...['spanish', 'es', 'swedish', 'sv', 'turkish', 'tr'],
]);

/** What the text index of a model reads; undefined without one. */
export function textLanguageIn(indexes: readonly DeclaredIndex[]): TextLanguage | undefined {
  for (const [fields, options] of indexes) {
    const paths = Object.entries(fields).flatMap(([path, type]) => (type === 'text' ? [path] : []));
    const { language_override: field = defaultField } = options as { readonly language_override?: string };
    if (paths.length > 0) return { field, paths };
  }
  return undefined;
}

/**
 * Refuses a value that the text index of a schema cannot take for a language. The database does so, too, but not each one names the reason.
 * @param path without aliases, and with positions in lists @throws 400 naming the path
 */
export function checkLanguage({ textLanguage }: ModelSchema, path: string, value: unknown): void {
  if (textLanguage === undefined || value === null) return;
  const { field, paths } = textLanguage;
  if (path !== field && !path.endsWith(`.${field}`)) return;
  const around = path.slice(0, -field.length).replace(/\.\d+(?=\.)/g, '');
  const isRead = paths.some((indexed) => indexed === '$**' || indexed.startsWith(around));
  if (isRead && !isLanguage(value)) throw refused(path);
}

const isLanguage = (value: unknown): boolean => typeof value === 'string' && languages.has(value.toLowerCase());

/** The declared fields that the text index takes for the language of their document, although they may hold other texts. */
export function mistakenLanguages(schema: ModelSchema): readonly string[] {
  if (schema.textLanguage?.field !== defaultField) return [];
  const paths = placesOf(schema[mongooseSchema]).flatMap((place) => typesIn(place).map(({ path }) => path));
  const named = paths.filter((path) => path === defaultField || path.endsWith(`.${defaultField}`));
  return [...new Set(named)].filter((path) => {
    const values = enumValuesAt(schema, path);
    return values === undefined || ![...values].every((value) => value === null || isLanguage(value));
  });
}

/** Codes of a language that is not a text, and of one that is not supported. */
export const languageCodes: ReadonlySet<unknown> = new Set([17261, 17262]);

const field: unique symbol = Symbol('field of the language');

/** Notes the field that such an error is about, which the database does not report. */
export function noteLanguageField(error: unknown, { textLanguage }: ModelSchema): void {
  if (error instanceof Error && 'code' in error && languageCodes.has(error.code))
    Object.assign(error, { [field]: textLanguage?.field });
}

/** The failure for such an error. */
export function languageRefused(error: object): Failure {
  const { [field]: name = defaultField } = error as { readonly [field]?: string };
  return refused(name);
}

const refused = (path: string): Failure =>
  badValue(
    path,
    'language',
    'must be a language of text indexes, such as english or none, because the text index of the model reads it: language_override of the index can name another field',
  );
