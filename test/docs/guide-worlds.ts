/** What the guides take for granted: a project beside the clone with what their sentences describe, and servers at their addresses. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type OpenStore } from 'dossier-store';
import { MongoClient } from 'mongodb';
import { send } from '../support/client.ts';
import { openLibrary } from '../support/fixtures/films.ts';
import { newFolder } from '../transfer/folders.ts';
import type { Step } from './guide-steps.ts';
import type { Terminal } from './guide-terminal.ts';

const bookWithIsbn = `import { Schema } from 'mongoose';
export default new Schema({
  isbn: { type: String, unique: true }, title: { type: String, required: true }, year: Number,
  author: { name: String }, tags: [String],
}, { perms: { all: 'r', admin: 'crud' } });`;

const userWithName = `import { Schema } from 'mongoose';
export default new Schema({ username: { type: String, lowercase: true }, password: String }, { perms: { admin: 'crud', owner: 'ru' } });`;

const orderOfJxp = `module.exports = JXPSchema.model('Order', new JXPSchema({ title: String }, { perms: { admin: 'crud', all: 'r' } }));`;

const filmWithoutIndex = `import { Schema } from 'mongoose';
export default new Schema({ title: String, year: Number }, { perms: { all: 'r', admin: 'crud' } });`;

/** Writes files into a folder, by their paths in it. */
export function save(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
}

const withData = async (terminal: Terminal): Promise<void> => {
  await terminal.type('npx dossier user add root@example.com --admin');
};

const projectOf = ({ home }: Terminal): string => join(home, 'project');

/** Opens a store which programs reach by its address. @param dir its data; in memory without it */
export const openStore = (dir?: string): Promise<OpenStore> =>
  open({ ...(dir === undefined ? {} : { dir }), sharing: { port: 0, hosts: ['127.0.0.1'] } });

/** By guide, what its sentences say of the project. */
const prepared: Readonly<Record<string, (terminal: Terminal) => Promise<unknown> | void>> = {
  'docs/authentication.md': (terminal) => {
    save(projectOf(terminal), { 'models/user.ts': userWithName, '.env': 'LOGIN_FIELD=username\n' });
  },
  'docs/browser.md': (terminal) => terminal.type('npm install openapi-typescript @hey-api/openapi-ts'),
  'docs/deploying.md': withData,
  'docs/indexes.md': async (terminal) => {
    save(projectOf(terminal), { 'models/film.ts': filmWithoutIndex });
    await withData(terminal);
    const store = await openStore(join(projectOf(terminal), 'data'));
    const client = await new MongoClient(store.url).connect();
    await client.db().collection('films').createIndex({ year: 1 });
    await client.close();
    await store.close();
  },
  'docs/migrating.md': (terminal) => save(projectOf(terminal), { 'models/order_model.js': orderOfJxp }),
  'docs/moving-data.md': (terminal) => save(projectOf(terminal), { 'models/book.ts': bookWithIsbn }),
  'docs/moving-to-mongodb.md': withData,
  'docs/store.md': withData,
};

/**
 * Brings the reader to where the guide begins: beside the clone, or in a project that has installed it. The project has the models of the
 * sample, unless the guide has models or makes a project.
 */
export async function prepare(terminal: Terminal, guide: string, steps: readonly Step[]): Promise<void> {
  const texts = steps.flatMap((step) => (step.kind === 'command' ? [step.text] : []));
  const first = texts[0] ?? '';
  if (/^(?:cd|cp -r) dossier\b|^mkdir\b/.test(first)) {
    terminal.cd('.');
    return;
  }
  if (texts.some((text) => /^npm install \.\.\/dossier$/.test(text))) return;
  await terminal.type('npm install ../dossier');
  if (!texts.some((text) => /dossier init$/.test(text)))
    cpSync('models', join(projectOf(terminal), 'models'), { recursive: true });
  await prepared[guide]?.(terminal);
}

/** Servers that the guides name by an address. */
export interface Places {
  /** The address of the guide's own server, else of the one with the films of the sample. */
  readonly server: string;
  /** Variables of requests to that server. */
  readonly variables: Readonly<Record<string, string>>;
  /** An empty MongoDB. */
  readonly database: string;
}

/** What stands for something of the reader's. */
const substitutions: readonly (readonly [RegExp, (places: Places) => string])[] = [
  [/http:\/\/127\.0\.0\.1:4001|https:\/\/api\.example\.com/g, ({ server }) => server],
  [/dossier store(?: --port 27017)?/, () => 'dossier store --port 0'],
  [/'?mongodb:\/\/(?:…|user:<password>@[^' ]*)'?/, ({ database }) => `'${database}'`],
  [/<file>/, () => 'of-today.backup'],
  [/^npm run sample$/, ({ server }) => `DOSSIER_URL=${server} API_KEY=$KEY npm run sample`],
];

/** A command of a guide as it is typed here. */
export const asTyped = (command: string, places: Places): string =>
  substitutions.reduce((text, [pattern, place]) => text.replace(pattern, () => place(places)), command);

/** The server with the films of the sample, and the variables of the guides' requests to it. Closes with the test file. */
export async function openSample(): Promise<Omit<Places, 'database'>> {
  const models = await newFolder();
  cpSync('models', models, { recursive: true });
  save(models, { 'book.ts': bookWithIsbn });
  const { url, admin } = await openLibrary(models);
  const { body } = await send('POST', `${url}/login`, { body: admin });
  const headers = { 'x-api-key': String(body['apikey']) };
  const eve = { name: 'Eve', email: 'eve@example.com', password: admin.password };
  await send('POST', `${url}/api/user`, { headers, body: eve });
  const [film] = (await send('GET', `${url}/api/film?limit=1`, { headers })).rows;
  const variables = { PASSWORD: admin.password, API: url, KEY: headers['x-api-key'], ID: String(film?.['_id']) };
  return { server: url, variables };
}

/** The address of a database of a store: what a MongoDB is to the guides. */
export function databaseOf(store: string, name: string): string {
  const url = new URL(store);
  url.pathname = name;
  url.searchParams.set('authSource', 'admin');
  return url.href;
}
