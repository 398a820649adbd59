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
