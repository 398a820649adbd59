/** Secrets and signatures of webhooks (Standard Webhooks 1.0). */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

export const newSecret = (): string => prefix + randomBytes(secretBytes).toString('base64');

/** What is signed of a message. */
export interface SignedParts {
  readonly id: string;
  /** Seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature`: a signature by each secret. */
export const signaturesOf = ({ id, timestamp, body }: SignedParts, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
