/** The notice that goes to the old address after a change of email. It does not name the new address. */
import type { MailContent } from './passwords/recovery-mail.ts';

export function emailChangedMail(): MailContent {
  const what = 'The email address of your account was changed. This address no longer signs in.';
  const alarm = 'If you did not do this, someone else knows your password: contact the operators of this service.';
  return {
    subject: 'Your email address was changed',
    text: `${what}\n${alarm}\n`,
    html: `<p>${what}</p><p>${alarm}</p>`,
  };
}
