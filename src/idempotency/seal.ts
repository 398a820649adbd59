/** Seals answers, so that the database never holds them in a readable form: AES-256-GCM (NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

export interface Seal {
  /** A digest that only servers with the secret can compute. */
  digest(value: unknown): string;
  /** @param of binds the text to its record */
  seal(text: string, of: string): string;
  /** @throws for a text that was not sealed by this secret for this record */
  open(sealed: string, of: string): string;
}

export function makeSeal(secret: string): Seal {
  const keyFor = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `idempotency ${use}`, 32));
  const [digestKey, sealKey] = [keyFor('digest'), keyFor('seal')];
  return {
    digest: (value) =>
      createHmac('sha256', digestKey)
        .update(JSON.stringify(value) ?? '')
        .digest('base64url'),
    seal(text, of) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, sealKey, iv).setAAD(Buffer.from(of));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(sealed, of) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv(algorithm, sealKey, bytes.subarray(0, ivBytes));
      decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
