/** Mails of an application's own: templates, their language, and the built-in text where one fails. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { localeOf } from '../../src/auth/mails/language.ts';
import { definePlugin, type DossierConfig, type MailInput, type MailText } from '../../src/index.ts';
import { emailOf, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const models = {
  'user.ts': `import { Schema } from 'mongoose';
export default new Schema({ email: String, password: String, name: String, locale: String, secret: String });`,
};
/** What the templates have received, as JSON, and what they answer. */
const received: MailInput[] = [];
let answer: (input: MailInput) => unknown;
const own = (input: MailInput): MailText => {
  received.push(input);
  return answer(input) as MailText;
};

let mailbox: Mailbox;
let server: PeopledServer<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  mailbox = await openMailbox();
  server = await openPeople(['root', 'ann', 'bob'], {
    ...{ models, smtp: { url: mailbox.url }, trust_proxy: 1, signup: 'verified' },
    ...{ password_recovery_url: 'https://app.test/recover?jwt=', verify_url: 'https://app.test/verify?jwt=' },
    mails: { recovery: own, invitation: own, verification: own, known_address: own, new_key: own },
    plugins: [definePlugin({ name: 'letters', mails: { new_password: own, new_email: own, new_address: own } })],
    query_limits: { max_time_ms: 2000 },
  });
  await server.as('root', 'PUT', `/api/user/${server.callers.bob.user_id}`, {
    body: { locale: 'fr-ca', secret: 'CANARY' },
  });
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});

type Header = Readonly<Record<string, string>>;
const german = { 'accept-language': 'en;q=0.5, de-at, *;q=0.1' };
const auth = (name: 'ann' | 'bob', headers: Header = german): Header => ({
  ...server.callers[name].headers,
  ...headers,
});
const recover = (name: 'ann' | 'bob', headers: Header = german) =>
  server.post('/login/recover', { email: emailOf(name) }, { headers });

/** Does something, and waits for its mail. */
async function mailOf(work: () => Promise<{ readonly status: number }>, to: string): Promise<string> {
  const before = mailbox.sentTo(to).length;
  expect((await work()).status).toBeLessThan(300);
  await until(() => mailbox.sentTo(to).length > before);
  return mailbox.sentTo(to).at(-1)?.raw ?? '';
}

describe('a template', () => {
  beforeAll(() => {
    answer = ({ user, link, locale }) => ({
      subject: `For ${user.name ?? ''} in ${locale ?? 'no language'}`,
      text: `Go to ${link ?? 'no page'}`,
      html: `<p>${link ?? 'no page'}</p>`,
    });
  });

  const cases: readonly (readonly [
    kind: string,
    to: string,
    subject: string,
    work: () => Promise<{ status: number }>,
  ])[] = [
    ['recovery', emailOf('ann'), 'For ann in de-AT', () => recover('ann')],
    ['recovery', emailOf('ann'), 'For ann in no language', () => recover('ann', {})],
    ['recovery', emailOf('ann'), 'For ann in no language', () => recover('ann', { 'accept-language': '*, %%;q=x' })],
    ['recovery', emailOf('bob'), 'For bob in fr-CA', () => recover('bob')],
    [
      'invitation',
      'invited@x.test',
      'For Ina in no language',
      async () => {
        await server.as('root', 'POST', '/api/user', { body: { email: 'invited@x.test', name: 'Ina' } });
        return server.as('root', 'POST', '/login/recover', { body: { email: 'invited@x.test' } });
      },
    ],
    ['new_key', emailOf('ann'), 'For ann in de-AT', () => server.post('/login/apikey', {}, { headers: auth('ann') })],
    [
      'verification',
      'new@x.test',
      'For new in de-AT',
      () => server.post('/signup', { email: 'new@x.test', password: 'a long one', name: 'new' }, { headers: german }),
    ],
    [
      'known_address',
      emailOf('ann'),
      'For ann in de-AT',
      () => server.post('/signup', { email: emailOf('ann'), password: 'a long one', name: 'x' }, { headers: german }),
    ],
    [
      'new_password',
      emailOf('bob'),
      'For bob in fr-CA',
      () =>
        server.post(
          '/login/password',
          { password: passwordOf('bob'), new_password: 'another one' },
          { headers: auth('bob') },
        ),
    ],
    [
      'new_address',
      emailOf('bob'),
      'For bob in fr-CA',
      () =>
        server.send('POST', '/login', {
          body: { email: emailOf('bob'), password: 'another one' },
          headers: { 'x-forwarded-for': '10.0.0.9' },
        }),
    ],
    [
      'new_email',
      emailOf('ann'),
      'For ann in de-AT',
      async () => {
        const body = { email: 'moved@x.test', password: passwordOf('ann') };
        await server.put('/login/email', body, { headers: auth('ann') });
        const link = mailbox.sentTo('moved@x.test').at(-1)?.raw.replaceAll('=\r\n', '') ?? '';
        const [, jwt] = /jwt=3D([\w.-]+)/.exec(link) ?? [];
        return server.post('/login/verify', { jwt }, { headers: german });
      },
    ],
  ];
  test.each(cases)('%s to %s makes the mail "%s"', async (kind, to, subject, work) => {
    const raw = await mailOf(work, to);
    expect(raw).toContain(`\r\nSubject: ${subject}\r\n`);
    const leads = ['recovery', 'invitation', 'verification'].includes(kind);
    expect(raw.includes('https://app.test/')).toBe(leads);
    const input = received.at(-1);
    expect(Object.keys(input?.user ?? {}).sort()).toEqual(['_id', 'admin', 'email', 'groups', 'id', 'name']);
    expect(input?.seconds).toBe(leads ? (kind === 'verification' ? 86_400 : 3600) : undefined);
  });

  test('never receives secrets', () => {
    const all = JSON.stringify(received);
    expect(all).not.toMatch(/CANARY|\$2[aby]\$|password":|apikey|incarnation/);
  });
});

describe('the built-in text is sent, with a line in the log,', () => {
  test.each<[string, (input: MailInput) => unknown, RegExp]>([
    [
      'where a template throws',
      () => {
        throw new Error('no such key');
      },
      /no such key/,
    ],
    ['where it rejects', () => Promise.reject(new Error('no such file')), /no such file/],
    ['where it never ends', () => new Promise(() => undefined), /did not end within 2000 ms/],
    ['where it has no subject', () => ({ text: 'a' }), /must have a subject of one line/],
    ['where its subject has two lines', () => ({ subject: 'a\r\nBcc: b@x.test', text: 'a' }), /subject of one line/],
    ['where it has no text', () => ({ subject: 'a', html: '<p>a</p>' }), /must have a text/],
    ['where its html is none', () => ({ subject: 'a', text: 'a', html: 5 }), /html of a mail must be a text/],
    ['where it returns a text', () => 'a', /must have a subject/],
  ])('%s', async (_, own, reason) => {
    answer = own;
    const before = server.log.length;
    const raw = await mailOf(() => recover('bob'), emailOf('bob'));
    expect(raw).toContain('\r\nSubject: Set a new password\r\n');
    const lines = server.log.slice(before).filter((line) => line.includes('mails.recovery failed'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(reason);
  });

  test('but not where it returns nothing', async () => {
    answer = () => undefined;
    const before = server.log.length;
    expect(await mailOf(() => recover('bob'), emailOf('bob'))).toContain('Subject: Set a new password');
    expect(server.log.slice(before).join()).not.toContain('mails.recovery');
  });

  test('and a template without html sends only text', async () => {
    answer = () => ({ subject: 'Plain', text: 'only text' });
    const raw = await mailOf(() => recover('bob'), emailOf('bob'));
    expect(raw).toContain('Subject: Plain');
    expect(raw).not.toContain('text/html');
  });
});

const template = (): MailText => ({ subject: 'a', text: 'a' });
const wrong = (value: unknown): DossierConfig => value as DossierConfig;
const kinds =
  'recovery, invitation, new_password, new_email, new_key, new_address, factor_on, factor_off, backup_failed, webhook_off, verification, known_address';
test.each<[string, DossierConfig, string]>([
  ['an unknown kind', wrong({ mails: { recover: template } }), `mails.recover is unknown; expected one of ${kinds}`],
  ['a kind near another', wrong({ mails: { recover: template } }), 'did you mean "recovery"?'],
  ['a text as template', wrong({ mails: { recovery: 'text' } }), 'mails.recovery must be a function'],
  ['a list', wrong({ mails: [] }), 'mails must be an object: kind → function'],
  [
    'a mail of a plug-in and the config',
    { mails: { recovery: template }, plugins: [definePlugin({ name: 'one', mails: { recovery: template } })] },
    'plug-in one: the mail recovery is also one of the config',
  ],
  [
    'a mail of two plug-ins',
    { plugins: ['one', 'two'].map((name) => definePlugin({ name, mails: { new_key: template } })) },
    'plug-in two: the mail new_key is also one of plug-in one',
  ],
  [
    'an unknown kind of a plug-in',
    wrong({ plugins: [{ name: 'one', mails: { toString: template } }] }),
    'plug-in one: mails.toString is unknown',
  ],
])('%s stops the start', async (_, options, fault) => {
  await expect(startServer({ models: {}, ...options })).rejects.toThrow(fault);
});

test.each([
  ['de-at', 'de-AT'],
  ['EN', 'en'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['', undefined],
  ['de_AT', undefined],
  ['a'.repeat(36), undefined],
  [5, undefined],
])('%p is the language %p', (tag, locale) => expect(localeOf(tag)).toBe(locale));
