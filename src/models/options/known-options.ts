/** Finds misspelt options of schemas and paths. Mongoose ignores unknown options, so `requierd` has no effect. */
import mongoose, { Schema } from 'mongoose';
import { correctedName } from '../../text/nearest.ts';
import { innerOf, schemaParts, typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import type { AddedOptions } from './added-option.ts';
import { isDefined } from './define-model.ts';
import { displayNames } from './display.ts';
import { optionRows } from './options.ts';

/** Schema options of Mongoose (its `SchemaOptions`) that have no default from which their names could be read. */
const schemaOptionsWithoutDefault = [
  ...['autoCreate', 'autoSearchIndex', 'bufferTimeoutMS', 'collation', 'collection', 'collectionOptions'],
  ...['clusteredIndex', 'encryptionType', 'excludeIndexes', 'expireAfterSeconds', 'expires', 'lean', 'methods'],
  ...['overwriteModels', 'pluginTags', 'pluralization', 'query', 'readConcern', 'safe', 'selectPopulatedPaths'],
  ...['skipVersioning', 'statics', 'storeSubdocValidationError', 'strictPopulate', 'suppressReservedKeysWarning'],
  ...['supressReservedKeysWarning', 'timeseries', 'timestamps', 'toJSON', 'toObject', 'typePojoToMixed', 'virtuals'],
  ...['writeConcern', 'castNonArrays', 'discriminators', 'indexes'],
];

/** Path options that are not accessors of Mongoose's option classes. */
const pathOptionsWithoutAccessor = ['get', 'set', 'alias', 'map', 'encrypt', 'options', 'auto', 'typeKey'];

/** Path options of Dossier that decide what is served. */
const servingPathOptions = ['link', 'map_to', 'reverse', 'perms', 'secret'];

/** Path options of Dossier. */
const ownPathOptions = [...servingPathOptions, ...displayNames];

const coreOptions: readonly string[] = [
  ...Object.keys(schemaParts(new Schema({})).options),
  ...schemaOptionsWithoutDefault,
  ...Object.keys(optionRows),
];

/** The options of paths: Mongoose's, and Dossier's. */
export const pathOptions: ReadonlySet<string> = new Set([
  ...accessorsOf(mongoose.SchemaTypeOptions),
  ...Object.values(Schema.Types).flatMap((type) =>
    accessorsOf(Reflect.get(type.prototype, 'OptionsConstructor') as Optioned),
  ),
  ...pathOptionsWithoutAccessor,
  ...ownPathOptions,
]);

/** A class of options. */
type Optioned = { readonly prototype: object } | undefined;
function accessorsOf(options: Optioned): readonly string[] {
  return Object.getOwnPropertyNames(options?.prototype ?? {}).filter((name) => name !== 'constructor');
}

/** Options that a later version gives a meaning, with what they are to be. A file that sets one expects what would not happen. */
const reservedSchemaOptions: Readonly<Record<string, string>> = { view: 'read-only models over a view' };
const reservedPathOptions: Readonly<Record<string, string>> = {
  sequence: 'consecutive numbers',
  was: 'the former name of a renamed path',
};

/** @throws Error naming an option of a schema, or of a path at any depth, that has no meaning yet */
function refuseReserved(schema: Schema): void {
  const places = placesOf(schema);
  const found = [
    ...places.map(({ schema: one, prefix }) =>
      reservedIn(schemaParts(one).options, reservedSchemaOptions, nameOfSchema(prefix)),
    ),
    ...places.flatMap(typesIn).map(({ type, path }) => reservedIn(typeParts(type).options, reservedPathOptions, path)),
  ].find((fault) => fault !== undefined);
  if (found !== undefined) throw new Error(found);
}

function reservedIn(
  options: Readonly<Record<string, unknown>>,
  reserved: Readonly<Record<string, string>>,
  where: string,
): string | undefined {
  const name = Object.keys(reserved).find((one) => (options[one] ?? false) !== false);
  if (name === undefined) return undefined;
  return `${where} has the option ${JSON.stringify(name)}, which is reserved for ${String(reserved[name])}; this version does not support it: remove the option, or set it to false`;
}

const nameOfSchema = (prefix: string): string =>
  prefix === '' ? 'the schema' : `the schema of ${prefix.slice(0, -1)}`;

/** A misspelt option. */
interface Slip {
  /** `the schema`, or a path. */
  readonly where: string;
  readonly name: string;
  readonly meant: string;
}

/**
 * The misspelt options of a schema, its paths, and the schemas in it, as sentences. A name that does not resemble a known option is
 * accepted: it may belong to a plugin or to the model's author.
 * @throws Error for the first one of a schema that `defineModel` makes, for a misspelt option of Dossier's that decides what is served, and for
 * a reserved one
 */
export function misspeltOptions(schema: Schema, { rows, leftOut }: AddedOptions): readonly string[] {
  refuseReserved(schema);
  const own = [...Object.keys(optionRows), ...rows.map(({ name }) => name), ...leftOut.keys()];
  const serving = new Set([...own, ...servingPathOptions]);
  const slips = slipsIn(schema, new Set([...coreOptions, ...own]), '');
  const refused = slips.find(({ meant }) => isDefined(schema) || serving.has(meant));
  if (refused !== undefined) throw new Error(sentenceOf('has the unknown option', refused));
  return [...new Set(slips.map((slip) => sentenceOf('has an option that Mongoose ignores,', slip)))];
}

const sentenceOf = (verb: string, { where, name, meant }: Slip): string =>
  `${where} ${verb} ${JSON.stringify(name)}; did you mean ${JSON.stringify(meant)}?`;

function slipsIn(schema: Schema, schemaOptions: ReadonlySet<string>, prefix: string): readonly Slip[] {
  const { paths, childSchemas } = schema;
  const { options, subpaths, _applyDiscriminators: kinds } = schemaParts(schema);
  const known = new Set([...pathOptions, String(schema.get('typeKey'))]);
  return [
    ...slipsOf(options, schemaOptions, nameOfSchema(prefix)),
    ...Object.entries(paths).flatMap(([path, type]) => {
      const inner = innerOf(type).schema;
      const isChild = inner !== undefined && childSchemas.some((child) => child.schema === inner);
      const within = isChild ? slipsIn(inner, schemaOptions, `${prefix}${path}.`) : [];
      return [...slipsOf(type.options, known, prefix + path), ...within];
    }),
    // members of documents in lists are checked with their schema
    ...Object.entries(subpaths).flatMap(([path, type]) =>
      type !== 'nested' && path.endsWith('.$')
        ? slipsOf(type.options, known, prefix + path.replace(/(\.\$)+$/, ''))
        : [],
    ),
    ...[...(kinds?.values() ?? [])].flatMap((kind) => slipsIn(kind.schema, schemaOptions, prefix)),
  ];
}

const slipsOf = (options: object, known: ReadonlySet<string>, where: string): readonly Slip[] =>
  Object.keys(options).flatMap((name) => {
    const meant = known.has(name) ? undefined : correctedName(name, known);
    return meant === undefined ? [] : [{ where, name, meant }];
  });
