/** Encrypts what callers keep for the server, such as positions: they can neither read nor change it. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

/** The shared secret, which signs and seals, then earlier ones, which are still accepted. */
export type Secrets = readonly [newest: string, ...earlier: string[]];

export interface Sealer {
  /**
   * Encrypts bytes to base64url. Equal bytes with equal bonds give the same text at every server with the same secret.
   * @param bond a digest of fixed length without which the text does not open
   */
  seal(content: Uint8Array, bond?: Uint8Array): string;
  /** Decrypts a text; undefined if no server with this secret sealed it with this bond, or if it was changed. */
  open(text: string, bond?: Uint8Array): Buffer | undefined;
}

const noBond = new Uint8Array(0);

/**
 * Seals with the newest secret, and opens what any of them sealed.
 * @param purpose texts for one purpose do not open for another @param maxLength of a text
 */
export function makeSealer(secrets: Secrets, purpose: string, maxLength: number): Sealer {
  const [newest, ...earlier] = secrets;
  const sealer = sealerOf(newest, purpose, maxLength);
  if (earlier.length === 0) return sealer;
  const all = [sealer, ...earlier.map((secret) => sealerOf(secret, purpose, maxLength))];
  return {
    seal: (content, bond) => sealer.seal(content, bond),
    open(text, bond) {
      for (const one of all) {
        const opened = one.open(text, bond);
        if (opened !== undefined) return opened;
      }
      return undefined;
    },
  };
}

function sealerOf(secret: string, purpose: string, maxLength: number): Sealer {
  const key = (name: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', name, 32));
  const [sealing, numbering] = [key(purpose), key(`${purpose}: iv`)];
  return {
    seal(content, bond = noBond) {
      // derived from the content itself, as in RFC 8452, so that every server encrypts it to the same text
      const iv = createHmac('sha256', numbering).update(content).update(bond).digest().subarray(0, ivBytes);
      const sealed = createCipheriv(cipher, sealing, iv).setAAD(bond);
      const text = Buffer.concat([sealed.update(content), sealed.final()]);
      return Buffer.concat([iv, sealed.getAuthTag(), text]).toString('base64url');
    },
    open(text, bond = noBond) {
      const bytes = text.length > maxLength ? Buffer.alloc(0) : Buffer.from(text, 'base64url');
      // base64url has spare bits and skips foreign characters: each sealed text has one spelling
      if (bytes.length <= ivBytes + tagBytes || bytes.toString('base64url') !== text) return undefined;
      const opened = createDecipheriv(cipher, sealing, bytes.subarray(0, ivBytes)).setAAD(bond);
      opened.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        return Buffer.concat([opened.update(bytes.subarray(ivBytes + tagBytes)), opened.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
