/** The words of the recovery mail, as text and as HTML. Nothing in it comes from whoever asked for it. */

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @param link where the new password is set @param seconds for which it works */
export function recoveryMail(link: string, seconds: number): MailContent {
  const until = `The link works once, within ${duration(seconds)}.`;
  const calm = 'If you did not ask for this, you need not do anything: your password stays as it is.';
  const safe = escaped(link);
  return {
    subject: 'Set a new password',
    text: `Somebody asked for a new password for your account. To set one, open this link:\n\n${link}\n\n${until}\n${calm}\n`,
    html: [
      '<p>Somebody asked for a new password for your account.</p>',
      `<p><a href="${safe}">Set a new password</a></p>`,
      `<p>${until}</p><p>${calm}</p>`,
    ].join('\n'),
  };
}

function duration(seconds: number): string {
  const [size, unit] = units.find(([length]) => seconds >= length * 2) ?? [1, 'seconds'];
  return `${Math.floor(seconds / size)} ${unit}`;
}
const units: readonly (readonly [number, string])[] = [
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
];

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
