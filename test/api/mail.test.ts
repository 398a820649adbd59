/** `api.mail`: messages as jobs of a unit of work (docs/api.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Api, MailMessage } from '../../src/index.ts';
import { modelOf, type Row } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import type { ModelTools } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

interface Use {
  readonly api: Api;
}
interface Asked {
  readonly mail: MailMessage;
  readonly fails?: boolean;
}

const models = {
  'note.ts': ({ Schema }: ModelTools) => {
    const note = new Schema({ title: String }, {
      ...{ perms: { admin: 'crud', user: 'cr' }, callable_statics: ['send', 'system', 'rolled', 'kept'] },
    } as object);
    Object.assign(note.statics, {
      send: async ({ mail, fails }: Asked, { api }: Use) => {
        await api.mail(mail);
        if (fails === true) throw new Error('the run fails');
      },
      system: ({ mail }: Asked, { api }: Use) => api.as('system').mail(mail),
      rolled: ({ mail }: Asked, { api }: Use) =>
        api
          .transaction(async (inner) => {
            await inner.mail(mail);
            throw new Error('rolled back');
          })
          .catch(() => 'rolled back'),
      kept: ({ mail }: Asked, { api }: Use) =>
        api.transaction(async (inner) => {
          await Promise.all([inner.model('note').create({ title: 'kept' }), inner.mail(mail)]);
        }),
    });
    return note;
  },
};

let mailbox: Mailbox;
let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  mailbox = await openMailbox();
  server = await openPeople(['root', 'ann'], {
    models,
    jobs: { retries: '1s' },
    signup: 'open',
    smtp: { url: mailbox.url, from: 'Shop <shop@x.test>' },
    pre_hooks: {
      post: async (req, _res, next) => {
        const { title } = req.dossier.body as { title: string };
        await req.dossier.api.mail({ to: 'hook@x.test', subject: title, text: title });
        next(title === 'refused' ? Object.assign(new Error('no'), { statusCode: 409 }) : undefined);
      },
    },
    signed_up: async ({ user, api }) => {
      await api.mail({ to: String(user.email), subject: 'Welcome', text: 'Hello' });
      if (user['email'] === 'refused@x.test') throw Object.assign(new Error('no'), { statusCode: 409 });
    },
  });
});
afterAll(() => mailbox.close());
beforeEach(() => mailbox.refused.clear());

const message = (to: MailMessage['to'], more: object = {}): MailMessage => ({
  to,
  subject: 'Hi',
  text: 'CANARY',
  ...more,
});
const call = (name: string, asked: Asked) => server.as('ann', 'POST', `/call/note/${name}`, { body: asked });
const jobs = async (): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', '/jobs?limit=100')).body['data'] as Document[];
const stored = async (): Promise<readonly Row[]> =>
  await modelOf(server.dossier.services.registry.internal('_outbox')).collection.find<Row>({ group: 'mail' }).toArray();
const allHaveEnded = (): Promise<void> =>
  until(async () => (await jobs()).every(({ status }) => status === 'ok' || status === 'dead'));

interface Case {
  readonly to: string;
  readonly send: (mail: MailMessage) => Promise<{ readonly status: number }>;
  readonly status: number;
  readonly letters: number;
}

test.each<[string, Case]>([
  ['a function', { to: 'function@x.test', send: (mail) => call('send', { mail }), status: 200, letters: 1 }],
  [
    'a function that fails',
    { to: 'fails@x.test', send: (mail) => call('send', { mail, fails: true }), status: 500, letters: 0 },
  ],
  ['the system', { to: 'system@x.test', send: (mail) => call('system', { mail }), status: 200, letters: 1 }],
  [
    'a hook',
    {
      ...{ to: 'hook@x.test', status: 201, letters: 1 },
      send: () => server.as('ann', 'POST', '/api/note', { body: { title: 'accepted' } }),
    },
  ],
  [
    'a hook that refuses',
    {
      ...{ to: 'hook@x.test', status: 409, letters: 0 },
      send: () => server.as('ann', 'POST', '/api/note', { body: { title: 'refused' } }),
    },
  ],
  [
    'a sign-up',
    {
      ...{ to: 'new@x.test', status: 201, letters: 1 },
      send: ({ to }) => server.post('/signup', { email: to, password: passwordOf('new') }),
    },
  ],
  [
    'a sign-up that is refused',
    {
      ...{ to: 'refused@x.test', status: 409, letters: 0 },
      send: ({ to }) => server.post('/signup', { email: to, password: passwordOf('new') }),
    },
  ],
])('%s', async (_name, { to, send, status, letters }) => {
  const before = mailbox.sentTo(to).length;
  expect((await send(message(to))).status).toBe(status);
  await allHaveEnded();
  expect(mailbox.sentTo(to).length - before).toBe(letters);
});

needs('transactions').each<[string, 'rolled' | 'kept', number]>([
  ['that is rolled back', 'rolled', 0],
  ['that is committed', 'kept', 1],
])('a transaction %s', async (_name, name, letters) => {
  expect((await call(name, { mail: message(`${name}@x.test`) })).status).toBe(200);
  await allHaveEnded();
  expect(mailbox.sentTo(`${name}@x.test`)).toHaveLength(letters);
});

test('a program sends text and HTML to several, from the address of the settings, and leaves nothing of it', async () => {
  const to = ['one@x.test', 'two@x.test'];
  await server.dossier.api.mail(message(to, { subject: 'Grüße', html: '<b>CANARY</b>' }));
  await allHaveEnded();
  const [letter, ...more] = mailbox.sentTo('one@x.test');
  expect([letter?.to, more]).toEqual([to, []]);
  expect(letter?.raw).toMatch(/^From: Shop <shop@x\.test>\r$/m);
  expect(letter?.raw).toContain('<b>CANARY</b>');
  expect(JSON.stringify(await stored())).not.toContain('CANARY');
  expect(server.log.join('')).not.toContain('CANARY');
});

test('a refused message is tried again, then dead, and sent when an admin asks for it, once', async () => {
  mailbox.refused.add('late@x.test');
  await server.dossier.api.mail(message('late@x.test'));
  await allHaveEnded();
  const [job] = await jobs();
  expect(job).toMatchObject({ function: 'mail', status: 'dead', attempts: 4 });
  expect(JSON.stringify(job)).not.toMatch(/CANARY|Hi/);
  mailbox.refused.clear();
  const again = async (): Promise<void> => {
    expect((await server.as('root', 'POST', `/jobs/${String(job?.['id'])}/retry`)).status).toBe(200);
    await allHaveEnded();
  };
  await again();
  await again();
  expect((await jobs())[0]?.['status']).toBe('ok');
  expect(mailbox.sentTo('late@x.test')).toHaveLength(1);
  const about = server.log.filter((line) => line.includes('a job failed'));
  expect(about).toHaveLength(4);
  expect(about.join('')).not.toMatch(/"Hi"|late@x\.test/);
});

describe('a TypeError', () => {
  const many = Array.from({ length: 21 }, (_, at) => `a${at}@x.test`);
  test.each<[string, unknown, string]>([
    ['for no object', 'ann@x.test', 'api.mail takes an object with to, subject, text, html'],
    ['for a key that there is not', { ...message('a@x.test'), from: 'b@x.test' }, 'a message has no "from"'],
    [
      'for a file',
      { ...message('a@x.test'), attachments: [{ path: '/etc/passwd' }] },
      'a message has no "attachments"',
    ],
    ['for no address', { subject: 'Hi', text: 'CANARY' }, 'to must be one email address'],
    ['for an empty list', message([]), 'to must have 1 to 20 addresses, got 0'],
    ['for too many', message(many), 'to must have 1 to 20 addresses, got 21'],
    ['for two in one text', message('a@x.test,b@x.test'), 'to must be one email address'],
    ['for a name', message('Ann <a@x.test>'), 'to must be one email address'],
    ['for a line break in an address', message('a@x.test\r\nBcc: b@x.test'), 'to must be one email address'],
    ['for a bad member', message(['a@x.test', 'b']), 'to.1 must be one email address'],
    ['for an object', message({ address: 'a@x.test' } as never), 'to must be one email address'],
    ['for a nested list', message([['a@x.test', 'b@x.test']] as never), 'to.0 must be one email address'],
    ['for a header in the subject', message('a@x.test', { subject: 'Hi\r\nBcc: b@x.test' }), 'a subject of one line'],
    ['for an empty subject', message('a@x.test', { subject: ' ' }), 'a subject of one line'],
    ['for no text', message('a@x.test', { text: undefined }), 'a mail must have a text'],
    ['for a text that nodemailer would read', message('a@x.test', { text: { path: '/etc/passwd' } }), 'have a text'],
    ['for other HTML', message('a@x.test', { html: { href: 'http://x.test' } }), 'the html of a mail must be a text'],
    ['for a long message', message('a@x.test', { text: 'x'.repeat(1024 ** 2) }), 'at most 1048576 bytes'],
  ])('%s', async (_name, given, text) => {
    const before = (await stored()).length;
    const sent = server.dossier.api.mail(given as MailMessage);
    await expect(sent).rejects.toThrow(TypeError);
    await expect(sent).rejects.toThrow(text);
    await expect(sent).rejects.not.toThrow('CANARY');
    expect(await stored()).toHaveLength(before);
  });

  test('where no mail server is set', async () => {
    const bare = await startServer({ models });
    const sent = bare.dossier.api.mail(message('a@x.test'));
    await expect(sent).rejects.toThrow(
      new TypeError('api.mail: no mail server is set; SMTP_URL, or smtp.url, is the address of one'),
    );
    await bare.close();
  });
});
