/** A program with a Dossier inside: its own models, a hook before lists, a hook after single documents. */
import { join } from 'node:path';
import { createServer, type DossierServer } from 'dossier';

export function start(port: number): Promise<DossierServer> {
  return createServer({
    port,
    inMemory: true,
    models_dir: join(import.meta.dirname, 'models'),
    log_level: 'warn',
    extra_parameters: ['done'],
    pre_hooks: {
      get: (req, _res, next) => {
        if (!('done' in req.query)) req.dossier.filter = { done: { $ne: true } };
        next();
      },
    },
    post_hooks: { getOne: (_req, result) => ({ ...(result as object), seen: true }) },
  });
}
