/** The recovery mail, as text and as HTML. It contains nothing from the caller who requested it. */

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @param link the page where the user sets a new password @param seconds the time for which the link is valid */
export function recoveryMail(link: string, seconds: number): MailContent {
  const until = `The link works once, within ${duration(seconds)}.`;
  const calm = 'If you did not request this, ignore this mail: your password stays unchanged.';
  const safe = escaped(link);
  return {
    subject: 'Set a new password',
    text: `Someone requested a new password for your account. To set one, open this link:\n\n${link}\n\n${until}\n${calm}\n`,
    html: [
      '<p>Someone requested a new password for your account.</p>',
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
