/** Advice on the rights of models and on settings. */
import type { Letter } from '../../models/letters.ts';
import { verbs } from '../../models/letters.ts';
import { maySee } from '../../policy/grants.ts';
import { policyFor } from '../../policy/policy.ts';
import { anonymous, type Principal } from '../../policy/principal.ts';
import type { Advice, Adviser } from '../../services.ts';
import type { Settings } from '../../settings/types.ts';
import type { Core } from '../feature.ts';

export const adviseOnServer =
  ({ services: { settings, registry } }: Core): Adviser =>
  (principal) =>
    Promise.resolve([...openModels(registry.served, principal), ...riskySettings(settings)]);

type Models = Core['services']['registry']['served'];

const written: readonly Letter[] = ['c', 'u', 'd'];

/** Models that callers may write who have not signed in. */
const openModels = (models: Models, principal: Principal): readonly Advice[] =>
  models
    .filter((model) => maySee(principal, model))
    .flatMap((model) => {
      const policy = policyFor(anonymous, model);
      const given = written.filter((letter) => policy.permits(letter));
      if (given.length === 0) return [];
      const may = given.map((letter) => verbs[letter]).join(', ');
      const advice = `callers who have not signed in may ${may} documents: give these letters to "user" or to a group instead of "all"`;
      return [{ kind: 'right', about: model.name, advice }];
    });

/** Settings that are risky as they are: which, when, and what to do. */
const risky: readonly (readonly [name: string, isRisky: (settings: Settings) => boolean, advice: string])[] = [
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
    ({ production, smtp }) => production && smtp.url === undefined,
    'no mail is sent, so a forgotten password cannot be recovered: name a mail server',
  ],
];

const riskySettings = (settings: Settings): readonly Advice[] =>
  risky.filter(([, isRisky]) => isRisky(settings)).map(([about, , advice]) => ({ kind: 'setting', about, advice }));
