/** Encrypts the secrets of second factors for the database, by AES-256-GCM with a key derived from the shared secret. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

export interface Sealer {
  /** @param owner the user: what is sealed for one cannot be opened for another */
  seal(text: string, owner: string): string;
  /**
   * The sealed text; undefined if it was sealed with none of the secrets, or for another owner. `current` is the sealed form under
   * the newest secret.
   */
  open(sealed: string, owner: string): { readonly text: string; readonly current: string } | undefined;
}

/** @param secrets the shared secret, then earlier ones that are still accepted */
export function makeSealer(secrets: readonly [string, ...string[]]): Sealer {
  const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'second factors', 32));
  const newest = keyOf(secrets[0]);
  const keys = secrets.map(keyOf);
  const seal = (text: string, owner: string): string => encrypted(newest, text, owner);
  return {
    seal,
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length <= ivBytes + tagBytes) return undefined;
      for (const [at, key] of keys.entries()) {
        const text = decrypted(key, bytes, owner);
        if (text !== undefined) return { text, current: at === 0 ? sealed : seal(text, owner) };
      }
      return undefined;
    },
  };
}

function encrypted(key: Buffer, text: string, owner: string): string {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(owner));
  const content = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), content]).toString('base64url');
}

function decrypted(key: Buffer, bytes: Buffer, owner: string): string | undefined {
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  opening.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return opening.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    return undefined;
  }
}
