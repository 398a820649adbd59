/** The mails of the core. None contains anything from the request that caused it. */
import { type BuiltInMail, duration, mailContent } from './content.ts';

/** How long a link is valid. */
export const validity = (seconds: number): string => `The link works once, within ${duration(seconds)}.`;

/** @param url the page where the user sets a new password @param seconds the time for which the link is valid */
export const recoveryMail = (url: string, seconds: number): BuiltInMail => ({
  ...{ kind: 'recovery', link: url, seconds },
  content: mailContent({
    subject: 'Set a new password',
    opening: 'Someone requested a new password for your account.',
    link: { label: 'Set a new password', url },
    closing: [validity(seconds), 'If you did not request this, ignore this mail: your password stays unchanged.'],
  }),
});

/**
 * For a user without a password, whose account others have made. Its link is that of a recovery.
 * @param appName of the project @param url the page where the user sets a password @param seconds the time for which the link is valid
 */
export const invitationMail = (appName: string, url: string, seconds: number): BuiltInMail => ({
  ...{ kind: 'invitation', link: url, seconds },
  content: mailContent({
    subject: `You are invited to ${appName.replaceAll(/\s+/g, ' ')}`,
    opening: `You have an account at ${appName}. It needs a password, with which you sign in.`,
    link: { label: 'Set your password', url },
    closing: [validity(seconds), 'If you did not expect this, ignore this mail.'],
  }),
});

const alarm = 'If you did not do this, someone else has access to your account: contact the operators of this service.';

/** A notice about a change of an account's security. */
export const notice = (kind: BuiltInMail['kind'], subject: string, opening: string): BuiltInMail => ({
  kind,
  content: mailContent({ subject, opening, closing: [alarm] }),
});

/** The notices of the core. */
export const notices = {
  newPassword: () => notice('new_password', 'Your password was changed', 'Your account has a new password.'),
  /** Goes to the old address after a change of email. It does not name the new address. */
  newEmail: () =>
    notice(
      'new_email',
      'Your email address was changed',
      'The email address of your account was changed. This address no longer signs in.',
    ),
  newKey: () => notice('new_key', 'A new API key', 'A new API key was created for your account.'),
  newAddress: () =>
    notice(
      'new_address',
      'A sign-in from a new address',
      'Someone signed in to your account from an address that is new to it.',
    ),
} as const;
