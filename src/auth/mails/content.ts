/** Builds mails as text and as HTML. All values are escaped. */
import type { MailName } from '../../settings/config-file.ts';
import { escapedHtml } from '../../text/html.ts';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail of the server, for which the config may have a template of its own. */
export interface BuiltInMail {
  readonly kind: MailName;
  readonly content: MailContent;
  /** The page that it leads to, with its JWT, and for how many seconds that is valid. */
  readonly link?: string;
  readonly seconds?: number;
  readonly webhook?: { readonly id: string; readonly host: string };
}

/** The parts of a mail. Each string is a paragraph. */
interface MailParts {
  readonly subject: string;
  readonly opening: string;
  /** The page that the mail leads to. */
  readonly link?: { readonly label: string; readonly url: string };
  readonly closing: readonly string[];
}

export function mailContent({ subject, opening, link, closing }: MailParts): MailContent {
  const before = link === undefined ? [opening] : [`${opening} ${link.label}:`, '', link.url, ''];
  const button = link === undefined ? '' : `<p><a href="${escapedHtml(link.url)}">${escapedHtml(link.label)}</a></p>\n`;
  return {
    subject,
    text: `${[...before, ...closing].join('\n')}\n`,
    html: `${paragraph(opening)}\n${button}${closing.map(paragraph).join('')}`,
  };
}

const paragraph = (text: string): string => `<p>${escapedHtml(text)}</p>`;

/** A number of seconds in the largest unit of which it has at least two. */
export function duration(seconds: number): string {
  const [size, unit] = units.find(([length]) => seconds >= length * 2) ?? [1, 'seconds'];
  return `${Math.floor(seconds / size)} ${unit}`;
}
const units: readonly (readonly [number, string])[] = [
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
];
