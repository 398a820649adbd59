/** A server with routes, and callers of each kind. */
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Answer, Sent } from '../support/client.ts';
import { type ModelFiles, writeModels } from '../support/models.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';

export const callers = ['anonymous', 'eve', 'press', 'root'] as const;
type CallerName = (typeof callers)[number];

export interface RoutesWorld extends TestServer {
  readonly as: (caller: CallerName, method: string, path: string, sent?: Sent) => Promise<Answer>;
  readonly basic: (caller: CallerName) => Readonly<Record<string, string>>;
}

const password = 'a long enough passphrase';

const filmModel = `
  import { Schema } from 'mongoose';
  const schema = new Schema(
    { title: String, year: Number, budget: { type: Number, perms: { all: '', user: '', owner: '', admin: 'cru' } }, password: String },
    { perms: { all: 'r', user: 'cr', owner: 'u' } },
  );
  export default schema;
`;
const desk = `
  import { Schema } from 'mongoose';
  export default new Schema({ note: String }, { perms: { press: 'crud' } });
`;

/** Removes the folder of routes when the server closes. */
export async function openRoutes(routes: ModelFiles, options: StartOptions = {}): Promise<RoutesWorld> {
  const { folder, remove } = await writeModels(routes);
  // the packages that routes import
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const models = { film: filmModel, desk, ...(options.models as ModelFiles | undefined) };
  const server = await startServer({ routes_dir: folder, ...options, models }).finally(remove);
  const system = server.dossier.api.as('system');
  for (const name of ['eve', 'press', 'root'] as const)
    await system.model('user').create({
      name,
      email: `${name}@example.com`,
      password,
      admin: name === 'root',
      groups: name === 'press' ? ['press'] : [],
    });
  const basic = (caller: CallerName): Readonly<Record<string, string>> =>
    caller === 'anonymous'
      ? {}
      : { authorization: `Basic ${Buffer.from(`${caller}@example.com:${password}`).toString('base64')}` };
  return {
    ...server,
    basic,
    as: (caller, method, path, sent) =>
      server.send(method, path, { ...sent, headers: { ...basic(caller), ...sent?.headers } }),
  };
}

/** The text of a route file. */
export const routeFile = (text: string): string => `import { defineRoute, reply } from 'dossier';\n${text}`;
