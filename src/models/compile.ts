/** Schemas → the registry's entries: options checked, links resolved, Mongoose models made on the server's connection. */
import type { Schema } from 'mongoose';
import type { Connection, Model } from 'mongoose';
import { withBase } from './base.ts';
import { boundModelCode } from './bounded.ts';
import { completeUser } from './built-in/user.ts';
import { mongooseModel, type Link, type ModelEntry } from './entry.ts';
import { ModelFileError } from './files.ts';
import { refuseMisspeltOptions } from './known-options.ts';
import { linksOf } from './links.ts';
import { checkBeforeStored } from './model-writes.ts';
import type { LoadedSchema } from './load.ts';
import { kindsOf } from './mongoose.ts';
import { optionRows, readOptions, type ModelOptions } from './options.ts';
import { refuseOwnNames } from './reserved-names.ts';
import { aliasesOf } from './resolve-alias.ts';
import { ownSaveHooks } from './save-hooks.ts';
import { isSecretPath } from './secrets.ts';
import { innerOf, typeAt } from './path-type.ts';
import { fieldPermsOf, type FieldPerms } from './permissions.ts';
import { unaskedOf } from './unselected-paths.ts';

/** Adds what hears of a model's own writes to its schema. */
export type Hear = (schema: Schema, entry: () => ModelEntry) => void;

export interface CompileOptions {
  /** Milliseconds in which each middleware and validator has to end. */
  readonly limit: number;
  /** Hears what models write, where the database does not tell of it in time. */
  readonly hear?: Hear | undefined;
}

interface Prepared extends LoadedSchema {
  readonly options: ModelOptions;
  readonly fieldPerms: FieldPerms;
  readonly links: readonly Link[];
  readonly saveHooks: readonly string[];
}

/**
 * Makes the entries of all models.
 * @throws ModelFileError naming the file and what is wrong with it
 */
export function compileModels(
  loaded: readonly LoadedSchema[],
  connection: Connection,
  { limit, hear }: CompileOptions,
): ModelEntry[] {
  const prepared = loaded.map(prepare);
  const names = new Set(prepared.map(({ name }) => name));
  for (const { file, name, links } of prepared)
    for (const link of links)
      if (!names.has(link.model))
        throw new ModelFileError(file ?? name, `${link.path} links to ${link.model}, which is no model`);
  return prepared.map((model) => {
    boundModelCode(model.schema, model.name, limit);
    if (!model.options.internal) hear?.(model.schema, () => entry);
    checkBeforeStored(model.schema);
    const entry = compile(model, prepared, connection);
    return entry;
  });
}

function prepare(loaded: LoadedSchema): Prepared {
  const { name, file } = loaded;
  try {
    refuseOwnParts(loaded.schema);
    if (file !== undefined) refuseMisspeltOptions(loaded.schema);
    const schema = withBase(loaded.schema);
    if (name === 'user') completeUser(schema);
    const given: Record<string, unknown> = {};
    for (const option of Object.keys(optionRows))
      given[option] = (schema as unknown as { options: Record<string, unknown> }).options[option];
    refuseOwnNames(schema);
    refuseSecretIndexes(schema);
    refuseSecretAliases(schema);
    const options = readOptions(given, new Set(Object.keys(schema.statics)));
    if (!options.internal) refuseOtherIds(schema);
    const links = linksOf(schema);
    refuseTakenNames(schema, links);
    const fieldPerms = fieldPermsOf(schema, options.perms.keys());
    return { ...loaded, schema, options, fieldPerms, links, saveHooks: ownSaveHooks(loaded.schema) };
  } catch (error) {
    throw new ModelFileError(file ?? name, error instanceof Error ? error.message : String(error), error);
  }
}

/** A schema within itself has paths without end. @param above the schemas that this one is in */
function refuseOwnParts(schema: Schema, above: readonly Schema[] = []): void {
  for (const [path, type] of Object.entries(schema.paths)) {
    const inner = innerOf(type).schema;
    if (inner === undefined) continue;
    if (inner === schema || above.includes(inner))
      throw new Error(`${path} holds documents of the schema that it is in: link to them instead, or make it Mixed`);
    refuseOwnParts(inner, [...above, schema]);
  }
}

/** A linked document is shown under a name of its own: a field of that name could neither be written nor shown. */
function refuseTakenNames(schema: Schema, links: readonly Link[]): void {
  for (const { path, as } of links) {
    const isField = as !== path && (as === 'id' || as === '__v' || typeAt(schema, as).kind !== 'unknown');
    if (isField || links.some((other) => other.path !== path && other.as === as))
      throw new Error(`${path} is shown as ${as}, and so is another field: give the link another name by map_to`);
  }
}

/** Ids are ObjectIds in paths, links and filters. */
function refuseOtherIds({ paths }: Schema): void {
  if (paths['_id']?.instance !== 'ObjectId') throw new Error('_id must be an ObjectId, as Mongoose makes it');
}

/** A text index over a password-named path would make the hash searchable. */
function refuseSecretIndexes(schema: Schema): void {
  const secrets = Object.keys(schema.paths).some(isSecretPath);
  for (const [fields] of schema.indexes())
    for (const [path, type] of Object.entries(fields))
      if (type === 'text' && (isSecretPath(path) || (path === '$**' && secrets)))
        throw new Error(`the text index over ${path} would make passwords searchable`);
}

/** A password-named alias would be hashed on its way in and shown under the name of its path. */
function refuseSecretAliases(schema: Schema): void {
  for (const [alias, path] of Object.entries(aliasesOf(schema)))
    if (isSecretPath(alias) && !isSecretPath(path))
      throw new Error(`the alias ${alias} of ${path} would show what is meant as a password`);
}

function compile(model: Prepared, all: readonly Prepared[], connection: Connection): ModelEntry {
  const { name, file, compiledAs, schema, options, fieldPerms, links, saveHooks } = model;
  const made = connection.model(name, schema, model.collection) as unknown as Model<Record<string, unknown>>;
  return Object.freeze({
    name,
    file,
    compiledAs,
    schema,
    options,
    fieldPerms,
    links,
    saveHooks,
    collection: made.collection.name,
    linkedFrom: all.flatMap((other) =>
      other.links.filter((link) => link.model === name).map((link) => ({ model: other.name, link })),
    ),
    textPaths: schema.indexes().flatMap(([fields]) => Object.keys(fields).filter((path) => fields[path] === 'text')),
    computed: isComputed(schema),
    unasked: [...new Set([schema, ...kindsOf(made).map((kind) => kind.schema)].flatMap(unaskedOf))],
    [mongooseModel]: made,
  });
}

/** Own virtuals (besides `id` and aliases) or getters, at any depth. */
function isComputed(schema: Schema): boolean {
  const aliases = new Set(Object.keys(aliasesOf(schema)));
  const virtuals: Readonly<Record<string, { readonly getters: readonly unknown[] }>> = schema.virtuals;
  const own = Object.entries(virtuals).some(
    ([name, virtual]) => name !== 'id' && !aliases.has(name) && virtual.getters.length > 0,
  );
  const getters = Object.values(schema.paths).some(
    (type) => (type as unknown as { getters: readonly unknown[] }).getters.length > 0,
  );
  return own || getters || schema.childSchemas.some((child) => isComputed(child.schema));
}
