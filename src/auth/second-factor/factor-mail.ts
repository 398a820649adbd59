/** The notice that goes to a user whose second factor was switched on or off. */
import type { MailContent } from '../passwords/recovery-mail.ts';

export function factorMail(isOn: boolean): MailContent {
  const state = isOn ? 'on' : 'off';
  const what = `The second factor of your account was switched ${state}.`;
  const alarm = 'If you did not do this, set a new password and contact the operators of this service.';
  return {
    subject: `Your second factor was switched ${state}`,
    text: `${what}\n${alarm}\n`,
    html: `<p>${what}</p><p>${alarm}</p>`,
  };
}
