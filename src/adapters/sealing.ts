/** Encrypts what callers keep for the server, such as positions, and what the database stores, such as secrets of second factors. */
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';

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

/** @param purpose keys for different purposes are independent (RFC 5869) */
const keyFor = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));

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
  const [sealing, numbering] = [keyFor(secret, purpose), keyFor(secret, `${purpose}: iv`)];
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

/** Seals texts that begin with a mark of their kind and a checksum, so that another text, or a changed one, differs from one whose secret is gone. */
export interface MarkedSealer {
  seal(content: Uint8Array): string;
  /**
   * Whether a text is of the kind and unchanged, and its content; without the content where no server with this secret sealed it. Texts of earlier
   * versions have no mark.
   */
  open(text: string): { readonly isMarked: boolean; readonly content: Buffer | undefined };
}

/** @param mark of characters that are safe in addresses */
export function makeMarkedSealer(secrets: Secrets, purpose: string, mark: string, maxLength: number): MarkedSealer {
  const sealer = makeSealer(secrets, purpose, maxLength);
  return {
    seal(content) {
      const sealed = sealer.seal(content);
      return mark + checksumOf(sealed) + sealed;
    },
    open(text) {
      const sealed = text.slice(mark.length + checksumLength);
      const isMarked = text.startsWith(mark) && text.slice(mark.length, -sealed.length) === checksumOf(sealed);
      return { isMarked, content: sealer.open(isMarked ? sealed : text) };
    },
  };
}

const checksumLength = 8;

/** Of a sealed text, for which no secret is needed: it protects nothing, and tells a mistake from a secret that is gone. */
const checksumOf = (sealed: string): string => hash('sha256', sealed, 'base64url').slice(0, checksumLength);

/** Encrypts texts for the database, each for one owner. Equal texts never look the same. */
export interface StoredSealer {
  seal(text: string, owner: string): string;
  /**
   * The sealed text; undefined if it was sealed with none of the secrets, or for another owner. `current` is the sealed form under
   * the newest secret.
   */
  open(sealed: string, owner: string): { readonly text: string; readonly current: string } | undefined;
}

/** @param purpose texts for one purpose do not open for another */
export function makeStoredSealer(secrets: Secrets, purpose: string): StoredSealer {
  const keys = secrets.map((secret) => keyFor(secret, purpose));
  const newest = keyFor(secrets[0], purpose);
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

/** A digest of JSON values that only servers with the secret can compute. */
export function makeDigest(secret: string, purpose: string): (value: unknown) => string {
  const key = keyFor(secret, purpose);
  return (value) =>
    createHmac('sha256', key)
      .update(JSON.stringify(value) ?? '')
      .digest('base64url');
}
