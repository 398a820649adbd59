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
      'AGENTS.md': agentsGuide,
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

/** Instructions for coding agents (https://agents.md). */
const agentsGuide = `# For agents that work on this project

A REST API over MongoDB: Dossier serves each file in \`models/\` as \`/api/<name>\`. There is no other server code to write.

## Commands

- \`npm run check\`: faults and warnings of models and settings, and types. Run it after each change.
- \`npm test\`: the tests in \`test/\`. They start a server in memory.
- \`npm run dev\`: serves the project and loads changed files.

## Where what goes

- Fields, rights (\`perms\`), links and indexes: \`models/<name>.ts\`, by \`defineModel\`.
- What a caller calls on a model: its statics and \`callable_statics\`.
- What follows from a change of a document: the option \`changed\` of its model.
- Endpoints of another form: \`routes/*.ts\`, by \`defineRoute\`.
- Hooks, schedules, plug-ins and settings: \`dossier.config.ts\`. Secrets: \`.env\`, which is not committed.

Write documents in functions, hooks and routes by \`api\`, not by Mongoose, so that rights, histories and events see them.

## Documentation

The guides are in \`node_modules/dossier/docs\`, and a server has them at \`/llms.txt\`. Read \`models.md\` and \`permissions.md\` before you write a model,
\`rules.md\` before you write a rule, and do not guess names of options: the start refuses unknown ones.
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
