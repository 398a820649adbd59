/** The files of a new project. */

/** What differs between projects. */
export interface NewProject {
  /** The name in `package.json`. */
  readonly name: string;
  /** The dependency on this package: a range of versions, or `file:` with a path. */
  readonly dossier: string;
  /** A random text for `SHARED_SECRET`. */
  readonly secret: string;
}

/** The content of a `package.json`. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Path → text, and the `package.json`. The project passes its test when its dependencies are installed. */
export function templateOf({ name, dossier, secret }: NewProject): {
  readonly manifest: Manifest;
  readonly files: Readonly<Record<string, string>>;
} {
  return {
    manifest: {
      name,
      version: '0.0.0',
      private: true,
      type: 'module',
      scripts: {
        start: 'dossier start',
        dev: 'dossier dev',
        check: 'dossier check && tsc',
        test: 'node --test',
      },
      dependencies: { dossier },
      devDependencies: { typescript: '^6.0.0' },
    },
    files: {
      'tsconfig.json': jsonText({
        compilerOptions: { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
        include: ['**/*.ts'],
      }),
      '.env': `# Read at the start; docs/settings.md of the package lists all settings. Keep this file to yourself.
SHARED_SECRET=${secret}
# Sessions of one user at the same time, such as a browser, a phone and a script; the default is 1, so that a login ends the one before
MAX_SESSIONS=5
# PORT=4001
# MONGODB_URL=mongodb://127.0.0.1:27017/${name}
`,
      '.gitignore': 'node_modules/\ndata/\n.env\n',
      'dossier.config.ts': config,
      'models/book.ts': model,
      'test/book.test.mjs': projectTest,
    },
  };
}

/** What a `package.json` has stays; what it lacks is added, also in `scripts` and in the dependencies. */
export function mergedManifest(template: Manifest, existing: Manifest): Manifest {
  const merged: Record<string, unknown> = { ...template, ...existing };
  for (const section of ['scripts', 'dependencies', 'devDependencies'])
    merged[section] = { ...objectIn(template, section), ...objectIn(existing, section) };
  return merged;
}

const objectIn = (manifest: Manifest, section: string): object => {
  const value = manifest[section];
  return typeof value === 'object' && value !== null ? value : {};
};

const jsonText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const config = `import type { DossierConfig } from 'dossier';

/** Hooks, schedules, plug-ins and settings; the environment and .env take precedence over these, and secrets belong there. */
export default {} satisfies DossierConfig;
`;

const model = `import { defineModel } from 'dossier';

/** Anyone reads books, users add them, and only the user who added one, or an admin, changes it. */
export default defineModel(
  {
    title: { type: String, required: true },
    year: { type: Number },
  },
  { perms: { all: 'r', user: 'cr', owner: 'crud' } },
);
`;

const projectTest = `import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createServer } from 'dossier';

const admin = { email: 'admin@example.com', password: 'correct horse battery' };
const configFile = 'dossier.config.ts';
const server = await createServer({ configFile, port: 0, inMemory: true, log_level: 'error', admin });
after(() => server.close());

const headers = {
  'content-type': 'application/json',
  authorization: \`Basic \${Buffer.from(\`\${admin.email}:\${admin.password}\`).toString('base64')}\`,
};
const send = (method, path, body) => fetch(server.url + path, { method, headers, body: JSON.stringify(body) });

test('a book is added and found', async () => {
  const { status } = await send('POST', '/api/book', { title: 'Emma', year: 1815 });
  assert.equal(status, 201);
  const answer = await send('GET', '/api/book?filter[year]=1815');
  const { data } = await answer.json();
  assert.deepEqual(data.map(({ title }) => title), ['Emma']);
});

test('a book needs a title', async () => {
  const { status } = await send('POST', '/api/book', { year: 1815 });
  assert.equal(status, 400);
});
`;
