/** What an operator should look at: each kind where there is a reason, and none where there is not (docs/endpoints.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { riskySettings } from '../../src/features/server/advice.ts';
import { internalCollection, ObjectId } from '../../src/models/mongoose.ts';
import { readSettings } from '../../src/settings/read.ts';
import type { Document } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';

type Server = PeopledServer<'root' | 'ann'>;
const adviceOf = async (server: Server): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', '/server/advice')).body['data'] as Document[];
const aboutOf = async (server: Server, kind: string): Promise<readonly unknown[]> =>
  (await adviceOf(server)).filter((one) => one['kind'] === kind).map(({ about }) => about);

describe('a server with much to look at', () => {
  let server: Server;
  beforeAll(async () => {
    server = await openPeople(['root', 'ann'], {
      models: {
        open: ({ Schema }: ModelTools) =>
          new Schema({ title: String }, { perms: { all: 'cr', user: 'crud' } } as object),
        read: ({ Schema }: ModelTools) =>
          new Schema({ title: { type: String, index: true } }, { perms: { all: 'r', admin: 'crud' } } as object),
        closed: ({ Schema }: ModelTools) => new Schema({ title: String }, { perms: { user: 'crud' } } as object),
      },
      query_limits: { enabled: false },
      shed_after_ms: 0,
      signup: 'open',
      mcp: 'write',
      webhook: { allow: ['*'] },
    });
    const made = { url: 'http://hooks.test/path?token=hush', models: ['read'], active: false };
    await server.as('root', 'POST', '/webhooks', { body: made });
    await server.as('root', 'POST', '/api/read', { body: { title: 'a' } });
  });
  afterAll(() => server.close());

  test.each<[kind: string, about: () => readonly unknown[]]>([
    ['right', () => ['open']],
    ['setting', () => ['QUERY_LIMITS_ENABLED', 'SHED_AFTER_MS', 'PASSWORD_MIN_LENGTH', 'MCP']],
    ['index', () => ['read']],
    ['factor', () => [server.callers.root.user_id]],
    ['webhook', () => [expect.stringMatching(/^[0-9a-f]{24}$/)]],
    ['backup', () => []],
  ])('%s', async (kind, about) => {
    const found = await aboutOf(server, kind);
    expect(found).toEqual(expect.arrayContaining([...about()]));
    if (kind !== 'setting') expect(found).toHaveLength(about().length);
  });

  test('is for admins, and has no secret', async () => {
    expect((await server.as('ann', 'GET', '/server/advice')).status).toBe(403);
    expect((await server.get('/server/advice')).status).toBe(401);
    const all = await adviceOf(server);
    expect(all.every(({ advice }) => String(advice).length > 20)).toBe(true);
    expect(JSON.stringify(all)).toContain('hooks.test is off');
    expect(JSON.stringify(all)).not.toMatch(/hush|\/path/);
  });
});

describe('settings, and the nearest ones without risk', () => {
  type Environment = Readonly<Record<string, string>>;
  const advised = (environment: Environment): readonly string[] =>
    riskySettings.filter(([, isRisky]) => isRisky(readSettings(environment))).map(([about]) => about);

  const production = { NODE_ENV: 'production', SHARED_SECRET: '0123456789abcdef0123456789abcdef' };
  const mails = { SMTP_URL: 'smtp://127.0.0.1:25' };
  const page = { PASSWORD_RECOVERY_URL: 'https://app.example/reset?jwt=' };
  const verified = { SIGNUP: 'verified', VERIFY_URL: 'https://app.example/verify?jwt=', ...mails };
  const long = { PASSWORD_MIN_LENGTH: '8' };

  test.each<[about: string, risky: Environment, safe: Environment]>([
    ['BACKGROUND', { BACKGROUND: 'false' }, {}],
    ['THROTTLE_ENABLED', { THROTTLE_ENABLED: 'false' }, {}],
    ['QUERY_LIMITS_ENABLED', { QUERY_LIMITS_ENABLED: 'false' }, {}],
    ['SHED_AFTER_MS', { SHED_AFTER_MS: '0' }, { SHED_AFTER_MS: '1' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }, { TRUST_PROXY: '1' }],
    ['SECURITY_MAILS', { SECURITY_MAILS: 'false' }, {}],
    ['SMTP_URL', production, {}],
    ['SMTP_URL', page, { ...page, ...mails }],
    ['PASSWORD_RECOVERY_URL', mails, {}],
    ['PASSWORD_RECOVERY_URL', { ...production, ...mails }, { ...production, ...mails, ...page }],
    ['SIGNUP', { ...production, SIGNUP: 'open' }, { SIGNUP: 'open' }],
    ['SIGNUP', { ...production, SIGNUP: 'open', ...long }, { ...production, ...verified }],
    ['PASSWORD_MIN_LENGTH', { SIGNUP: 'open' }, {}],
    ['PASSWORD_MIN_LENGTH', { ...verified, PASSWORD_MIN_LENGTH: '7' }, { ...verified, ...long }],
    ['PASSWORD_COMMON', { ...production, SIGNUP: 'open', PASSWORD_COMMON: 'true' }, { ...production, SIGNUP: 'open' }],
    [
      'PASSWORD_COMMON',
      { ...production, ...verified, PASSWORD_COMMON: 'true' },
      { ...production, PASSWORD_COMMON: 'true' },
    ],
    ['MCP', { MCP: 'write' }, { MCP: 'read' }],
    ['MCP', { MCP: 'write' }, { MCP: 'off' }],
    ['URL_CREDENTIALS', production, { ...production, URL_CREDENTIALS: 'false' }],
    ['URL_CREDENTIALS', production, {}],
  ])('%s: %j, and not %j', (about, risky, safe) => {
    expect(advised(risky)).toContain(about);
    expect(advised(safe)).not.toContain(about);
  });
});

test('a server with little to look at names the backups that it does not have', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'dossier-advice-'));
  const server = await openPeople(['root', 'ann'], {
    models: {
      closed: ({ Schema }: ModelTools) => new Schema({ title: String }, { perms: { user: 'crud' } } as object),
    },
    data_dir: dir,
    inMemory: false,
  });
  try {
    const { registry } = server.dossier.services;
    const root = { _id: new ObjectId(server.callers.root.user_id) };
    await internalCollection(registry, '_account').updateOne(root, {
      $set: { factor: { secret: 'x', step: 0, recovery: [] } },
    });
    for (const kind of ['right', 'index', 'webhook', 'factor'])
      expect([kind, await aboutOf(server, kind)]).toEqual([kind, []]);
    expect(await aboutOf(server, 'backup')).toEqual(['BACKUP_SCHEDULE', 'BACKUP_DIR']);
  } finally {
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
});
