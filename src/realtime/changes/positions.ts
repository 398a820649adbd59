/** Positions as callers see them: sealed, because those of the database tell ids and how much is written. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];
/** Longest text that is looked at. */
const longest = 2000;

export interface Positions {
  /** The same position for the same place, at every server with the same secret. */
  seal(place: string): string;
  /** The place of a position; undefined for what is none of these servers. */
  open(position: string): string | undefined;
}

/** @param secret the shared secret */
export function makePositions(secret: string): Positions {
  const key = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const [sealing, numbering] = [key('event positions'), key('event positions: iv')];
  return {
    seal(place) {
      // made of the place itself, as in RFC 8452: the same place has the same position at every server
      const iv = createHmac('sha256', numbering).update(place).digest().subarray(0, ivBytes);
      const sealed = createCipheriv(cipher, sealing, iv);
      const text = Buffer.concat([sealed.update(place, 'utf8'), sealed.final()]);
      return Buffer.concat([iv, sealed.getAuthTag(), text]).toString('base64url');
    },
    open(position) {
      const bytes = position.length > longest ? Buffer.alloc(0) : Buffer.from(position, 'base64url');
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
