/** Loads the models of a folder, and compiles them on a connection. */
import { builtIn } from '../models/built-in/index.ts';
import { compileModels, type OnSchema } from '../models/compile.ts';
import { findModelFiles } from '../models/files.ts';
import { fileLoader, type LoadedSchema, loadModelFile } from '../models/load.ts';
import type { Connection } from '../models/mongoose.ts';
import { makeRegistry, type Registry } from '../models/registry.ts';
import { prepareRules } from '../policy/model-rules.ts';
import type { Launch } from './launch.ts';

/**
 * The models of `MODELS_DIR` and the built-in ones. Nothing is written to the database, which need not be open.
 * @throws ModelFileError for a bad model file
 */
export async function openModels(
  { settings, clock }: Launch,
  connection: Connection,
  onSchema?: OnSchema,
): Promise<Registry> {
  const files = await findModelFiles(settings.models_dir);
  const load = fileLoader();
  const own: LoadedSchema[] = [];
  // in sequence: files may import each other, and concurrent loads would see half-loaded files
  for (const file of files) own.push(await loadModelFile(load, file));
  const all = [...own, ...builtIn(new Set(own.map(({ name }) => name)))];
  const registry = makeRegistry(compileModels(all, connection, { limit: settings.query_limits.max_time_ms, onSchema }));
  prepareRules(registry.all, clock);
  return registry;
}
