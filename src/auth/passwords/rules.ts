/** The rules for new passwords. */
import { plainEmail } from '../../email.ts';
import { badValue } from '../../errors.ts';
import type { Settings } from '../../settings/types.ts';
import { commonPasswords } from './common-passwords.ts';
import type { PasswordContext } from './contract.ts';

/** bcrypt uses this many bytes; longer passwords are refused instead of truncated. */
export const maxBytes = 72;

/** @throws 400 for a password that breaks a rule */
type CheckPassword = (password: string, place: PasswordContext) => Promise<void>;

export function passwordRules(settings: Settings): CheckPassword {
  const { password_min_length: shortest, password_common: allowsCommon, production } = settings;
  const isCommon = commonPasswords();
  return async (password, { path = 'password', email }) => {
    if (password.length < shortest)
      throw badValue(
        path,
        'minlength',
        shortest === 1 ? 'must not be empty' : `must have at least ${shortest} characters`,
      );
    if (Buffer.byteLength(password) > maxBytes)
      throw badValue(path, 'maxlength', `must have at most ${maxBytes} bytes`);
    if (password.includes('\0')) throw badValue(path, 'regexp', 'must not contain a NUL character');
    if (!production) return;
    if (email !== undefined && plainEmail(password) === plainEmail(email))
      throw badValue(path, 'email', 'must not be the email');
    if (!allowsCommon && (await isCommon(password)))
      throw badValue(path, 'common', 'is one of the 10,000 most common passwords: choose another one');
  };
}
