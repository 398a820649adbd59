/** Which texts are hashes of passwords, and by which of them a password can be checked. */

/** A bcrypt hash: version, cost 4 to 15, 22 characters of salt and 31 of digest. */
const bcryptHash = /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;

/** Whether a value is a hash by which a password can be checked. */
export const isPasswordHash = (value: unknown): value is string => typeof value === 'string' && bcryptHash.test(value);

/** Hashes of other algorithms, in the forms that their libraries write. */
const otherHashes: Readonly<Record<string, RegExp>> = {
  argon2: /^\$argon2(?:id|i|d)\$/,
  scrypt: /^(?:\$scrypt\$|\$7\$[./A-Za-z0-9]{11}|scrypt:\d+:\d+:\d+\$|scrypt\$)/,
  PBKDF2: /^(?:\$pbkdf2(?:-sha\d+)?\$|pbkdf2_sha\d+\$|pbkdf2:sha\d+(?::\d+)?\$)/,
  crypt: /^\$(?:[156]\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}|y\$[./A-Za-z0-9]+\$[./A-Za-z0-9]*)\$[./A-Za-z0-9]{22,86}$/,
  phpass: /^\$[PH]\$[./A-Za-z0-9]{31}$/,
};
const anyBcryptHash = /^\$2[a-z]?\$\d\d\$[./A-Za-z0-9]{53}$/;
const onlyBcrypt = 'only bcrypt hashes ($2a$, $2b$ or $2y$) with a cost of 4 to 15 can be taken over';

/** That a text is a hash of another algorithm, by which no password can be checked; undefined for any other text. */
export function otherHashFault(text: string): string | undefined {
  const algorithm = Object.keys(otherHashes).find((one) => otherHashes[one]?.test(text) === true);
  return algorithm && `is a hash of ${algorithm}, which cannot be checked here`;
}

/** Why a text is neither a password nor the hash of one: it is a hash that is not taken over. Undefined for any other text. */
export function hashFault(text: string): string | undefined {
  if (isPasswordHash(text)) return undefined;
  const fault = anyBcryptHash.test(text) ? 'is a bcrypt hash of another version or cost' : otherHashFault(text);
  return fault && `${fault}: ${onlyBcrypt}`;
}
