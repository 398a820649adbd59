/** Finds and loads the files of routes. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultOf, type LoadFile } from '../../models/author/file-loader.ts';
import { loadFailure } from '../../models/author/load-failure.ts';
import { isCodeFile, modelFileError } from '../../models/loading/files.ts';
import { pluginNamed } from '../../settings/plug-ins.ts';
import { SettingsError } from '../../settings/read.ts';
import type { Project } from '../feature.ts';

/** A route as a file gives it, unchecked, and what names it in faults. */
export interface GivenRoute {
  readonly where: string;
  readonly given: unknown;
}

/**
 * The routes of a folder, by the names of the files. A folder that does not exist has none, and neither have routers of Express.
 * @param faults receives those of files that cannot be loaded @throws SettingsError for a folder that cannot be read
 */
export async function routesIn(folder: string, load: LoadFile, faults: string[]): Promise<readonly GivenRoute[]> {
  const found: GivenRoute[] = [];
  for (const name of await filesIn(folder)) {
    const file = join(folder, name);
    try {
      const exported = exportedBy(await load(file));
      if (!isRouter(exported)) found.push(...[exported].flat().map((given) => ({ where: file, given })));
    } catch (error) {
      faults.push(...modelFileError(file, loadFailure(error, file)).faults);
    }
  }
  return found;
}

/** Whether it is a router of Express: applications of Express have them in a folder of this name, and mount them themselves. */
const isRouter = (exported: unknown): boolean =>
  typeof exported === 'function' && ['use', 'handle'].every((name) => name in exported);

/** The default export; undefined for an ES module without one. */
const exportedBy = (loaded: unknown): unknown =>
  typeof loaded === 'object' && loaded !== null && '__esModule' in loaded && !('default' in loaded)
    ? undefined
    : defaultOf(loaded);

export const hasRoutes = async ({ settings, config }: Pick<Project, 'settings' | 'config'>): Promise<boolean> =>
  routesOf(config).length > 0 || (await filesIn(settings.routes_dir)).length > 0;

/** The routes of the plug-ins of a config. */
export const routesOf = ({ plugins = [] }: Project['config']): readonly GivenRoute[] =>
  plugins.flatMap(({ name, routes = [] }) => routes.map((given) => ({ where: pluginNamed(name), given })));

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && isCodeFile(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new SettingsError([`ROUTES_DIR: ${folder} cannot be read`]);
  }
}
