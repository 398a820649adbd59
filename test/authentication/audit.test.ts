/** The audit log: what is recorded, by which way it is done, who reads it, and what is never in it. */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { auditKinds } from '../../src/features/audit/kinds.ts';
import { AuditLog } from '../../src/features/audit/log.ts';
import { features } from '../../src/features/index.ts';
import { internalCollection, mongo, type Row } from '../../src/models/mongoose.ts';
import { FailedLogins } from '../../src/shared/process.ts';
import { rowsOf } from '../docs/tables.ts';
import type { Document } from '../support/client.ts';
import { codeAt } from '../support/fixtures/factors.ts';
import { basic, emailOf, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

type Names = 'root' | 'rita' | 'ann' | 'bob' | 'eve';
let server: PeopledServer<Names>;
let now = new Date('2056-11-22T12:00:00Z');

beforeAll(async () => {
  server = await openPeople(['root', 'rita', 'ann', 'bob', 'eve'], {
    clock: () => now,
    max_sessions: 100,
    models: {
      'note.ts': ({ Schema }) =>
        new Schema({ text: String, parent_id: { type: Schema.Types.ObjectId, link: 'note' } }, {
          perms: { admin: 'crud' },
          advanced_queries: { bulkwrite: true },
        } as object),
      'file.ts': ({ Schema }) =>
        new Schema({ text: String }, {
          ...{ perms: { admin: 'crud' }, audit: true, history: true },
          schedules: { yearly: { call: 'tidy', cron: '0 3 1 1 *' } },
          statics: { tidy: () => undefined },
        } as object),
      'user.ts': ({ Schema }) =>
        new Schema({ city: String }, {
          perms: { admin: 'crud', owner: 'ru' },
          advanced_queries: { bulkwrite: true },
        } as object),
    },
  });
});

const log = () => internalCollection(server.dossier.services.registry, '_audit');
const id = (name: Names): string => server.callers[name].user_id;
const list = async (query = ''): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', `/audit?sort=_id&limit=1000${query}`)).rows;

/** What some work adds to the log. */
async function recorded(work: () => Promise<unknown>): Promise<readonly Document[]> {
  const before = new Set((await list()).map(({ _id }) => _id));
  await work();
  return (await list()).filter(({ _id }) => !before.has(_id));
}

const short = ({ what, who, whom, address, method, when }: Document): Document => ({
  what,
  who,
  whom,
  address,
  method,
  when,
});
const event = (what: string, who: string | null, whom: string | null, method: string | null): Document => ({
  ...{ what, who, whom, method },
  address: '127.0.0.1',
  when: now.toISOString(),
});

const put = (name: Names, body: object, path = '/api/user/') =>
  server.as('root', 'PUT', path + id(name), { body }).then(({ status }) => expect(status).toBe(200));
const bulk = (model: string, operations: readonly object[], query = '') =>
  server.as('root', 'POST', `/bulkwrite/${model}${query}`, { body: operations });

describe('changes of a user', () => {
  test.each<[string, string, () => Promise<unknown>, readonly string[]]>([
    ['PUT /api', 'bob', () => put('bob', { admin: true, groups: ['a'] }), ['admin.granted', 'groups.changed']],
    ['PUT /api of the same', 'bob', () => put('bob', { admin: true, groups: ['a'] }), []],
    ['PUT /api of another field', 'bob', () => put('bob', { city: 'Oslo' }), []],
    [
      'PUT /update',
      'bob',
      () => put('bob', { admin: false, groups: [] }, '/update/user/'),
      ['admin.revoked', 'groups.changed'],
    ],
    ['PUT /api of a password', 'bob', () => put('bob', { password: 'pw-bob-2' }), ['password.changed']],
    ['PUT /update of an email', 'bob', () => put('bob', { email: 'bob2@x.test' }, '/update/user/'), ['email.changed']],
    ['PUT /groups', 'bob', () => server.as('root', 'PUT', `/groups/${id('bob')}`, { body: ['b'] }), ['groups.changed']],
    ['DELETE /groups', 'bob', () => server.as('root', 'DELETE', `/groups/${id('bob')}?group=b`), ['groups.changed']],
    [
      'a bulk write',
      'bob',
      () => bulk('user', [{ updateMany: { filter: { _id: id('bob') }, update: { $set: { admin: true } } } }]),
      ['admin.granted'],
    ],
    [
      'two changes in one bulk write, which are one',
      'bob',
      () =>
        bulk('user', [
          { updateOne: { filter: { _id: id('bob') }, update: { $set: { groups: ['c'] } } } },
          { updateOne: { filter: { _id: id('bob') }, update: { $set: { city: 'Rome', groups: ['d'] } } } },
        ]),
      ['groups.changed'],
    ],
  ])('%s', async (_, name, work, kinds) => {
    const found = await recorded(work);
    expect(found.map(short)).toEqual(kinds.map((what) => event(what, id('root'), id(name as Names), 'token')));
  });

  test('new users are recorded with their rights', async () => {
    const found = await recorded(async () => {
      await server.as('root', 'POST', '/api/user', { body: { email: 'n1@x.test', password: 'pw-n1-1', admin: true } });
      await server.as('root', 'POST', '/api/user', { body: { email: 'n2@x.test', password: 'pw-n2-1' } });
      await bulk('user', [{ insertOne: { document: { email: 'n3@x.test', groups: ['a'] } } }]);
      await bulk('user', [
        { updateOne: { filter: { email: 'n4@x.test' }, update: { $set: { groups: ['a'] } }, upsert: true } },
      ]);
    });
    expect(found.map(({ what }) => what)).toEqual(['admin.granted', 'groups.changed', 'groups.changed']);
  });

  test('a bulk write that fails is recorded as far as it was done', async () => {
    let answer: Document = {};
    const found = await recorded(async () => {
      answer = (
        await bulk('user', [
          { insertOne: { document: { email: 'm1@x.test', groups: ['a'] } } },
          { insertOne: { document: { email: emailOf('ann'), groups: ['a'] } } },
          { insertOne: { document: { email: 'm2@x.test', groups: ['a'] } } },
        ])
      ).body;
    });
    expect(answer).toMatchObject({ index: 1, data: { nInserted: 1 } });
    const { rows } = await server.as('root', 'GET', '/api/user?filter[email]=m1@x.test');
    expect(found.map(({ what, whom }) => [what, whom])).toEqual([['groups.changed', rows[0]?.['_id']]]);
  });

  test('by the user', async () => {
    const headers = basic(emailOf('eve'), passwordOf('eve'));
    const found = await recorded(async () => {
      await server.put('/login/email', { email: 'eve2@x.test', password: passwordOf('eve') }, { headers });
      const again = basic('eve2@x.test', passwordOf('eve'));
      await server.post('/login/apikey', undefined, { headers: again });
      await server.post(
        '/login/password',
        { password: passwordOf('eve'), new_password: 'pw-eve-2' },
        { headers: again },
      );
    });
    expect(found.map(short)).toEqual(
      ['email.changed', 'apikey.renewed', 'password.changed'].map((what) => event(what, id('eve'), id('eve'), 'basic')),
    );
  });
});

describe('a record and its change', () => {
  /** Makes the next writes of records fail. */
  const failing = async (errors: readonly Error[], work: () => Promise<unknown>): Promise<void> => {
    const audit = server.dossier.services.recorders.find((one) => one instanceof AuditLog) as AuditLog;
    const left = [...errors];
    const write = jest.spyOn(audit, 'write').mockImplementation(async (records, session) => {
      const error = records.length === 0 ? undefined : left.shift();
      if (error !== undefined) throw error;
      await AuditLog.prototype.write.call(audit, records, session);
    });
    try {
      await work();
      expect(left).toEqual([]);
    } finally {
      write.mockRestore();
    }
  };
  const conflict = () =>
    new mongo.MongoServerError({ message: 'conflict', errorLabels: ['TransientTransactionError'] });
  const broken = () => new mongo.MongoNetworkError('gone');

  needs('transactions')('are written again after a conflict, and once', async () => {
    const email = 'again@x.test';
    const found = await recorded(() =>
      failing([conflict(), conflict(), conflict()], async () => {
        const body = { email, password: 'pw-again-1', groups: ['a'] };
        const made = await server.as('root', 'POST', '/api/user', { body });
        expect(made.status).toBe(201);
        const change = { body: { groups: ['b'], city: 'Bonn' } };
        const path = `/update/user/${String(made.document['_id'])}`;
        expect((await server.as('root', 'PUT', path, change)).document).toMatchObject({ city: 'Bonn', groups: ['b'] });
      }),
    );
    expect(found.map(({ what }) => what)).toEqual(['groups.changed', 'groups.changed']);
    expect((await server.post('/login', { email, password: 'pw-again-1' })).status).toBe(200);
  });

  needs('transactions')('are both missing where the record cannot be written', async () => {
    const email = 'never@x.test';
    const found = await recorded(() =>
      failing([broken(), broken(), broken()], async () => {
        const statuses = [
          await server.as('root', 'POST', '/api/user', { body: { email, admin: true } }),
          await server.as('root', 'PUT', `/groups/${id('bob')}`, { body: ['never'] }),
          await server.post('/login', { email: emailOf('ann'), password: passwordOf('ann') }),
        ].map(({ status }) => status);
        expect(statuses).toEqual([503, 503, 503]);
      }),
    );
    expect(found).toEqual([]);
    expect((await server.as('root', 'GET', `/api/user?filter[email]=${email}`)).rows).toEqual([]);
    expect((await server.as('root', 'GET', `/groups/${id('bob')}`)).body['data'].groups).not.toContain('never');
  });

  test('are there for each of many changes at the same time', async () => {
    const names = Array.from({ length: 10 }, (_, nth) => `at-once-${nth}`);
    const found = await recorded(() =>
      Promise.all(names.map((name) => server.as('root', 'PUT', `/groups/${id('bob')}`, { body: [name] }))),
    );
    const { groups } = (await server.as('root', 'GET', `/groups/${id('bob')}`)).body['data'];
    expect(groups).toEqual(expect.arrayContaining(names));
    expect(found).toHaveLength(10);
  });
});

describe('logins', () => {
  test('by password, Basic and JWT', async () => {
    const credentials = { email: emailOf('ann'), password: passwordOf('ann') };
    const headers = basic(credentials.email, credentials.password);
    const found = await recorded(async () => {
      await server.post('/login', credentials);
      await server.post('/login', undefined, { headers });
      const { jwt } = (await server.post('/login/getjwt', { email: credentials.email }, { headers })).body;
      await server.post('/login/jwt', { jwt: String(jwt) });
    });
    expect(found.map(short)).toEqual(
      ['password', 'basic', 'jwt'].map((method) => event('login', id('ann'), id('ann'), method)),
    );
  });

  test('by a JWT that an admin creates', async () => {
    const found = await recorded(() => server.as('root', 'POST', '/login/getjwt', { body: { email: emailOf('ann') } }));
    expect(found.map(short)).toEqual([event('jwt.created', id('root'), id('ann'), 'token')]);
  });

  test('that fail are counted by account, method and minute, and name no text that was typed', async () => {
    now = new Date(now.getTime() + 60_000);
    const found = await recorded(async () => {
      for (let nth = 0; nth < 3; nth++)
        expect((await server.post('/login', { email: 'ANN@x.test ', password: 'wrong-secret' })).status).toBe(401);
      await server.post('/login', { email: 'my-typed-secret', password: 'x' });
      await server.post('/login', { email: 7, password: { $ne: 1 } });
      await server.get('/api/note', { headers: basic(emailOf('ann'), 'wrong-secret') });
      await server.get('/api/note', { headers: { 'x-api-key': 'forged-secret' } });
      await server.get('/api/note', { headers: { authorization: 'Bearer forged-secret' } });
      await server.get('/api/note?jwt=forged-secret');
    });
    const failed = (whom: string | null, method: string): Document => event('login.failed', null, whom, method);
    expect(found.map(short)).toEqual([
      failed(id('ann'), 'password'),
      failed(null, 'password'),
      failed(id('ann'), 'basic'),
      failed(null, 'apikey'),
      failed(null, 'token'),
      failed(null, 'jwt'),
    ]);
    expect(found.map(({ count }) => count)).toEqual([3, 2, 1, 1, 1, 1]);
    expect(JSON.stringify(await log().find().toArray())).not.toMatch(/secret/);
    now = new Date(now.getTime() + 60_000);
    const later = await recorded(() => server.post('/login', { email: emailOf('ann'), password: 'wrong' }));
    expect(later.map(({ count }) => count)).toEqual([1]);
  });

  test('that fail at once are all counted', async () => {
    now = new Date(now.getTime() + 60_000);
    const wrong = { email: emailOf('ann'), password: 'wrong' };
    const found = await recorded(() => Promise.all(Array.from({ length: 20 }, () => server.post('/login', wrong))));
    expect(found.map(({ count }) => count)).toEqual([20]);
  });

  test('that fail from very many addresses are bounded', async () => {
    const { registry, settings } = server.dossier.services;
    const three = new FailedLogins(3);
    const few = new AuditLog({
      registry,
      settings,
      clock: () => now,
      shared: { failedLogin: (...given) => three.recordOf(...given) },
    });
    const found = await recorded(async () => {
      for (const last of [1, 2, 3, 4, 5, 1, 6]) await few.failed({ address: `10.0.0.${last}`, method: 'password' });
    });
    expect(found.map(({ address, method, count }) => [address, method, count])).toEqual([
      ['10.0.0.1', 'password', 2],
      ['10.0.0.2', 'password', 1],
      ['10.0.0.3', 'password', 1],
      [null, null, 3],
    ]);
  });
});

describe('permanent deletions', () => {
  const note = async (values: object = {}): Promise<string> =>
    String((await server.as('root', 'POST', '/api/note', { body: values })).document['_id']);
  const removed = (rows: readonly Document[]): readonly unknown[] =>
    rows.map(({ what, whom, model, who }) => [what, whom, model, who === id('root')]);

  test('by DELETE, alone and with linking documents; soft ones are not recorded', async () => {
    const soft = await note();
    const one = await note();
    const parent = await note();
    const child = await note({ parent_id: parent });
    const found = await recorded(async () => {
      await server.as('root', 'DELETE', `/api/note/${soft}`);
      await server.as('root', 'DELETE', `/api/note/${one}?_permaDelete=1`);
      await server.as('root', 'DELETE', `/api/note/${one}?_permaDelete=1`);
      await server.as('root', 'DELETE', `/api/note/${parent}?_permaDelete=1&_cascade=1`);
    });
    expect(removed(found)).toEqual([one, child, parent].map((whom) => ['document.removed', whom, 'note', true]));
  });

  test('by bulk writes', async () => {
    const notes = [await note({ text: 'go' }), await note({ text: 'go' }), await note({ text: 'one' })];
    const found = await recorded(() =>
      bulk(
        'note',
        [{ deleteMany: { filter: { text: 'go' } } }, { deleteOne: { filter: { text: 'one' } } }],
        '?_permaDelete=1',
      ),
    );
    expect(removed(found)).toEqual(notes.map((whom) => ['document.removed', whom, 'note', true]));
  });

  test('of users, whose records stay', async () => {
    const made = await server.as('root', 'POST', '/api/user', { body: { email: 'gone@x.test', admin: true } });
    const gone = String(made.document['_id']);
    await server.as('root', 'DELETE', `/api/user/${gone}?_permaDelete=1`);
    expect((await list(`&filter[whom]=${gone}`)).map(({ what, model }) => [what, model])).toEqual([
      ['admin.granted', undefined],
      ['document.removed', 'user'],
    ]);
  });
});

describe('GET /audit', () => {
  test('is for admins, and no other operation reaches the log', async () => {
    expect((await server.as('anonymous', 'GET', '/audit')).status).toBe(401);
    expect((await server.as('ann', 'GET', '/audit')).status).toBe(403);
    for (const [method, path] of [
      ['GET', '/api/_audit'],
      ['GET', '/model/_audit'],
      ['GET', '/csv/_audit'],
      ['POST', '/query/_audit'],
      ['POST', '/bulkwrite/_audit'],
      ['POST', '/aggregate/_audit'],
    ] as const)
      expect([path, (await server.as('root', method, path, { body: {} })).status]).toEqual([path, 404]);
    expect((await server.as('root', 'DELETE', '/audit')).status).toBe(405);
  });

  test('answers as lists do', async () => {
    const page = await server.as('root', 'GET', '/audit?sort=-when&limit=2&page=2&filter[what]=login&count=true');
    expect(page.body).toMatchObject({ limit: 2, page: 2 });
    expect(page.rows.map(({ what }) => what)).toEqual(['login', 'login']);
    expect(page.rows.every((row) => !('expires' in row))).toBe(true);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const fields = await server.as('root', 'GET', '/audit?limit=1&fields=what,who');
    expect(Object.keys(fields.rows[0] ?? {}).sort()).toEqual(['_id', 'id', 'what', 'who']);
    for (const query of ['filter[nothing]=1', 'populate=who', 'search=x', 'sort=nothing', 'limit=x'])
      expect([query, (await server.as('root', 'GET', `/audit?${query}`)).status]).toEqual([query, 400]);
  });
});

test('records expire after AUDIT_DAYS, or never', async () => {
  const expiries = async (audit_days?: number): Promise<readonly unknown[]> => {
    const other = await startServer({ clock: () => now, ...(audit_days === undefined ? {} : { audit_days }) });
    await other.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
    const { registry } = other.dossier.services;
    const rows = (await internalCollection(registry, '_audit').find().sort({ _id: 1 }).toArray()) as Row[];
    expect(rows.map(({ what, who }) => [what, who])).toEqual([
      ['setup', null],
      ['admin.granted', null],
    ]);
    await other.close();
    return rows.map(({ expires }) =>
      expires instanceof Date ? (expires.getTime() - now.getTime()) / 86_400_000 : expires,
    );
  };
  expect(await expiries()).toEqual([90, 90]);
  expect(await expiries(7)).toEqual([7, 7]);
  expect(await expiries(0)).toEqual([undefined, undefined]);
});

test('named keys: created, rotated and removed', async () => {
  const headers = basic('eve2@x.test', 'pw-eve-2');
  const events = await recorded(async () => {
    const made = await server.post('/login/keys', { name: 'program' }, { headers });
    const key = String(made.document['id']);
    expect((await server.post(`/login/keys/${key}/rotate`, {}, { headers })).status).toBe(200);
    expect((await server.as('root', 'DELETE', `/login/keys/${key}?user=${id('eve')}`)).status).toBe(200);
  });
  expect(events.map(short)).toEqual([
    event('key.created', id('eve'), id('eve'), 'basic'),
    event('key.rotated', id('eve'), id('eve'), 'basic'),
    event('key.removed', id('root'), id('eve'), 'token'),
  ]);
});

test('documents of a model that asks for it, by their paths and without values; a history that is discarded', async () => {
  let file = '';
  const as = (method: string, path: string, body?: object) => server.as('root', method, `${path}/${file}`, { body });
  const events = await recorded(async () => {
    file = String((await server.as('root', 'POST', '/api/file', { body: { text: 'CANARY' } })).document['_id']);
    await as('PUT', '/api/file', { text: 'CANARY' });
    await as('DELETE', '/api/file');
    await as('PUT', '/api/file', { _deleted: false });
    await as('DELETE', '/history/file');
    await server.as('root', 'DELETE', `/api/file/${file}?_permaDelete=1`);
  });
  expect(events.map(({ what }) => what)).toEqual([
    'document.create',
    'document.change',
    'document.delete',
    'document.restore',
    'history.forgotten',
    'document.removed',
    'document.remove',
  ]);
  expect(events[1]).toMatchObject({ model: 'file', document: file });
  expect(events[0]?.['paths']).toContain('text');
  expect(JSON.stringify(events)).not.toContain('CANARY');
});

test('second factors: switched on and off', async () => {
  const headers = basic('eve2@x.test', 'pw-eve-2');
  const events = await recorded(async () => {
    const prepared = await server.post('/login/mfa', { password: 'pw-eve-2' }, { headers });
    const code = codeAt(String(prepared.document['secret']), now.getTime());
    expect((await server.put('/login/mfa', { code }, { headers })).status).toBe(200);
    expect((await server.as('root', 'DELETE', `/login/mfa?user=${id('eve')}`)).status).toBe(200);
  });
  expect(events.map(short)).toEqual([
    event('factor.enabled', id('eve'), id('eve'), 'basic'),
    event('factor.disabled', id('root'), id('eve'), 'token'),
  ]);
});

test('schedules: run, paused and resumed', async () => {
  const events = await recorded(async () => {
    const send = (method: string, path: string, body: object) =>
      server.as('root', method, `/schedules/file.yearly${path}`, { body });
    expect((await send('POST', '/run', {})).status).toBe(202);
    for (const paused of [true, true, false]) expect((await send('PUT', '', { paused })).status).toBe(200);
  });
  expect(events.map(short)).toEqual(
    ['schedule.run', 'schedule.paused', 'schedule.resumed'].map((what) =>
      event(what, id('root'), 'file.yearly', 'token'),
    ),
  );
});

test('jobs: run again and removed', async () => {
  const jobs = async (): Promise<readonly Document[]> =>
    (await server.as('root', 'GET', '/jobs')).body['data'] as Document[];
  const api = server.dossier.api.as('system');
  await api.later('file.tidy', undefined, { in: '1h' });
  await api.later('file.tidy', undefined, { in: '1h' });
  const [removed, retried] = (await jobs()).map((job) => String(job['id']));
  const events = await recorded(async () => {
    expect((await server.as('root', 'DELETE', `/jobs/${removed}`)).status).toBe(200);
    expect((await server.as('root', 'POST', `/jobs/${retried}/retry`)).status).toBe(200);
  });
  expect(events.map(short)).toEqual([
    event('job.removed', id('root'), removed ?? '', 'token'),
    event('job.retried', id('root'), retried ?? '', 'token'),
  ]);
});

test('webhooks: created, changed, rotated and removed', async () => {
  let hook = '';
  const found = await recorded(async () => {
    const body = { url: 'http://hooks.example/', models: ['user'], active: false };
    const made = await server.as('root', 'POST', '/webhooks', { body });
    hook = String(made.document['id']);
    await server.as('root', 'PUT', `/webhooks/${hook}`, { body: { description: 'none' } });
    await server.as('root', 'POST', `/webhooks/${hook}/rotate`);
    await server.as('root', 'DELETE', `/webhooks/${hook}`);
  });
  expect(found.map(short)).toEqual(
    ['created', 'changed', 'rotated', 'removed'].map((what) => event(`webhook.${what}`, id('root'), hook, 'token')),
  );
});

test('the kinds of events are those of docs/audit.md, and all are recorded somewhere here', async () => {
  const kinds = auditKinds(features.flatMap(({ accountEvents = [] }) => accountEvents));
  expect(rowsOf('docs/audit.md', '`what`', '`whom`')).toEqual(
    [...kinds].map(([what, { whom, meaning }]) => [`\`${what}\``, whom, meaning]),
  );
  const found = new Set((await log().find().toArray()).map(({ what }) => String(what)));
  found.add('backup.begun'); // needs a folder: test/backups/backups.test.ts
  for (const what of ['index.build', 'index.drop']) found.add(what); // test/indexes/changing.test.ts
  expect([...kinds.keys()].filter((what) => !found.has(what))).toEqual([]);
});
