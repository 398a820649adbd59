/** Warnings about the models at the start, one sentence each: lines of the log, and notices of `dossier check`. Those of rights are in `policy/wide-rights.ts`. */
import { Schema } from 'mongoose';
import { lostPathsOf } from '../author/lost-paths.ts';
import { unboundedPatterns } from '../author/own-pattern.ts';
import type { ModelEntry } from '../entry.ts';
import { mongooseSchema } from '../fields/mongoose-keys.ts';
import { typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { pathOptions } from '../options/known-options.ts';
import { contestedLinksOf, dynamicLinksOf } from './links.ts';
import { repeatedIndexes } from './repeated-indexes.ts';
import { sharedCollection } from './shared-collections.ts';
import { mistakenLanguages } from './text-language.ts';
import { unservedVirtualsOf } from './virtual-links.ts';

/**
 * Fields that Mongoose takes for options, such as `loc.coordinates`: in `{ loc: { type: String, coordinates: [Number] } }` it reads `type` as
 * the type of `loc`, and ignores `coordinates`.
 */
function swallowedFields(schema: Schema): readonly string[] {
  const found = placesOf(schema).flatMap((place) =>
    typesIn(place).flatMap(({ type, path }) =>
      Object.entries(typeParts(type).options)
        .filter(([name, value]) => !pathOptions.has(name) && name !== place.schema.get('typeKey') && isType(value))
        .map(([name]) => `${path}.${name}`),
    ),
  );
  return [...new Set(found)];
}

const declaredTypes: ReadonlySet<unknown> = new Set([
  ...[String, Number, Boolean, Date, Buffer, BigInt, Map],
  ...Object.values(Schema.Types),
]);

/** Whether a value is what declares a field. Options of plugins have other values. */
const isType = (value: unknown): boolean => declaredTypes.has(Array.isArray(value) ? value[0] : value);

/** The options of limits; where a type has one, it has a method of its name (`SchemaType`'s constructor). */
const limits = ['min', 'max', 'minlength', 'minLength', 'maxlength', 'maxLength', 'match', 'enum'] as const;

/** Limits that Mongoose has for other types, and therefore ignores, as authors see them, such as `min of price (Decimal128)`. */
function idleLimits(schema: Schema): readonly string[] {
  const found = placesOf(schema)
    .flatMap(typesIn)
    .flatMap(({ type, path }) => {
      const { options } = typeParts(type);
      return limits
        .filter((name) => (options[name] ?? undefined) !== undefined && typeof Reflect.get(type, name) !== 'function')
        .map((name) => `${name} of ${path} (${type.instance})`);
    });
  return [...new Set(found)];
}

/** What a warning is about; the documentation lists them. */
export const warningKinds = [
  'folder',
  'file',
  'right',
  'rule',
  'hidden',
  'json',
  'middleware',
  'search',
  'populate',
  'language',
  'repeated',
  'collection',
] as const;

export interface StartWarning {
  readonly kind: (typeof warningKinds)[number];
  /** Undefined for what is about the folder and its files. */
  readonly model: string | undefined;
  /** A sentence, without the name of the model. */
  readonly message: string;
  /** Which of several that a kind has. */
  readonly code?: string;
}

/** A warning as a line of the log. */
export const warningLine = ({ model, message }: StartWarning): string =>
  model === undefined ? message : `${model}: ${message}`;

type Warning = (entry: ModelEntry, entries: readonly ModelEntry[]) => string | undefined;

/** @param folder the models folder @param entries all models */
export function startWarnings(folder: string, entries: readonly ModelEntry[]): readonly StartWarning[] {
  const own = entries.filter(({ file }) => file !== undefined);
  if (own.length === 0) {
    const message = `${folder} (MODELS_DIR) has no model files, so only the built-in models are served; MODELS_FOLDERS names the folders in it that have some`;
    return [{ kind: 'folder', model: undefined, message }];
  }
  return own
    .filter(({ options }) => !options.internal)
    .flatMap((entry) => [
      ...warnings.flatMap(([kind, warning]) => warningOf(entry, kind, warning(entry, own))),
      ...idleMiddleware(entry),
      ...entry.warnings.map((warning) => ({ ...warning, model: entry.name })),
    ]);
}

const warningOf = (
  { name }: ModelEntry,
  kind: StartWarning['kind'],
  message: string | undefined,
): readonly StartWarning[] => (message === undefined ? [] : [{ kind, model: name, message }]);

const warnings: readonly (readonly [StartWarning['kind'], Warning])[] = [
  ['populate', notServed],
  ['rule', skippedRules],
  ['rule', ignoredRules],
  ['rule', ignoredFields],
  ['rule', slowPatterns],
  ['json', lostInJson],
  ['search', searchedHidden],
  ['populate', notPopulated],
  ['language', takenForLanguage],
  ['repeated', repeated],
  ['collection', sharedCollection],
];

/** Warns about `save_on_put: false` where middleware or rules need the document. */
function skippedRules({ saveHooks, documentRules, changesBySave }: ModelEntry): string | undefined {
  if (changesBySave || saveHooks.length + documentRules.length === 0) return undefined;
  const middleware = saveHooks.length === 0 ? [] : [`run no ${saveHooks.join(', ')}`];
  const shown = documentRules.map(({ path, kind }) => `${path} (${kind})`);
  const rules = shown.length === 0 ? [] : [`give no document to the rules of ${shown.join(', ')}`];
  return `save_on_put is false, so changes ${[...middleware, ...rules].join(' and ')}; PUT /update loads and saves, and so do all changes without this option`;
}

/** Warns about limits that Mongoose does not have for the type of their path, and ignores. */
function ignoredRules({ schema }: ModelEntry): string | undefined {
  const found = idleLimits(schema[mongooseSchema]);
  if (found.length === 0) return undefined;
  return `Mongoose ignores ${found.join(', ')}: write a validator (validate) instead`;
}

/** Warns about fields beside one that is named `type`. */
function ignoredFields({ schema }: ModelEntry): string | undefined {
  const found = swallowedFields(schema[mongooseSchema]);
  if (found.length === 0) return undefined;
  return `Mongoose reads the type beside ${found.join(', ')} as the type of the whole path, and ignores the rest; a field named type is written type: { type: String }`;
}

/** Warns about patterns that may take very long, and which no engine of linear time can run. */
function slowPatterns({ schema }: ModelEntry): string | undefined {
  const found = unboundedPatterns(schema[mongooseSchema]);
  if (found.length === 0) return undefined;
  return `the pattern (match) of ${found.join(', ')} can take very long on some texts, during which the server answers no request: write it without nested repetitions, look-arounds and back references`;
}

/** Reports indexes that are declared more than once. */
function repeated({ file, name, schema }: ModelEntry): string | undefined {
  const keys = repeatedIndexes(schema[mongooseSchema]);
  if (keys.length === 0) return undefined;
  return `${file ?? name}: ${keys.join(', ')} ${keys.length === 1 ? 'is an index that is' : 'are indexes that are'} declared more than once; the declarations count as one`;
}

/** Warns about middleware that runs for code of the model files alone, such as `this.find()` in a static, and for no request. */
const idleMiddleware = (entry: ModelEntry): readonly StartWarning[] =>
  entry.idleMiddleware.flatMap(({ hides, titles, instead }) =>
    warningOf(entry, hides ? 'hidden' : 'middleware', `no request runs ${titles.join(', ')}: ${instead}`),
  );

/** Warns about what code of the application leaves out of its answers, and these do not. */
function lostInJson(entry: ModelEntry): string | undefined {
  const paths = lostPathsOf(entry);
  if (paths.length === 0) return undefined;
  return `answers show ${paths.join(', ')}, which toJSON or toObject leaves out: neither runs for answers, so set select: false, or perms of the path (docs/permissions.md)`;
}

/** Warns about text indexes over hidden fields: a caller can find out their values word by word by searching. */
function searchedHidden({ textPaths, unselected }: ModelEntry): string | undefined {
  if (unselected.length === 0) return undefined;
  const hidden = textPaths.flatMap((path) =>
    path === '$**' ? unselected : unselected.filter((one) => covers(one, path)),
  );
  if (hidden.length === 0) return undefined;
  return `the text index covers ${[...new Set(hidden)].join(', ')} (select: false), so searches find documents by it`;
}

/** Warns about paths that name models which files compile and do not export. */
function notServed({ unservedLinks }: ModelEntry): string | undefined {
  if (unservedLinks.length === 0) return undefined;
  const shown = unservedLinks.map(({ path, model }) => `${path} (${model.name} of ${model.file ?? 'a package'})`);
  return `populate does not show ${shown.join(', ')}: no file exports the model, so it is not served; export it to serve it`;
}

/** Warns about what Mongoose's own `populate` fills, and that of the service does not. */
function notPopulated({ schema: { [mongooseSchema]: schema } }: ModelEntry): string | undefined {
  const paths = [...dynamicLinksOf(schema), ...contestedLinksOf(schema), ...unservedVirtualsOf(schema)];
  if (paths.length === 0) return undefined;
  return `populate does not show ${paths.join(', ')}: the service follows links to one model, by all documents (docs/links.md)`;
}

/** Warns about fields that a text index takes for the language of their document. */
function takenForLanguage({ schema }: ModelEntry): string | undefined {
  const paths = mistakenLanguages(schema);
  if (paths.length === 0) return undefined;
  return `the text index reads ${paths.join(', ')} as the language of the words, and refuses values such as "JavaScript"; give the index the option language_override, such as { language_override: 'text_language' }`;
}

const covers = (hidden: string, path: string): boolean =>
  path === hidden || path.startsWith(`${hidden}.`) || hidden.startsWith(`${path}.`);
