/** Names code of the project that writes past `changed`: by Mongoose itself, where the write is none of a request. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelEntry, Project } from '../../core.ts';
import { isCodeFile } from '../../models/loading/files.ts';
import { findNamedWrite, mongooseWrites } from '../../models/options/mongoose-writes.ts';

/** Warns of each. @param models those that have functions `changed` */
export async function warnOfWritesPast(
  { registry, settings, config, warn }: Project,
  models: Iterable<ModelEntry>,
): Promise<void> {
  const routes = [...(await filesIn(settings.routes_dir)), ...routesOfPlugins(config)];
  for (const model of models) {
    const ofRoutes = routes.flatMap(({ code, text }) => {
      const call = findNamedWrite(text, model);
      return call === undefined ? [] : [{ code, call }];
    });
    for (const { code, call } of [...mongooseWrites(model, registry.served), ...ofRoutes])
      warn(
        `${model.name}: ${code} writes by Mongoose itself (${call}), which calls no function "changed" and leaves no history: use api (docs/rules.md)`,
      );
  }
}

interface RouteCode {
  readonly code: string;
  readonly text: string;
}

/** The files of routes; a folder that does not exist has none. */
async function filesIn(folder: string): Promise<readonly RouteCode[]> {
  const names = (await readdir(folder).catch(() => [])).filter(isCodeFile).sort();
  return Promise.all(
    names.map(async (name) => ({ code: join(folder, name), text: await readFile(join(folder, name), 'utf8') })),
  );
}

const routesOfPlugins = ({ plugins = [] }: Project['config']): readonly RouteCode[] =>
  plugins.flatMap(({ name, routes = [] }) =>
    routes.map((route) => ({
      code: `${route.method} ${route.path} of the plug-in ${name}`,
      text: String(Reflect.get(route, 'handler')),
    })),
  );
