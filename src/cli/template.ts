/** The files of a new project. */

/** What differs between projects. */
export interface NewProject {
  /** The name in `package.json`. */
  readonly name: string;
  /** The version of this package. */
  readonly version: string;
  /** A random text for `SHARED_SECRET`. */
  readonly secret: string;
}

/** Path → text. The project passes its test when its dependencies are installed. */
export function templateOf({ name, version, secret }: NewProject): Readonly<Record<string, string>> {
  return {
    'package.json': jsonText({
      name,
      version: '0.0.0',
      private: true,
      type: 'module',
      scripts: { start: 'dossier start', dev: 'dossier dev', check: 'dossier check', test: 'node --test' },
      dependencies: { dossier: `^${version}` },
    }),
    'tsconfig.json': jsonText({
      compilerOptions: { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
      include: ['models'],
    }),
    '.env': `# Read at the start; docs/settings.md of the package lists all settings. Keep this file to yourself.
SHARED_SECRET=${secret}
# PORT=4001
# MONGODB_URL=mongodb://127.0.0.1:27017/${name}
`,
    '.gitignore': 'node_modules/\ndata/\n.env\n',
    'models/book.ts': model,
    'test/book.test.js': projectTest,
  };
}

const jsonText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

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
const server = await createServer({ port: 0, inMemory: true, log_level: 'error', admin });
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
