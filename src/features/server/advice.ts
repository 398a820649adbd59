/** Advice on the rights of models, on settings, and on the disk of the database. */
import { type Adviser, type Core, maySee, policyFor, type Principal, type Settings } from '../../core.ts';
import type { Letter } from '../../models/letters.ts';
import { verbs } from '../../models/letters.ts';
import { anonymousPrincipal } from '../../policy/principal.ts';
import { databaseSize } from '../../read/storage.ts';
import type { Advice } from '../../services.ts';

export const adviseOnServer =
  ({ services: { settings, registry, connection } }: Core): Adviser =>
  async (principal) => [
    ...openModels(registry.served, principal),
    ...adviseOnSettings(settings),
    ...adviseOnDisk((await databaseSize(connection))?.disk?.free),
  ];

/** Bytes below which a disk is nearly full. The embedded store warns in the log from there on, too. */
const scarceBytes = 1024 ** 3;

function adviseOnDisk(free: number | undefined): readonly Advice[] {
  if (free === undefined || free >= scarceBytes) return [];
  const advice = `only ${Math.floor(free / 1024 ** 2)} MB of its disk are free: make room outside of the database, or move it, before writes are refused`;
  return [{ kind: 'disk', about: 'database', advice }];
}

type Models = Core['services']['registry']['served'];

const written: readonly Letter[] = ['c', 'u', 'd'];

/** Models that callers may write who have not signed in. */
const openModels = (models: Models, principal: Principal): readonly Advice[] =>
  models
    .filter((model) => maySee(principal, model))
    .flatMap((model) => {
      const policy = policyFor(anonymousPrincipal, model);
      const given = written.filter((letter) => policy.permits(letter));
      if (given.length === 0) return [];
      const may = given.map((letter) => verbs[letter]).join(', ');
      const advice = `callers who have not signed in may ${may} documents: give these letters to "user" or to a group instead of "all"`;
      return [{ kind: 'right', about: model.name, advice }];
    });

/** Characters that a password should have at least (NIST SP 800-63B, 3.1.1.2). */
const safePassword = 8;

/** Settings that are risky as they are: which, when, and what to do. */
export const riskySettings: readonly (readonly [
  name: string,
  isRisky: (settings: Settings) => boolean,
  advice: string,
])[] = [
  [
    'BACKGROUND',
    ({ background }) => !background,
    'schedules, jobs, deliveries, planned backups and removals wait, and no mails are sent: switch it on when the data have been checked',
  ],
  [
    'THROTTLE_ENABLED',
    ({ throttle }) => !throttle.enabled,
    'one address may send any number of requests: switch the throttle on, unless a proxy has one',
  ],
  [
    'QUERY_LIMITS_ENABLED',
    ({ query_limits }) => !query_limits.enabled,
    'a list without a limit returns the whole collection: switch the limits on',
  ],
  [
    'SHED_AFTER_MS',
    ({ shed_after_ms: ms }) => ms === 0,
    'under overload all requests wait, health checks too: set it, such as to 500',
  ],
  [
    'TRUST_PROXY',
    ({ trust_proxy: trust }) => trust === true,
    'each caller may name any address as theirs: name the addresses of your proxies, or their number',
  ],
  [
    'SECURITY_MAILS',
    ({ security_mails: mails }) => !mails,
    'users are not notified of new sign-ins and changed passwords: switch the mails on',
  ],
  [
    'SMTP_URL',
    ({ production, smtp, password_recovery_url: page }) => smtp.url === undefined && (production || page !== undefined),
    'no mail is sent, so that admins hand invitations over, and a forgotten password cannot be recovered: name a mail server',
  ],
  [
    'PASSWORD_RECOVERY_URL',
    ({ smtp, password_recovery_url: page }) => smtp.url !== undefined && page === undefined,
    'mails of forgotten passwords have no page to lead to, and are refused, and admins hand invitations over: name the page',
  ],
  [
    'SIGNUP',
    ({ production, signup }) => production && signup === 'open',
    'anyone may have an account with an email that is not theirs: set "verified", which needs a mail server',
  ],
  [
    'PASSWORD_MIN_LENGTH',
    ({ signup, password_min_length: shortest }) => signup !== 'off' && shortest < safePassword,
    `anyone may sign up, with a password that is soon guessed: ask for ${safePassword} characters or more`,
  ],
  [
    'PASSWORD_COMMON',
    ({ production, signup, password_common: isAllowed }) => production && signup !== 'off' && isAllowed,
    'anyone may sign up, with one of the most common passwords: refuse these',
  ],
  [
    'MCP',
    ({ mcp }) => mcp === 'write',
    'agents of all callers may write what these may: set "read", or give agents keys with scopes that only read',
  ],
  [
    'URL_CREDENTIALS',
    ({ production, url_credentials: isAccepted }) => production && isAccepted,
    'API keys and JWTs in addresses stay in the logs of proxies: switch it off when no client sends them there',
  ],
];

const adviseOnSettings = (settings: Settings): readonly Advice[] =>
  riskySettings
    .filter(([, isRisky]) => isRisky(settings))
    .map(([about, , advice]) => ({ kind: 'setting', about, advice }));
