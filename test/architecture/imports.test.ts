/** The layers: which place of the sources may import which, and which file may import a package. Read from the import lines. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rowsOf } from '../docs/tables.ts';
import { files, imports } from './source-imports.ts';

/** From top to bottom; a place imports only from rows below its own. */
const layers: readonly (readonly string[])[] = [
  ['main'],
  ['cli'],
  ['workers'],
  ['server', 'index'],
  ['start'],
  ['features', 'core'],
  ['api', 'http'],
  ['operations', 'typegen', 'transfer', 'outbox'],
  ['read', 'write', 'auth', 'database', 'jxp'],
  ['docs', 'realtime/changes', 'shared', 'define', 'context', 'services', 'jxp-preload'],
  ['policy', 'query'],
  ['ports', 'models'],
  ['async', 'settings'],
  ['adapters', 'errors'],
  ['metrics', 'text'],
];

/** The imports between places of one row, or upwards, each with its reason. */
const sideways: readonly string[] = [
  'features → core', // the face of the core (face.test.ts)
  'core → features', // what a feature is, and its ports
  'auth → write', // users are written by `write/commit.ts`, as all documents are
  'index → server', // what a program imports is the composition and types
  'docs → operations', // the rows of the tables of operations
  'context → services', // types only, both
  'ports → services', // the same
  'ports → auth', // the type of the parts of identities
  'settings → features', // the settings of features, from which types are derived
  'policy → query', // the filters of rules
];

/** Which files may import a leaf. */
const onlyFrom: Readonly<Record<string, readonly string[]>> = {
  'models/mongoose.ts': [
    'models/',
    'read/',
    'write/',
    'auth/',
    'core.ts',
    'features/',
    'realtime/',
    'start/',
    'cli/',
    'database/',
    'shared/',
    'transfer/',
    'outbox/',
    'typegen/parts.ts', // the names of statics
  ],
};

/** Package → the files that may import it. */
const adapters: Readonly<Record<string, readonly string[]>> = {
  express: ['http/'],
  undici: ['features/webhooks/sender.ts'],
  mongoose: ['models/', 'jxp.ts', 'jxp-preload/'],
  bcryptjs: ['auth/passwords/hash-worker.ts'],
  '@zxcvbn-ts/language-common': ['auth/passwords/password.ts'],
  jsonwebtoken: ['auth/credentials/jwt.ts'],
  otpauth: ['features/second-factor/totp.ts'],
  'openid-client': ['features/oauth/oidc.ts', 'features/oauth/discovery.ts'],
  passport: ['features/oauth/strategy.ts'],
  'passport-oauth2': ['features/oauth/strategy.ts'],
  nodemailer: ['auth/mails/mail-server.ts'],
  'nodemailer/lib/addressparser': ['text/email.ts'],
  'node-cache': ['features/cache/memory-cache.ts'],
  '@opentelemetry/api': ['adapters/tracing.ts'],
  'prom-client': ['features/metrics/prometheus.ts'],
  'express-rate-limit': ['http/throttle.ts'],
  cors: ['http/app.ts'],
  ws: ['features/events/websocket/'],
  '@json2csv/plainjs': ['features/csv/csv.ts'],
  dotenv: ['settings/read.ts'],
  'ipaddr.js': ['adapters/address-ranges.ts'],
  pino: ['ports/log.ts'],
  ajv: ['models/schemas/json-schema.ts'],
  'ajv/dist/2020.js': ['models/schemas/json-schema.ts'],
  'ajv-formats': ['models/schemas/json-schema.ts'],
  jiti: ['models/author/file-loader.ts'],
  marked: ['features/pages/'],
  leven: ['text/nearest.ts'],
  croner: ['adapters/planned-times.ts'],
  commander: ['cli/'],
  'dossier-client': ['api/', 'cli/users.ts', 'features/mcp/', 'cli/import/to-server.ts'],
  '@modelcontextprotocol/server': ['features/mcp/protocol/'],
  dossier: ['cli/template.ts'], // in the files that it writes
  chokidar: ['cli/commands/dev.ts'],
  'yocto-spinner': ['cli/progress.ts'],
  'csv-parse': ['transfer/csv.ts'],
  'dossier-language/errors': ['models/database-errors.ts'],
  'dossier-language/query': [
    'models/author/own-pattern.ts',
    'query/row-test.ts',
    'query/row-update.ts',
    'read/matches.ts',
  ],
  'dossier-language/sort': ['read/cursors/position.ts'],
  'dossier-language/update': ['query/row-update.ts'],
  'dossier-language/values': [
    'models/author/own-pattern.ts',
    'query/row-test.ts',
    'query/row-update.ts',
    'read/matches.ts',
    'read/cursors/position.ts',
  ],
  'dossier-language/query/regex': ['models/author/own-pattern.ts', 'query/regex.ts'],
  'dossier-store': ['database/embedded-store.ts'],
  'dossier-store/command': ['cli/commands/store.ts'],
  'dossier-store/exit': ['main.ts', 'workers/primary.ts', 'workers/process-errors.ts', 'workers/worker.ts'],
  'dossier-store/single-flight': ['features/oauth/discovery.ts', 'server.ts', 'workers/primary.ts'],
  'dossier-store/worker': [
    'auth/passwords/hash-threads.ts',
    'features/events/matching/match-thread.ts',
    'workers/primary.ts',
    'cli/commands/dev.ts',
    'adapters/package-root.ts',
  ],
};

/** The files that `operations/index.ts` combines. */
const groupFiles = imports.flatMap(({ file, from, typeOnly }) =>
  file === 'operations/index.ts' && !typeOnly ? [from] : [],
);
/** A file or folder at the top, or a folder in `realtime/`, whose parts are in different rows. */
const placeOf = (file: string): string => /^(realtime\/)?[^/.]+/.exec(file)?.[0] ?? '';
const rowOf = (place: string): number => layers.findIndex((row) => row.includes(place));
/** The interfaces of a folder for others: files without code, so that importing them causes no dependency. */
const isContract = (file: string): boolean => /^((realtime|auth)\/)?[^/]+\/contract\.ts$/.test(file);
const isIn = (file: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place));

describe('the layers', () => {
  test('contain every place of the sources once, as in docs/architecture.md', () => {
    expect([...new Set(files.map(placeOf))].sort()).toEqual(layers.flat().sort());
    const documented = rowsOf('docs/architecture.md', 'Row', 'Place').map(([row, place = '']) => [
      Number(row),
      place.replace(/`|\/?`$/g, ''),
    ]);
    expect(documented).toEqual(layers.flatMap((places, at) => places.map((place) => [at + 1, place])));
  });

  test('are few', () => {
    expect(layers.length).toBeLessThanOrEqual(15);
  });

  test('are imported downwards only', () => {
    const arrows = imports
      .filter(({ isPackage, file, from }) => !isPackage && placeOf(file) !== placeOf(from))
      .filter(({ from, typeOnly }) => !(typeOnly && isContract(from)))
      .filter(({ file, from }) => rowOf(placeOf(file)) >= rowOf(placeOf(from)))
      .filter(({ file, from }) => !sideways.includes(`${placeOf(file)} → ${placeOf(from)}`));
    expect(arrows.map(({ file, from }) => `${file} → ${from}`)).toEqual([]);
  });

  test('have contracts, which hold types and import types of contracts and of rows below all contracts', () => {
    const lowest = Math.max(...files.filter(isContract).map((file) => rowOf(placeOf(file))));
    for (const file of files.filter(isContract)) {
      const text = readFileSync(join('src', file), 'utf8');
      expect({ file, values: text.match(/^export (?!interface|type )/gm) }).toEqual({ file, values: null });
    }
    const others = imports
      .filter(({ file }) => isContract(file))
      .filter(
        ({ isPackage, from, typeOnly }) =>
          !typeOnly || !(isPackage || isContract(from) || rowOf(placeOf(from)) > lowest),
      );
    expect(others.map(({ file, from }) => `${file} → ${from}`)).toEqual([]);
  });

  test('have no unused arrow in the table', () => {
    const needed = new Set(imports.map(({ file, from }) => `${placeOf(file)} → ${placeOf(from)}`));
    expect(sideways.filter((arrow) => !needed.has(arrow))).toEqual([]);
  });

  test('a group of operations imports no other group', () => {
    const helpers = [
      'operation',
      'interceptor',
      'invoke',
      'source',
      'answer',
      'statuses',
      'fields',
      'body-check',
      'contract',
      'described',
      'failures',
      'target-user',
      'user-body',
      'rotation',
      'session-client',
      'switched-on',
      'pages',
      'silence',
      'write-intents',
      'reading/explain',
      'reading/intents',
      'reading/position',
    ];
    const shared = helpers.map((name) => `operations/${name}.ts`);
    const between = imports.filter(
      ({ file, from }) =>
        (isIn(file, groupFiles) || file.startsWith('features/')) &&
        from.startsWith('operations/') &&
        !shared.includes(from),
    );
    expect(between.map(({ file, from }) => `${file} → ${from}`)).toEqual([]);
  });

  test('operations do not depend on a transport', () => {
    const transports = imports.filter(
      ({ file, from }) => file.startsWith('operations/') && ['express', 'ws'].includes(from),
    );
    expect(transports.map(({ file, from }) => `${file} → ${from}`)).toEqual([]);
  });

  test.each(Object.entries(onlyFrom))('%s is imported by listed files only', (target, allowed) => {
    const others = imports
      .filter(({ file, from }) => (from === target || from.startsWith(`${target}/`)) && placeOf(file) !== target)
      .filter(({ file, typeOnly }) => !typeOnly && !isIn(file, allowed));
    expect(others.map(({ file }) => file)).toEqual([]);
  });
});

describe('packages', () => {
  const outside = imports.filter(({ isPackage }) => isPackage);

  test('are imported through their adapters; types come from anywhere', () => {
    const others = outside.filter(({ file, from, typeOnly }) => !typeOnly && !isIn(file, adapters[from] ?? []));
    expect(others.map(({ file, from }) => `${file} → ${from}`)).toEqual([]);
  });

  test('with an adapter are all in use', () => {
    const used = new Set(outside.map(({ from }) => from));
    expect(Object.keys(adapters).filter((name) => !used.has(name))).toEqual([]);
  });
});

test('Mongoose and Express are loaded while the embedded store opens, not before', () => {
  const early = new Set(['main.ts', 'cli/commands/start.ts', 'cli/options.ts', 'workers/serve.ts']);
  // includes the files that are added meanwhile
  for (const loading of early)
    for (const { file, from, typeOnly, isLazy } of imports)
      if (file === loading && !typeOnly && !isLazy) early.add(from);
  expect([...early]).toContain('database/embedded-store.ts');
  expect(['mongoose', 'express'].filter((name) => early.has(name))).toEqual([]);
});

describe('the process', () => {
  test('is used only by main.ts, the processes of workers and the reader of the settings', () => {
    const touching = files.filter((file) =>
      /\bprocess\.(env|exit|exitCode|on|argv|stdout|stderr)\b/.test(
        readFileSync(join('src', file), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''),
      ),
    );
    const ofWorkers = ['workers/process-errors.ts', 'workers/process.ts', 'workers/worker.ts'];
    // what files of the project do to the process
    const ofFiles = 'models/author/process-use.ts';
    expect(touching.sort()).toEqual(['main.ts', ofFiles, 'settings/read.ts', ...ofWorkers]);
  });

  test('nothing writes to the console', () => {
    const writing = files.filter((file) => /\bconsole\.\w+\(/.test(readFileSync(join('src', file), 'utf8')));
    expect(writing).toEqual([]);
  });
});

test.each(['models/', 'write/'])('no room of %s has more than 21 files', (place) => {
  const rooms = files.filter((file) => file.startsWith(place)).map((file) => posix.dirname(file));
  const sizes = [...new Set(rooms)].map((room) => [room, rooms.filter((other) => other === room).length] as const);
  expect(sizes.filter(([, size]) => size > 21)).toEqual([]);
});

test('no file has more than 300 lines, and each begins with a comment that states what it decides', () => {
  for (const file of files) {
    const lines = readFileSync(join('src', file), 'utf8').split('\n');
    expect({ file, lines: lines.filter((line) => line.trim() !== '').length <= 300 }).toEqual({ file, lines: true });
    expect({ file, first: lines[0] }).toEqual({ file, first: expect.stringMatching(/^\/\*\*/) });
  }
});
