/** Loads the models of a folder, compiles them on a connection, and says what a start warns of. */
import { AuthorMongoose } from '../models/author/author-mongoose.ts';
import { broughtModels, declaredModels, type SchemaSource } from '../models/author/declared-models.ts';
import { fileLoader, type LoadFile } from '../models/author/file-loader.ts';
import { answerToNames, type AnyModel } from '../models/author/handle.ts';
import { takeCallbacks } from '../models/author/query-callbacks.ts';
import { builtInModels } from '../models/built-in/index.ts';
import { compileModels, type OnSchema } from '../models/loading/compile.ts';
import { findModelFiles, ModelFaults } from '../models/loading/files.ts';
import { ModelNames } from '../models/loading/model-names.ts';
import { type StartWarning, startWarnings } from '../models/loading/start-warnings.ts';
import { type Connection, modelOf } from '../models/mongoose.ts';
import { makeRegistry, type Registry } from '../models/registry.ts';
import { prepareRules } from '../policy/model-rules.ts';
import { wideRights } from '../policy/wide-rights.ts';
import type { Plugin } from '../settings/config-file.ts';
import { pluginNamed } from '../settings/plug-ins.ts';
import { SettingsError } from '../settings/read.ts';
import { featureClashes } from './feature-clashes.ts';
import { addedOptionsOf, featuresOf, internalModelsOf, isOpenToNewUsers, runsProjectCode } from './features.ts';
import type { Launch } from './launch.ts';
import { projectImports } from './project-imports.ts';

type ModelParts = Pick<Launch, 'settings' | 'clock' | 'features' | 'readsOnly'> & Partial<Pick<Launch, 'config'>>;

/** The schemas that a plug-in brings. */
const schemasOf = ({ name, models = {} }: Plugin): SchemaSource => ({ where: pluginNamed(name), schemas: models });

/** The models of a project, and what loads its other files, which may import those of models. */
export interface LoadedModels {
  readonly registry: Registry;
  readonly load: LoadFile;
  /** Takes a sentence about the files of the project. */
  readonly warn: (message: string) => void;
  /** What the start warns of about the files. */
  readonly warnings: readonly StartWarning[];
}

const ofFiles = (message: string): StartWarning => ({ kind: 'file', model: undefined, message });

/** Names all files without models in one line. */
const leftOutLines = (files: readonly string[]): readonly string[] =>
  files.length === 0
    ? []
    : [
        `no model is in ${files.join(', ')}: a model file exports a schema, a compiled model, a function that returns one, or an object of them, or it compiles one; files whose names begin with _ are not read`,
      ];

/** @throws SettingsError for features that have a name in common, of which those of plug-ins may be some */
function refuseClashes(launch: Pick<Launch, 'features'>): void {
  const clashes = launch.features === undefined ? [] : featureClashes(featuresOf(launch));
  if (clashes.length > 0) throw new SettingsError(clashes);
}

/** The models of `MODELS_DIR` and the built-in ones, as `loadModels` loads them. */
export const openModels = async (...given: Parameters<typeof loadModels>): Promise<Registry> =>
  (await loadModels(...given)).registry;

/**
 * Loads the models of `MODELS_DIR` and the built-in ones. Nothing is written to the database, which need not be open.
 * @throws ModelFileError with the faults of all model files; SettingsError for features that have a name in common
 */
export async function loadModels(
  { settings, config = {}, clock, features, readsOnly = false }: ModelParts,
  connection: Connection,
  onSchema?: OnSchema,
): Promise<LoadedModels> {
  refuseClashes({ features });
  if (settings.mongoose_callbacks) takeCallbacks();
  const faults = new ModelFaults();
  const files = await findModelFiles(settings.models_dir, settings.models_folders ?? [], faults);
  const author = new AuthorMongoose(connection);
  const load = fileLoader(projectImports, author.module);
  const { models, faulty, leftOut } = await declaredModels(files, load, author, faults);
  const own = [...models, ...broughtModels((config.plugins ?? []).map(schemasOf), models, author, faults)];
  const others = builtInModels(new Set([...faulty, ...own.map(({ name }) => name)]), internalModelsOf({ features }));
  const unserved = author.unserved(own);
  const names = new ModelNames([...own, ...faulty.map((name) => ({ name })), ...others], unserved);
  const limit = settings.query_limits.max_time_ms;
  const runsCode = await runsProjectCode({ settings, config, features });
  author.release(own);
  const entries = compileModels([...own, ...others], connection, {
    limit,
    names,
    onSchema,
    runsCode,
    faults,
    added: addedOptionsOf({ features }),
    loginField: settings.login_field,
  });
  prepareRules(entries, { clock, needsProof: isOpenToNewUsers({ settings, features }) }, faults);
  faults.throwAny();
  const registry = makeRegistry(entries);
  const modelNamed = (name: string): AnyModel => modelOf(registry.internal(name));
  const servedAs = (name: string | undefined) => (name === undefined ? undefined : modelNamed(name));
  answerToNames(connection, (name) => servedAs(names.find(name)));
  await author.serve(new Map(own.flatMap(({ name, compiled }) => (compiled ? [[compiled, modelNamed(name)]] : []))));
  // they may write, as those that seed a database do
  if (!readsOnly) author.callOpened();
  const warnings = [...leftOutLines(leftOut), ...author.leftOutCalls].map(ofFiles);
  const warn = (message: string): void => void warnings.push(ofFiles(message));
  return { registry, load, warn, warnings };
}

type Given = Pick<Launch, 'features' | 'settings'>;

/** What a start warns of. @returns the warnings of each model, and those of rights after them */
export const modelWarnings = (launch: Given, registry: Registry): readonly StartWarning[] =>
  warningsOf(launch, registry, ({ atStart }) => atStart);

/** The same, with the rights that may well be meant. */
export const modelNotices = (launch: Given, registry: Registry): readonly StartWarning[] =>
  warningsOf(launch, registry, () => true);

const warningsOf = (
  launch: Given,
  { all }: Registry,
  isSaid: (right: { readonly atStart: boolean }) => boolean,
): readonly StartWarning[] => [
  ...startWarnings(launch.settings.models_dir, all),
  ...wideRights(all, isOpenToNewUsers(launch))
    .filter(isSaid)
    .map(({ code, model, message }) => ({ kind: 'right' as const, code, model, message })),
];
