/** Refuses misspelt options of schemas and paths. Mongoose ignores unknown options, so `requierd` would have no effect. */
import mongoose, { Schema } from 'mongoose';
import { misspelt } from '../../nearest.ts';
import { innerOf, schemaParts } from '../mongoose/internals.ts';
import type { AddedOptions } from './added-option.ts';
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

/** Path options of Dossier. */
const ownPathOptions = ['link', 'map_to', 'reverse', 'perms', ...displayNames];

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

/**
 * Checks the names of all options of a schema, its paths, and the schemas in it. A name that does not resemble a known option is
 * accepted: it may belong to a plugin or to the model's author.
 * @throws Error naming the path, the option and the probable one
 */
export function refuseMisspeltOptions(schema: Schema, { rows, leftOut }: AddedOptions): void {
  checkNames(schema, new Set([...coreOptions, ...rows.map(({ name }) => name), ...leftOut.keys()]), '');
}

function checkNames(schema: Schema, schemaOptions: ReadonlySet<string>, prefix: string): void {
  const { paths, childSchemas } = schema;
  const { options, subpaths, _applyDiscriminators: kinds } = schemaParts(schema);
  check(options, schemaOptions, prefix === '' ? 'the schema' : `the schema of ${prefix.slice(0, -1)}`);
  const known = new Set([...pathOptions, String(schema.get('typeKey'))]);
  for (const [path, type] of Object.entries(paths)) {
    check(type.options, known, prefix + path);
    const inner = innerOf(type).schema;
    if (inner !== undefined && childSchemas.some((child) => child.schema === inner))
      checkNames(inner, schemaOptions, `${prefix}${path}.`);
  }
  // members of documents in lists are checked with their schema
  for (const [path, type] of Object.entries(subpaths))
    if (type !== 'nested' && path.endsWith('.$')) check(type.options, known, prefix + path.replace(/(\.\$)+$/, ''));
  for (const { schema: kind } of kinds?.values() ?? []) checkNames(kind, schemaOptions, prefix);
}

function check(options: object, known: ReadonlySet<string>, where: string): void {
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const meant = misspelt(name, known);
    if (meant !== undefined)
      throw new Error(
        `${where} has the unknown option ${JSON.stringify(name)}; did you mean ${JSON.stringify(meant)}?`,
      );
  }
}
