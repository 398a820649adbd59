/** Compiles schemas to the registry's entries: checks options, resolves links, and creates Mongoose models on the connection. */
import type { Connection, Schema } from 'mongoose';
import { suggestion } from '../../text/nearest.ts';
import { anyModel } from '../author/handle.ts';
import { fillPlaceholders } from '../author/message-placeholders.ts';
import { ownPathsOf } from '../built-in/own-paths.ts';
import { completeUser } from '../built-in/user.ts';
import { type Link, type ModelEntry, type ModelWarning, mongooseModel, type UnservedLink } from '../entry.ts';
import { compileSchema } from '../fields/compile-schema.ts';
import { checkIdType, type DeclaredIds, declaredIds, idTypeOf } from '../fields/document-id.ts';
import { typeAt } from '../fields/path-type.ts';
import { kindsOf, modelOf } from '../mongoose.ts';
import { boundModelCode } from '../mongoose/bounded.ts';
import { needsSave } from '../mongoose/direct/index.ts';
import { documentRulesOf } from '../mongoose/document-rules.ts';
import { idleMiddlewareOf } from '../mongoose/idle-middleware.ts';
import { innerOf, schemaParts } from '../mongoose/internals.ts';
import { keepHashes } from '../mongoose/keep-hashes.ts';
import { markConversions, markResults } from '../mongoose/marked-documents.ts';
import { checkBeforeStored } from '../mongoose/model-writes.ts';
import { holdForPasswords } from '../mongoose/password-rules.ts';
import { ownSaveHooks, renewMiddleware } from '../mongoose/save-hooks.ts';
import { kindSchemasOf, typesIn } from '../mongoose/schema-places.ts';
import { nameSetterFaults } from '../mongoose/setter-faults.ts';
import { validateInSlices } from '../mongoose/sliced-validation.ts';
import { isComputed } from '../mongoose/virtuals.ts';
import { type AddedOptions, noneAdded, refuseLeftOut } from '../options/added-option.ts';
import { isDefined } from '../options/define-model.ts';
import { checkDisplay } from '../options/display.ts';
import { listedOptions, type ModelOptions, readOptions } from '../options/options.ts';
import { type FieldPerms, fieldPermsOf } from '../options/permissions.ts';
import { refuseBreakingMembers } from '../options/shadowed-methods.ts';
import { preload } from '../preload.ts';
import { stampPaths, withBase } from './base.ts';
import { inFile, type ModelFaults, modelFileError } from './files.ts';
import { addIndex } from './indexes.ts';
import { type DeclaredLink, linksOf, markLinks } from './links.ts';
import type { LoadedSchema } from './loaded-schema.ts';
import { type ModelNames, refuseOwnNames } from './model-names.ts';
import { mergeIndexes } from './repeated-indexes.ts';
import { indexReverses, reversesOf } from './reverse-links.ts';
import {
  refuseSecretAliases,
  refuseSecretIndexes,
  refuseSecretReverses,
  refuseSecretVirtuals,
  unselectedPaths,
} from './secret-paths.ts';
import { refuseOwnCollections } from './shared-collections.ts';
import { isFollowed, refsOf, unservedLinksOf, warningsOfLinks, warningsOfNames } from './tolerated.ts';
import { type DeclaredVirtual, virtualLinksOf } from './virtual-links.ts';

/** Adds a listener of a model's own writes to its schema. */
export type OnSchema = (schema: Schema, entry: () => ModelEntry) => void;

export interface CompileOptions {
  /** Maximum milliseconds of each middleware and validator. */
  readonly limit: number;
  /** Listens to the models' own writes, where the database does not report them in time. */
  readonly onSchema?: OnSchema | undefined;
  /** The options of features; none by default. */
  readonly added?: AddedOptions;
  /** The names of all models, also of those whose files have faults. */
  readonly names: ModelNames;
  /** Receives the faults of models. */
  readonly faults: ModelFaults;
  /** Whether other code of the project than functions may answer with documents. */
  readonly runsCode?: boolean;
  /** The field by which users sign in; the email by default. */
  readonly loginField?: string;
}

interface Prepared extends LoadedSchema {
  readonly options: ModelOptions;
  readonly declaredNames: readonly string[];
  readonly fieldPerms: FieldPerms;
  readonly ownPaths: readonly string[];
  readonly links: readonly Link[];
  readonly virtualLinks: readonly DeclaredVirtual[];
  readonly unservedLinks: readonly UnservedLink[];
  readonly warnings: readonly ModelWarning[];
  readonly rules: Pick<
    ModelEntry,
    'saveHooks' | 'documentRules' | 'createsBySave' | 'changesBySave' | 'idleMiddleware'
  >;
}

/**
 * Creates the entries of all models that have no faults.
 * @param faults receives those of the others
 */
export function compileModels(
  loaded: readonly LoadedSchema[],
  connection: Connection,
  { limit, names, onSchema, runsCode = false, faults, added = noneAdded, loginField = 'email' }: CompileOptions,
): ModelEntry[] {
  const ids = new Map(loaded.map(({ name, schema }) => [name, declaredIds(schema)]));
  const idsOf = (model: string): DeclaredIds | undefined => ids.get(names.find(model) ?? '');
  const prepared = loaded.flatMap(
    (one) => faults.collect(() => prepare(one, { names, idsOf, added, loginField })) ?? [],
  );
  reportUnknownLinks(prepared, names, faults);
  const virtuals = prepared.flatMap(({ virtualLinks }) => virtualLinks);
  for (const model of prepared) indexReverses(model, virtuals);
  const compiled = new Map<string, ModelEntry>();
  // only code of the project can answer with documents that it has got by itself
  const marksResults = runsCode || prepared.some(hasFunctions);
  const compileOne = (model: Prepared): ModelEntry => {
    holdForPasswords(model.schema);
    boundModelCode(model.schema, model.name, limit);
    nameSetterFaults(model.schema);
    fillPlaceholders(model.schema);
    if (!model.options.internal) onSchema?.(model.schema, () => entry);
    keepHashes(model.schema);
    checkBeforeStored(model.schema);
    if (marksResults)
      markResults(
        model.schema,
        () => entry,
        (name) => compiled.get(name),
      );
    renewMiddleware(model.schema);
    const entry = compile(model, prepared, connection);
    validateInSlices(modelOf(entry).schema);
    if (marksResults) markConversions(modelOf(entry), entry);
    compiled.set(entry.collection, entry);
    return entry;
  };
  const entries = prepared.flatMap((model) => faults.collect(() => inFile(model, () => compileOne(model))) ?? []);
  refuseOwnCollections(entries, faults);
  return entries;
}

interface PrepareUse {
  readonly names: ModelNames;
  readonly idsOf: (model: string) => DeclaredIds | undefined;
  readonly added: AddedOptions;
  readonly loginField: string;
}

function prepare(loaded: LoadedSchema, { names, idsOf, added, loginField }: PrepareUse): Prepared {
  const { name, file } = loaded;
  return inFile(loaded, () => {
    refuseOwnParts(loaded.schema);
    refuseBreakingMembers(loaded.schema, file);
    const ofNames = file === undefined ? [] : warningsOfNames(loaded.schema, file, added);
    const schema = withBase(loaded.schema);
    if (name === 'user') completeUser(schema, loginField);
    mergeIndexes(schema);
    refuseOwnNames(schema);
    refuseSecretAliases(schema);
    const options = readOptions(givenOptions(schema, file, added), new Set(Object.keys(schema.statics)), added.rows);
    checkDisplay(schema, options);
    for (const { index } of options.added.set) if (index !== undefined) addIndex(schema, index);
    if (!options.internal) checkIdType(schema, name);
    const mismatched = markLinks(schema, idsOf, isDefined(loaded.schema));
    const declared = linksOf(schema);
    const isServed = (link: DeclaredLink | DeclaredVirtual): boolean => isFollowed(link, loaded.schema, names);
    const links = declared
      .filter(isServed)
      .map(({ option: _, ...link }) => ({ ...link, model: linkedModel(link, names) }));
    refuseTakenNames(schema, links);
    refuseSecretReverses(links);
    const virtuals = virtualLinksOf(schema);
    const virtualLinks = virtuals.filter(isServed).map((link) => ({
      ...link,
      model: names.find(link.model) ?? link.model,
    }));
    refuseSecretVirtuals(virtualLinks);
    const fieldPerms = fieldPermsOf(schema, options.perms.keys());
    const ownPaths = ownPathsOf(name, loaded.schema);
    refuseSecretIndexes(schema, ownPaths);
    const refs = refsOf(declared, virtuals);
    const unservedLinks = unservedLinksOf(refs, names);
    const warnings = [...ofNames, ...mismatched, ...warningsOfLinks(refs, loaded.schema, names)];
    const rules = rulesOf(loaded.schema, options);
    const found = { fieldPerms, ownPaths, links, virtualLinks, unservedLinks, warnings, rules };
    return { ...loaded, schema, options, declaredNames: namesDeclaredIn(loaded.schema), ...found };
  });
}

const namesDeclaredIn = (schema: Schema): readonly string[] =>
  [schema, ...kindSchemasOf(schema)].flatMap(({ paths }) =>
    Object.keys(paths).map((path) => path.split('.', 1)[0] ?? path),
  );

/** The options of a schema that the server knows. */
function givenOptions(
  schema: LoadedSchema['schema'],
  file: string | undefined,
  added: AddedOptions,
): Record<string, unknown> {
  const { options: all } = schemaParts(schema);
  const read = file === undefined ? all : (preload()?.options(all, file) ?? all);
  // the server's own models leave the options of features out that the server does not have
  if (file !== undefined) refuseLeftOut(read, added);
  return Object.fromEntries(listedOptions(added.rows).map(({ name }) => [name, read[name]]));
}

/** Whether callers call code of the project; what own models answer by theirs are results of operations. */
const hasFunctions = ({ options }: Pick<Prepared, 'options'>): boolean =>
  !options.internal && options.callable_statics.size > 0;

/** The served name of a linked model. Stamps name the model that signs in, whatever a file compiles under its name. */
const linkedModel = ({ path, model }: Link, names: ModelNames): string =>
  model === 'user' && stamps.has(path) ? model : (names.find(model) ?? model);

const stamps: ReadonlySet<string> = new Set(stampPaths);

/** @param schema without the standard fields and the server's own middleware */
function rulesOf(schema: Schema, { save_on_put: asked, callable_statics: called }: ModelOptions): Prepared['rules'] {
  const [saveHooks, documentRules] = [ownSaveHooks(schema), documentRulesOf(schema)];
  const changesBySave = asked ?? saveHooks.length + documentRules.length > 0;
  const createsBySave = saveHooks.length > 0 || needsSave(schema);
  const idleMiddleware = idleMiddlewareOf(schema, changesBySave, new Set(called.keys()));
  return { saveHooks, documentRules, createsBySave, changesBySave, idleMiddleware };
}

/** Reports links to names that no model has, with the nearest name. */
function reportUnknownLinks(prepared: readonly Prepared[], names: ModelNames, faults: ModelFaults): void {
  for (const { file, name, links } of prepared)
    for (const { path, model } of links)
      if (names.find(model) === undefined) {
        const reason = `${path} links to ${model}, but no model has this name${suggestion(model, names.all)}`;
        faults.add(modelFileError(file ?? name, reason));
      }
}

/** Refuses a schema that contains itself, whose paths would be infinite. @param above the enclosing schemas */
function refuseOwnParts(schema: Schema, above: readonly Schema[] = []): void {
  const schemas = [schema, ...kindSchemasOf(schema)];
  for (const { type, path } of schemas.flatMap((one) => typesIn({ schema: one, prefix: '', within: undefined }))) {
    const inner = innerOf(type).schema;
    if (inner === undefined) continue;
    if (inner === schema || above.includes(inner))
      throw new Error(`${path} contains documents of its own schema: link to them instead, or make it Mixed`);
    refuseOwnParts(inner, [...above, schema]);
  }
}

/** Refuses links whose shown name is also a field, which could neither be written nor shown. */
function refuseTakenNames(schema: Schema, links: readonly Link[]): void {
  const compiled = compileSchema(schema);
  for (const { path, as } of links) {
    const isField = as !== path && (as === 'id' || as === '__v' || typeAt(compiled, as).kind !== 'unknown');
    if (isField || links.some((other) => other.path !== path && other.as === as))
      throw new Error(`${path} is shown as ${as}, which is also the name of another field: set another name by map_to`);
  }
}

function compile(model: Prepared, all: readonly Prepared[], connection: Connection): ModelEntry {
  const { name, file, compiledAs, collection, schema, options, declaredNames, fieldPerms, ownPaths, links } = model;
  const { unservedLinks, warnings, rules } = model;
  // another model may be served under the name
  const isTaken = all.some((other) => other !== model && other.name === compiledAs);
  const modelName = compiledAs === undefined || isTaken ? name : compiledAs;
  const made = anyModel(connection.model(modelName, schema, collection));
  const kinds = kindsOf(made).map((kind) => kind.schema);
  kinds.forEach(mergeIndexes);
  const compiled = compileSchema(schema);
  return Object.freeze({
    name,
    file,
    compiledAs,
    schema: compiled,
    idType: idTypeOf(schema),
    options,
    declaredNames,
    fieldPerms,
    ownPaths,
    isOwn: model.isOwn ?? false,
    publishes: model.publishes ?? !options.internal,
    links,
    unservedLinks,
    warnings,
    ...rules,
    collection: made.collection.name,
    linkedFrom: all.flatMap((other) =>
      other.links.filter((link) => link.model === name).map((link) => ({ model: other.name, link })),
    ),
    reverses: reversesOf(model, all),
    textPaths: compiled.indexes.flatMap(([paths]) => Object.keys(paths).filter((path) => paths[path] === 'text')),
    computed: isComputed(schema),
    unselected: [...new Set([schema, ...kinds].flatMap(unselectedPaths))],
    [mongooseModel]: made,
  });
}
