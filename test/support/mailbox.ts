/** A real SMTP server that keeps what it is sent, or misbehaves. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface Letter {
  readonly to: readonly string[];
  readonly raw: string;
}

export interface Mailbox {
  readonly url: string;
  readonly letters: Letter[];
  /** Addresses that it refuses. */
  readonly refused: Set<string>;
  /** The letters with a subject. Those that notify of a change arrive at any time after it. */
  about(subject: string): readonly Letter[];
  /** The letters to an address. */
  sentTo(address: string): readonly Letter[];
  /** The link in the newest letter that has one. */
  link(): string;
  close(): Promise<void>;
}

/** @param behaviour `refuses` every recipient, or never `answers` */
export async function openMailbox(behaviour: 'takes' | 'refuses' | 'hangs' = 'takes'): Promise<Mailbox> {
  const letters: Letter[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(behaviour === 'refuses' || refused.has(address) ? new Error('CANARY no such box') : null),
    onConnect: (_session, done) => (behaviour === 'hangs' ? undefined : done()),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        letters.push({ to, raw: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    refused,
    about: (subject) => letters.filter(({ raw }) => raw.includes(`\r\nSubject: ${subject}\r\n`)),
    sentTo: (address) => letters.filter(({ to }) => to.includes(address)),
    link() {
      const found = letters.flatMap(({ raw }) => linkIn(raw) ?? []).at(-1);
      if (found === undefined) throw new Error('no letter has a link');
      return found;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** The first link of a letter in quoted-printable: soft line breaks away, `=3D` back. */
const linkIn = (raw: string): string | undefined =>
  /https:\/\/[^\s<>"]+/.exec(raw.replace(/=\r\n/g, '').replace(/=3D/g, '='))?.[0];
