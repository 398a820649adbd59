/** Loads the models of a folder, and compiles them on a connection. */
import { builtIn } from '../models/built-in/index.ts';
import { compileModels, type OnSchema } from '../models/compile.ts';
import { findModelFiles, ModelFaults } from '../models/files.ts';
import { fileLoader, type LoadedSchema, loadModelFile } from '../models/load.ts';
import type { Connection } from '../models/mongoose.ts';
import { makeRegistry, type Registry } from '../models/registry.ts';
import { prepareRules } from '../policy/model-rules.ts';
import type { Launch } from './launch.ts';

/**
 * The models of `MODELS_DIR` and the built-in ones. Nothing is written to the database, which need not be open.
 * @throws ModelFileError with the faults of all model files
 */
export async function openModels(
  { settings, clock }: Pick<Launch, 'settings' | 'clock'>,
  connection: Connection,
  onSchema?: OnSchema,
): Promise<Registry> {
  const faults = new ModelFaults();
  const files = await findModelFiles(settings.models_dir, faults);
  const load = fileLoader();
  const own: LoadedSchema[] = [];
  // in sequence: files may import each other, and concurrent loads would see half-loaded files
  for (const file of files)
    await loadModelFile(load, file).then(
      (loaded) => own.push(loaded),
      (error: unknown) => faults.add(error),
    );
  const given = new Set(files.map(({ name }) => name));
  const others = builtIn(given);
  const names = new Set([...given, ...others.map(({ name }) => name)]);
  const limit = settings.query_limits.max_time_ms;
  const entries = compileModels([...own, ...others], connection, { limit, names, onSchema, faults });
  prepareRules(entries, clock, faults);
  faults.throwAny();
  return makeRegistry(entries);
}
