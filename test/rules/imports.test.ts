/** Imports point one way, and each package has its door: both tables are held against every import line of src (docs/architecture.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';

/** Which places of src a place may import from; types follow the same rule. A place is a folder, or a file beside the folders. */
const mayImport: Readonly<Record<string, string>> = {
  main: 'server registry settings',
  index: 'server context log registry settings',
  server:
    'app http sockets auth cache events mail read registry secret services settings store transactions errors log',
  app: 'routes middleware services errors',
  http: 'middleware settings errors',
  sockets: 'http middleware read write auth services access language registry errors',
  routes: 'middleware openapi pages read write auth statics context services access language registry errors',
  openapi: 'middleware access language registry',
  pages: 'middleware language registry settings errors',
  middleware: 'auth read write context services access language registry settings errors log',
  read: 'context services access language registry settings store errors',
  write: 'context services access language registry errors',
  statics: 'context access language registry errors',
  auth: 'context services access registry settings errors log',
  events: 'services registry log',
  cache: 'services registry',
  mail: 'services settings errors',
  transactions: 'services',
  context: 'services access language registry',
  services: 'access language registry settings log',
  access: 'language registry errors',
  language: 'registry errors',
  registry: 'errors',
  secret: 'settings',
  log: 'settings',
  settings: '',
  errors: '',
  store: '',
  jxp: '',
};

/** Which files may import a package; for all others it does not exist. */
const doors: Readonly<Record<string, RegExp>> = {
  '@eslint-community/regexpp': /^language\/(regex|backtracking)\.ts$/,
  '@json2csv/plainjs': /^read\/csv\.ts$/,
  '@orama/': /^store\/text\//,
  bcryptjs: /^auth\/hash-worker\.ts$/,
  bson: /^store\//,
  cors: /^app\.ts$/,
  dotenv: /^settings\/read\.ts$/,
  express: /^(app|http)\.ts$|^middleware\/|^settings\/config-file\.ts$/,
  'express-rate-limit': /^middleware\/throttle\.ts$/,
  jiti: /^registry\/load\.ts$/,
  jsonwebtoken: /^auth\/jwt\.ts$/,
  libsql: /^store\/storage\//,
  marked: /^pages\/guides\.ts$/,
  mongoose: /^registry\/|^jxp\.ts$/,
  'node-cache': /^cache\.ts$/,
  nodemailer: /^mail\.ts$/,
  passport: /^auth\/oauth-strategy\.ts$/,
  'passport-oauth2': /^auth\/oauth-strategy\.ts$/,
  pino: /^log\.ts$/,
  re2js: /^store\//,
  'sorted-btree': /^store\//,
  'swagger-ui-dist': /^pages\/viewer\.ts$/,
  ws: /^sockets\//,
};

/** Files that know a type of Mongoose's, and nothing that runs. */
const mongooseTypes = /^(services|transactions)\.ts$|^(language|read|write)\/|^access\/json-value\.ts$/;

interface Import {
  readonly file: string;
  readonly from: string;
  readonly typeOnly: boolean;
}

const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative('src', join(entry.parentPath, entry.name)));

const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';$/gms)].map(
    ([, type, from]) => ({
      file,
      from: from ?? '',
      typeOnly: type !== undefined,
    }),
  ),
);

const placeOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : file.replace(/\.ts$/, ''));

test('the tables are held against something', () => {
  expect(imports.length).toBeGreaterThan(500);
});

describe('a place imports only from places below it', () => {
  test.each([...new Set(files.map(placeOf))].sort())('%s', (place) => {
    const allowed = new Set((mayImport[place] ?? 'this place is not in the table').split(' '));
    const wrong = imports
      .filter(({ file, from }) => placeOf(file) === place && from.startsWith('.'))
      .map(({ file, from }) => ({ file, target: placeOf(normalize(join(dirname(file), from))) }))
      .filter(({ target }) => target !== place && !allowed.has(target));
    expect(wrong).toEqual([]);
  });
});

describe('a package has its door', () => {
  const packages = imports.filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:'));
  test.each(packages.map(({ file, from, typeOnly }) => [from, file, typeOnly] as const))(
    '%s in %s',
    (name, file, typeOnly) => {
      const door = Object.entries(doors).find(
        ([known]) => name === known || name.startsWith(known.endsWith('/') ? known : `${known}/`),
      );
      const known = door?.[1].test(file) === true || (name === 'mongoose' && typeOnly && mongooseTypes.test(file));
      expect([name, file, known]).toEqual([name, file, true]);
    },
  );
});
