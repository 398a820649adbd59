/** The definition of a valid email address, for all code that sets, reads or mails one. */
import addressparser from 'nodemailer/lib/addressparser';

/** The rule of `isEmail`, to follow the name of a field in a message. */
export const emailRule = 'must be one email address, such as ann@example.com';

/** Characters of a whole address (RFC 5321, 4.5.3.1.3, less the angle brackets). */
const maxLength = 254;
/** Control and format characters, lone surrogates, white space, and characters with a meaning in mail headers. */
const forbidden = /[\p{Cc}\p{Cf}\p{Cs}\s,;:<>()[\]"\\]/u;
const parts = /^[^@]+@[^@.]+(\.[^@.]+)*$/;

/** The stored form of an email, which is also compared: trimmed and in lower case. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

/** Whether a string is exactly one address, without a display name, that the mailer reads unchanged. */
export function isEmail(text: string): boolean {
  if (text.length > maxLength || forbidden.test(text) || !parts.test(text)) return false;
  const [only, ...more] = addressparser(text, { flatten: true });
  return more.length === 0 && only?.address === text && only.name === '';
}
