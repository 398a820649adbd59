/** Rights that are wider than they look: each row of the table has a model that it finds, and a twin that it does not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../src/cli/check/faults.ts';
import { checkProject } from '../../src/cli/check/project.ts';
import { templateOf } from '../../src/cli/template.ts';
import { type WideRightCode, wideRightCodes } from '../../src/policy/wide-rights.ts';
import { type ModelFiles, writeModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'dossier-check-'));
});
afterAll(() => rm(data, { recursive: true }));

type Environment = Readonly<Record<string, string>>;

const check = async (folder: string, environment: Environment = {}): Promise<readonly Fault[]> => {
  const settings = { MODELS_DIR: folder, DATA_DIR: data, MONGODB_URL: '', ...environment };
  const { faults, notices } = await checkProject(settings, () => undefined);
  expect(faults).toEqual([]);
  return notices.filter(({ kind }) => kind === 'right');
};

async function checkModels(files: ModelFiles, environment?: Environment): Promise<readonly Fault[]> {
  const { folder, remove } = await writeModels(files);
  try {
    return await check(folder, environment);
  } finally {
    await remove();
  }
}

/** A model `note` with options, and further model files. */
const note = (options: string, others: ModelFiles = {}, fields = 'title: String, team: String'): ModelFiles => ({
  note: `import { Schema } from 'mongoose';\nexport default new Schema({ ${fields} }, { ${options} }, );`,
  ...others,
});
/** A user model with fields and rights. */
const user = (fields: string, perms: string): ModelFiles => ({
  user: `import { Schema } from 'mongoose';\nexport default new Schema({ ${fields} }, { perms: ${perms} });`,
});
const team = "r: { where: { team: '$user.team' } }";
const invited = "{ where: { team: '$user.email' } }";
const drafts = "{ where: { title: 'draft' } }";
const own = "{ admin: 'crud', owner: 'ru' }";
const sum = 'statics: { sum: () => 1, mean: () => 1 }';

interface Case {
  readonly code: WideRightCode;
  /** Parts of the sentence. */
  readonly says: readonly string[];
  readonly wide: ModelFiles;
  readonly twin: ModelFiles;
  readonly environment?: Environment;
}

const cases: readonly Case[] = [
  {
    code: 'owner-creates',
    says: ['perms.owner has "c"', 'to "user"'],
    wide: note("perms: { owner: 'crud' }"),
    twin: note("perms: { owner: 'crud', user: 'c' }"),
  },
  {
    code: 'idle-rule',
    says: ['perms.editor.ru', 'perms.user.ru', '"user"'],
    wide: note(`perms: { user: 'ru', editor: { r: ${drafts}, u: ${drafts} } }`),
    twin: note(`perms: { user: 'c', editor: { r: ${drafts}, u: ${drafts} } }`),
  },
  {
    code: 'idle-rule',
    says: ['perms.user.r', 'perms.all.r'],
    wide: note(`perms: { all: 'r', user: { r: ${drafts} } }`),
    twin: note(`perms: { all: { r: ${drafts} }, user: 'r' }`),
  },
  {
    code: 'idle-rule',
    says: ['perms.owner.u', 'perms.user.u'],
    wide: note(`perms: { user: 'ru', owner: { u: ${drafts} } }`),
    twin: note(`perms: { user: 'r', owner: { u: ${drafts} } }`),
  },
  {
    code: 'idle-rule',
    says: ['perms.user.r', 'matches all documents'],
    wide: note('perms: { user: { r: { where: {} } } }'),
    twin: note("perms: { user: { r: { where: { title: { $lte: '$user.name' } } } } }", {
      ...user("name: { type: String, perms: { admin: 'cru' } }", own),
    }),
  },
  {
    code: 'chosen-rows',
    says: ['perms.user.r', '$user.team', 'team of the user model'],
    wide: note(`perms: { user: { ${team} } }`, user('team: String', own)),
    twin: note(
      `perms: { user: { ${team} } }`,
      user("team: { type: String, perms: { admin: 'cru', owner: 'r' } }", own),
    ),
  },
  {
    code: 'chosen-rows',
    says: ['perms.editor.r', '$user.team'],
    wide: note(`perms: { editor: { ${team} } }`, user('team: String', "{ owner: 'r', editor: 'u' }")),
    twin: note(`perms: { editor: { ${team} } }`, user('team: String', "{ owner: 'r', reader: 'u' }")),
  },
  {
    code: 'chosen-rows',
    says: ['perms.all.r', '$user.team'],
    wide: note(`perms: { all: { ${team} } }`, user('team: String', own)),
    twin: note(`perms: { all: { ${team} } }`, user('team: { type: String, immutable: true }', own)),
  },
  {
    code: 'chosen-rows',
    says: ['perms.user.r', '$user.about.team'],
    wide: note(
      "perms: { user: { r: { where: { team: '$user.about.team' } } } }",
      user('about: { team: String }', "{ user: 'c' }"),
    ),
    twin: note(
      "perms: { user: { r: { where: { team: '$user.about.team' } } } }",
      user("about: { type: new Schema({ team: String }), perms: { admin: 'cru' } }", "{ user: 'c' }"),
    ),
  },
  {
    code: 'chosen-rows',
    says: ['sign up', '$user.team'],
    wide: note(`perms: { user: { ${team} } }`, user('team: String', "{ owner: 'r' }")),
    twin: note(`perms: { user: { ${team} } }`, user("team: { type: String, perms: { owner: 'r' } }", "{ owner: 'r' }")),
    environment: { SIGNUP: 'open' },
  },
  {
    code: 'unverified-address',
    says: ['perms.user.ru', '$user.email', 'PUT /login/email', "'$user.verified': true", 'SIGNUP=verified'],
    wide: note(`perms: { user: { r: ${invited}, u: ${invited} } }`),
    twin: note("perms: { user: { r: { where: { team: '$user.email', '$user.verified': true } } }, admin: 'r' }"),
  },
  {
    code: 'unverified-address',
    says: ['perms.editor.r'],
    wide: note(`perms: { editor: { r: ${invited} } }`),
    twin: note(`perms: { user: 'r', editor: { r: ${invited} } }`),
  },
  {
    code: 'idle-owner',
    says: ['perms.owner.ud', 'perms.user.ud', 'every user', '"owner" to make'],
    wide: note("perms: { user: 'crud', owner: 'ud' }"),
    twin: note("perms: { user: 'cr', owner: 'crud' }"),
  },
  {
    code: 'idle-owner',
    says: ['perms.owner.d', 'perms.all.d', 'every caller'],
    wide: note("perms: { all: 'd', owner: 'd' }"),
    twin: note(`perms: { all: { d: ${drafts} }, owner: 'd' }`),
  },
  {
    code: 'open-writes',
    says: ['perms.all.cd', 'create and delete', 'signed in'],
    wide: note("perms: { all: 'crd' }"),
    twin: note("perms: { all: 'r', user: 'cd' }"),
  },
  {
    code: 'open-bulk',
    says: ['advanced_queries.bulkwrite', '"u"'],
    wide: note("perms: { all: 'ru' }, advanced_queries: { bulkwrite: true }"),
    twin: note("perms: { all: 'r', user: 'u' }, advanced_queries: { bulkwrite: true }"),
  },
  {
    code: 'open-functions',
    says: ['sum, mean', 'perms.all.r'],
    wide: note(`perms: { all: 'r' }, callable_statics: { sum: 'r', mean: { needs: 'r', on: 'document' } }, ${sum}`),
    twin: note(`perms: { all: 'r', user: 'u' }, callable_statics: ['sum', 'mean'], ${sum}`),
  },
  {
    code: 'shared-accounts',
    says: ['perms.user.r', 'email and groups', 'every user'],
    wide: user('name: String', "{ user: 'r' }"),
    twin: user('name: String', "{ owner: 'r', staff: 'r' }"),
  },
  {
    code: 'shared-accounts',
    says: ['perms.all.r', 'email of other users', 'every caller'],
    wide: user("groups: { type: [String], perms: { admin: 'cru' } }", "{ all: 'r' }"),
    twin: user(
      "groups: { type: [String], perms: { admin: 'cru' } }, email: { type: String, perms: { owner: 'r' } }",
      "{ all: 'r' }",
    ),
  },
  {
    code: 'shown-unselected',
    says: ['secret, parts.cost', 'perms.all.r, perms.editor.r'],
    wide: note(
      "perms: { all: 'r', editor: 'r' }",
      {},
      'secret: { type: String, select: false }, parts: [{ cost: { type: Number, select: false } }]',
    ),
    twin: note(
      "perms: { all: 'r', editor: 'r' }",
      {},
      "secret: { type: String, select: false, perms: { admin: 'r' } }",
    ),
  },
  {
    code: 'shown-unselected',
    says: ['token', 'perms.owner.r'],
    wide: note("perms: { owner: 'r' }", {}, 'token: { type: String, select: false }'),
    twin: note("perms: { admin: 'r' }", {}, 'token: { type: String, select: false }'),
  },
  {
    code: 'no-perms',
    says: ['for admins only', "perms: { user: 'r'"],
    wide: note('cache: false'),
    twin: note("perms: { admin: 'crud' }"),
  },
];

test.each(cases)('$code: $says', async ({ code, says, wide, twin, environment = {} }) => {
  const found = (await checkModels(wide, environment)).filter((one) => one.code === code);
  expect(found).toEqual([{ kind: 'right', code, model: expect.any(String), message: expect.any(String) }]);
  for (const part of says) expect(found[0]?.message).toContain(part);
  expect((await checkModels(twin, environment)).filter((one) => one.code === code)).toEqual([]);
});

test('each row has a case', () => {
  expect([...new Set(cases.map(({ code }) => code))].sort()).toEqual([...wideRightCodes].sort());
});

test('a sign-up that is off chooses no values', async () => {
  const models = note(`perms: { user: { ${team} } }`, user('team: String', "{ owner: 'r' }"));
  expect((await checkModels(models)).filter(({ code }) => code === 'chosen-rows')).toEqual([]);
});

test('the email of a sign-up is no value that is chosen', async () => {
  const models = note("perms: { user: { r: { where: { title: '$user.email' } } } }");
  expect(await checkModels(models, { SIGNUP: 'open' })).toEqual([]);
});

describe('no false alarm', () => {
  test.each([
    // rights do not limit the function of the sample, and it reads what everyone may read
    ['models', [['film', 'open-functions']]],
    // everyone may write there, as the guide says
    ['docs/examples/embed/models', [['todo', 'open-writes']]],
  ])('in %s', async (folder, expected) => {
    expect((await check(folder)).map(({ model, code }) => [model, code])).toEqual(expected);
  });

  test('of the model that `dossier init` writes', async () => {
    const { files } = templateOf({ name: 'shop', dossier: '*', secret: '' });
    expect(await checkModels({ book: files['models/book.ts'] ?? '' })).toEqual([]);
  });
});

test('the start warns of what is hardly meant, and of no more', async () => {
  const { folder, remove } = await writeModels({
    ...note("perms: { all: 'crd' }"),
    idle: "import { Schema } from 'mongoose';\nexport default new Schema({ a: String }, { perms: { user: 'r', editor: { r: { where: { a: 'b' } } } } });",
  });
  const server = await startServer({ models: folder });
  await server.close();
  await remove();
  const warned = server.log.filter((line) => line.includes('perms.'));
  expect(warned).toEqual([expect.stringContaining('idle: the rule of perms.editor.r limits nothing')]);
});
