/** Finds and loads the files of routes. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Project, SettingsError } from '../../core.ts';
import { defaultOf } from '../../models/author/file-loader.ts';
import { loadFailure } from '../../models/author/load-failure.ts';
import { isCodeFile, modelFileError } from '../../models/loading/files.ts';
import { pluginNamed } from '../../settings/plug-ins.ts';

/** A route as a file gives it, unchecked, and what names it in faults. */
export interface UncheckedRoute {
  readonly where: string;
  readonly given: unknown;
}

/**
 * The routes of a folder, by the names of the files. A folder that does not exist has none. An application of Express has its routers in a
 * folder of this name, so that only files which name what defines a route are run.
 * @param faults receives those of files that cannot be loaded @throws SettingsError for a folder that cannot be read
 */
export async function routesIn(
  folder: string,
  { load, warn }: Pick<Project, 'load' | 'warn'>,
  faults: string[],
): Promise<readonly UncheckedRoute[]> {
  const found: UncheckedRoute[] = [];
  const { run, others } = await filesIn(folder);
  if (others.length > 0) warn(notRun(folder, others));
  for (const file of run) {
    try {
      const exported = exportedBy(await load(file));
      if (!isRouter(exported)) found.push(...[exported].flat().map((given) => ({ where: file, given })));
    } catch (error) {
      faults.push(...modelFileError(file, loadFailure(error, file)).faults);
    }
  }
  return found;
}

const notRun = (folder: string, others: readonly string[]): string =>
  `${folder} (ROUTES_DIR): ${others.slice(0, maxNames).join(', ')}${others.length > maxNames ? ` and ${others.length - maxNames} others` : ''} ` +
  'are not run, since a file of routes names defineRoute or dossier; routes of Express stay in their application (docs/routes.md)';
const maxNames = 3;

/** Whether it is a router of Express, which its application mounts itself. */
const isRouter = (exported: unknown): boolean =>
  typeof exported === 'function' && ['use', 'handle'].every((name) => name in exported);

/** The default export; undefined for an ES module without one. */
const exportedBy = (loaded: unknown): unknown =>
  typeof loaded === 'object' && loaded !== null && '__esModule' in loaded && !('default' in loaded)
    ? undefined
    : defaultOf(loaded);

export const hasRoutes = async ({ settings, config }: Pick<Project, 'settings' | 'config'>): Promise<boolean> =>
  routesOf(config).length > 0 || (await filesIn(settings.routes_dir)).run.length > 0;

/** The routes of the plug-ins of a config. */
export const routesOf = ({ plugins = [] }: Project['config']): readonly UncheckedRoute[] =>
  plugins.flatMap(({ name, routes = [] }) => routes.map((given) => ({ where: pluginNamed(name), given })));

/** The files of code in a folder: the paths of those that may define routes, and the names of the others. */
interface RouteFiles {
  readonly run: readonly string[];
  readonly others: readonly string[];
}

async function filesIn(folder: string): Promise<RouteFiles> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isDirectory() && isCodeFile(entry.name)).map(({ name }) => name);
    const texts = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    );
    const [run, others] = [true, false].map((runs) =>
      texts
        .filter(([, text]) => namesRoutes.test(text) === runs)
        .map(([name]) => name)
        .sort(),
    );
    return { run: (run ?? []).map((name) => join(folder, name)), others: others ?? [] };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { run: [], others: [] };
    throw new SettingsError([`ROUTES_DIR: ${folder} cannot be read`]);
  }
}

const namesRoutes = /\b(?:defineRoute|dossier)\b/;
