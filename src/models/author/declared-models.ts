/** Loads model files, and finds the models that they declare. */
import { basename } from 'node:path';
import type { Schema } from 'mongoose';
import mongoose from 'mongoose';
import { faultOfName, type ModelFaults, type ModelFile, modelFileError } from '../loading/files.ts';
import { isKind, kindNamesOf, type LoadedSchema, withKinds } from '../loading/loaded-schema.ts';
import type { AuthorMongoose } from './author-mongoose.ts';
import type { CompiledModel } from './compiled-models.ts';
import { factoryOf, isModel, isSchema, type ModelExports, readExports } from './exported.ts';
import type { LoadFile } from './file-loader.ts';
import { type AnyModel, anyModel } from './handle.ts';
import { loadFailure } from './load-failure.ts';
import { otherMongoose } from './one-mongoose.ts';

interface ReadFile extends ModelFile {
  readonly exported: ModelExports;
}

/** A model of a file, and the compiled model that files have a handle of. */
export interface DeclaredModel extends LoadedSchema {
  readonly compiled?: CompiledModel | undefined;
}

/** What files declare. */
interface Declared {
  /** By name. */
  readonly models: readonly DeclaredModel[];
  /** The names of files with faults, so that links to their models are none. */
  readonly faulty: readonly string[];
  /** Files that neither export nor compile a model: helpers, types, connections. */
  readonly leftOut: readonly string[];
}

/**
 * The models of files. Files are loaded one after the other, because they import each other; one that asks Mongoose for a model which
 * another file compiles is loaded again after the others, as long as one of them loads.
 * @param faults receives those of files that cannot be loaded
 */
export async function declaredModels(
  files: readonly ModelFile[],
  load: LoadFile,
  author: AuthorMongoose,
  faults: ModelFaults,
): Promise<Declared> {
  const read: ReadFile[] = [];
  const faulty: string[] = [];
  let waiting = files;
  for (let before = Infinity; waiting.length > 0;) {
    const early: ModelFile[] = [];
    const isLast = waiting.length === before;
    const failed = (file: ModelFile, error: unknown): void => {
      if (isTooEarly(error) && !isLast) return void early.push(file);
      faults.add(error);
      faulty.push(file.name);
    };
    for (const file of waiting)
      await readModelFile(file, load, author).then(
        (one) => read.push(one),
        (error: unknown) => failed(file, error),
      );
    before = waiting.length;
    waiting = early;
  }
  const leftOut = read.filter((file) => isHelper(file, author)).map(({ file }) => file);
  return { ...namedModels(read, author, faults, faulty), leftOut };
}

/** A part of the project that brings schemas of its own. */
export interface SchemaSource {
  /** What messages name it. */
  readonly where: string;
  readonly schemas: Readonly<Record<string, unknown>>;
}

/**
 * The models of plug-ins, which are treated as those of files.
 * @param own the models of files @param faults receives those of names that are taken, and of what is no schema
 */
export function broughtModels(
  sources: readonly SchemaSource[],
  own: readonly DeclaredModel[],
  author: AuthorMongoose,
  faults: ModelFaults,
): readonly DeclaredModel[] {
  const found = new Map(own.map((model) => [model.name, model]));
  const brought = (where: string, name: string, schema: unknown): DeclaredModel => {
    const fault = faultOfName(name, found.get(name)?.file);
    if (fault !== undefined) throw modelFileError(where, `the model ${name}: ${fault}`);
    if (!isSchema(schema)) throw modelFileError(where, `the model ${name} must be a Mongoose schema`);
    return declared(name, schema, { name, file: where }, author);
  };
  return sources.flatMap(({ where, schemas }) =>
    Object.entries(schemas).flatMap(([name, schema]) => {
      const model = faults.collect(() => brought(where, name, schema));
      if (model !== undefined) found.set(name, model);
      return model ?? [];
    }),
  );
}

const isTooEarly = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof mongoose.Error.MissingSchemaError;

/** @throws ModelFileError with file and reason */
async function readModelFile(file: ModelFile, load: LoadFile, { module }: AuthorMongoose): Promise<ReadFile> {
  try {
    const exported = await load(file.file);
    const factory = factoryOf(exported);
    return { ...file, exported: readExports(factory === undefined ? exported : await factory(module)) };
  } catch (error) {
    throw modelFileError(file.file, loadFailure(error, file.file), error);
  }
}

/** The models of all files by their names. Of several files that export a model, one declares it. @param unread names of other files */
function namedModels(
  files: readonly ReadFile[],
  author: AuthorMongoose,
  faults: ModelFaults,
  unread: readonly string[],
): Pick<Declared, 'models' | 'faulty'> {
  const owners = ownersOf(files, author);
  const faulty = [...unread];
  const all = files.flatMap((file) => {
    const models = ownModels(file, owners, author, faults);
    if (models.includes(undefined)) faulty.push(file.name);
    return models.filter((model) => model !== undefined);
  });
  const found = new Map<string, DeclaredModel>();
  for (const model of apart(all)) {
    const fault = faultOfName(model.name, found.get(model.name)?.file);
    if (fault === undefined) found.set(model.name, model);
    else faults.add(modelFileError(model.file ?? model.name, fault));
  }
  return { models: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), faulty };
}

/** Of several files with one name, those that compile their models under others are distinguished by these. */
function apart(models: readonly DeclaredModel[]): readonly DeclaredModel[] {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, file } of models) files.set(name, (files.get(name) ?? new Set()).add(file));
  return models.map((model) => {
    const { name, compiledAs } = model;
    return compiledAs === undefined || (files.get(name)?.size ?? 0) < 2
      ? model
      : { ...model, name: compiledAs.toLowerCase() };
  });
}

/** A compiled model that files export: one of those that they have a handle of, or another one. */
type Owned = CompiledModel | AnyModel;

/** The file that declares each compiled model: the one that compiles it, one of its name, or the first one that exports it. */
function ownersOf(files: readonly ReadFile[], author: AuthorMongoose): ReadonlyMap<Owned, ReadFile> {
  const owners = new Map<Owned, ReadFile>();
  const score = (file: ReadFile, model: Owned): number =>
    Number(isHandled(model) && model.file === file.file) * 2 + Number(file.name === nameOf(model).toLowerCase());
  for (const file of files)
    for (const model of ownedBy(file, author)) {
      const other = owners.get(model);
      if (other === undefined || score(file, model) > score(other, model)) owners.set(model, file);
    }
  return owners;
}

/** The models that a file exports; if it exports nothing, those that it compiles. */
function ownedBy({ file, exported }: ReadFile, author: AuthorMongoose): readonly Owned[] {
  const { models, schemas } = exported;
  if (models.length === 0 && schemas.length === 0) return author.compiled.filter((one) => one.file === file);
  return [...new Set(models.map((model) => author.compiledOf(model) ?? baseOf(model)))];
}

/** The model that a discriminator belongs to, where both are compiled by a package such as typegoose, or on a connection; itself for any other. */
const baseOf = (model: AnyModel): AnyModel =>
  isKind(model.schema) ? anyModel(model.db.models[model.baseModelName ?? ''] ?? model) : model;

const isHandled = (model: Owned): model is CompiledModel => !isModel(model);
const nameOf = (model: Owned): string => (isHandled(model) ? model.name : model.modelName);
const isIndex = ({ file }: ModelFile): boolean => /^index\./.test(basename(file));

/** Whether a file has no part in the models, and is no index, which may pass on what others have. */
const isHelper = (file: ReadFile, author: AuthorMongoose): boolean =>
  !isIndex(file) && file.exported.schemas.length === 0 && ownedBy(file, author).length === 0;

/** @returns undefined for each model with a fault */
function ownModels(
  file: ReadFile,
  owners: ReadonlyMap<Owned, ReadFile>,
  author: AuthorMongoose,
  faults: ModelFaults,
): readonly (DeclaredModel | undefined)[] {
  const own = ownedBy(file, author).filter((model) => owners.get(model) === file);
  const compiled = new Set<unknown>(
    [...owners.keys()].flatMap((one) => (isHandled(one) ? [one.current().schema] : [])),
  );
  // a schema that another file compiles is that of its model
  const schemas = file.exported.schemas.filter(({ schema }) => !compiled.has(schema));
  const isOne = own.length + schemas.length === 1 && !isIndex(file);
  return [
    ...own.map((model) => faults.collect(() => compiledModel(model, file, isOne && file.isNamed))),
    ...schemas.map(({ name, schema }) => faults.collect(() => declared(name, schema, file, author))),
  ];
}

/** @param takesName whether the name of the file is the model's */
function compiledModel(model: Owned, { name, file }: ReadFile, takesName: boolean): DeclaredModel {
  const compiled = isHandled(model) ? model : undefined;
  const made = isHandled(model) ? model.current() : model;
  refuseSchema(made.schema, file);
  if (made.db.readyState !== mongoose.ConnectionStates.disconnected && compiled === undefined)
    throw modelFileError(
      file,
      `${made.modelName} is on a connection of its own: compile it with mongoose.model(), or export its schema`,
    );
  return {
    name: takesName ? name : made.modelName.toLowerCase(),
    file,
    schema: withKinds(made),
    collection: made.collection.name,
    compiledAs: made.modelName,
    kinds: Object.keys(made.discriminators ?? {}),
    compiled,
  };
}

function declared(
  named: string | undefined,
  schema: Schema,
  { name, file }: Pick<ModelFile, 'name' | 'file'>,
  author: AuthorMongoose,
): DeclaredModel {
  refuseSchema(schema, file);
  author.applyPlugins(schema);
  return { name: named?.toLowerCase() ?? name, file, schema, collection: undefined, kinds: kindNamesOf(schema) };
}

/** @throws ModelFileError for a schema of another Mongoose, and for a discriminator whose model is unknown */
function refuseSchema(schema: Schema, file: string): void {
  if (!(schema instanceof mongoose.Schema))
    throw modelFileError(
      file,
      `its schema is not one of the server's Mongoose: ${otherMongoose() ?? 'import mongoose'}`,
    );
  if (isKind(schema))
    throw modelFileError(file, 'a discriminator is served with the model that it belongs to: export that one');
}
