/** The words of the mail to the old address of somebody whose email was changed. It does not name the new one. */
import type { MailContent } from './recovery-mail.ts';

export function emailChangedMail(): MailContent {
  const what = 'The email address of your account was changed. This address no longer signs in.';
  const alarm = 'If you did not do this, somebody knows your password: tell the people who run this service.';
  return {
    subject: 'Your email address was changed',
    text: `${what}\n${alarm}\n`,
    html: `<p>${what}</p><p>${alarm}</p>`,
  };
}
