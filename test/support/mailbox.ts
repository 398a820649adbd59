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
  /** The link in the newest letter, as its text part has it. */
  link(): string;
  close(): Promise<void>;
}

/** @param behaviour `refuses` every recipient, or never `answers` */
export async function openMailbox(behaviour: 'takes' | 'refuses' | 'hangs' = 'takes'): Promise<Mailbox> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, done) => done(behaviour === 'refuses' ? new Error('CANARY no such box') : null),
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
    link() {
      // quoted-printable: soft line breaks away, `=3D` back
      const text = (letters.at(-1)?.raw ?? '').replace(/=\r\n/g, '').replace(/=3D/g, '=');
      const found = /https:\/\/[^\s<>"]+/.exec(text)?.[0];
      if (found === undefined) throw new Error('the letter has no link');
      return found;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}
