/** A path is password-named when one of its parts is `password` in any letter case; such values are hashed and never shown. */

/** The name in small letters. */
export const secretNames: readonly string[] = ['password'];

/** Whether one name is `password`, in any letter case. */
export const isSecretName = (name: string): boolean => name.length === 8 && name.toLowerCase() === 'password';

/** Whether a dotted path is password-named. */
export const isSecretPath = (path: string): boolean => path.split('.').some(isSecretName);
