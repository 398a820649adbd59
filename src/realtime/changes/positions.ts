/** Encrypts positions for callers, because the database's own positions reveal ids and the number of writes. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];
/** Maximum length of a position. */
const maxLength = 2000;

export interface Positions {
  /** Encrypts a place in the feed. The result is the same at every server with the same secret. */
  seal(place: string): string;
  /** Decrypts a position; undefined if no server with this secret created it. */
  open(position: string): string | undefined;
}

/** @param secret the shared secret */
export function makePositions(secret: string): Positions {
  const key = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const [sealing, numbering] = [key('event positions'), key('event positions: iv')];
  return {
    seal(place) {
      // derived from the place itself, as in RFC 8452, so that every server encrypts a place to the same position
      const iv = createHmac('sha256', numbering).update(place).digest().subarray(0, ivBytes);
      const sealed = createCipheriv(cipher, sealing, iv);
      const text = Buffer.concat([sealed.update(place, 'utf8'), sealed.final()]);
      return Buffer.concat([iv, sealed.getAuthTag(), text]).toString('base64url');
    },
    open(position) {
      const bytes = position.length > maxLength ? Buffer.alloc(0) : Buffer.from(position, 'base64url');
      if (bytes.length <= ivBytes + tagBytes) return undefined;
      const opened = createDecipheriv(cipher, sealing, bytes.subarray(0, ivBytes));
      opened.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        return opened.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + opened.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
