/** A path is password-named when one of its parts is `password` in any letter case; such values are hashed and never shown. */

/** The hidden name, in lower case. */
const secretName = 'password';

/** The hidden names, in lower case. */
export const secretNames: readonly string[] = [secretName];

/** Whether one name is `password`, in any letter case. */
export const isSecretName = (name: string): boolean =>
  name.length === secretName.length && name.toLowerCase() === secretName;

/** Whether a dotted path is password-named. */
export const isSecretPath = (path: string): boolean => path.split('.').some(isSecretName);

/** A bcrypt hash: version, cost 4 to 15, 22 characters of salt and 31 of digest. */
const bcryptHash = /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;

/** Whether a value is a hash by which a password can be checked. */
export const isPasswordHash = (value: unknown): value is string => typeof value === 'string' && bcryptHash.test(value);
