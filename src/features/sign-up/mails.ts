/** The mails of sign-up. As all mails, they have nothing from the request that causes them. */
import { mailContent } from '../../auth/mails/content.ts';
import { validity } from '../../auth/mails/mails.ts';
import type { BuiltInMail } from '../../core.ts';

/** @param url the page that verifies the address @param seconds the time for which the link is valid */
export const verificationMail = (url: string, seconds: number): BuiltInMail => ({
  ...{ kind: 'verification', link: url, seconds },
  content: mailContent({
    subject: 'Verify your email address',
    opening: 'This address was given for an account.',
    link: { label: 'Verify your email address', url },
    closing: [
      validity(seconds),
      'If you did not sign up, ignore this mail: without the link no one can use the account.',
    ],
  }),
});

/** The answer to a sign-up with the address of an existing account. */
export const knownAddressMail = (): BuiltInMail => ({
  kind: 'known_address',
  content: mailContent({
    subject: 'You already have an account',
    opening: 'Someone signed up with this address, which already has an account. Nothing was changed.',
    closing: ['If it was you, sign in, or request a new password. If not, ignore this mail.'],
  }),
});
