/**
 * Reads a password: from a terminal without showing it, otherwise the first line of standard input. Never from an
 * argument, which others on the machine can see.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/** @throws Error without a password, or when the two that are typed differ */
export async function readPassword({ input, messages }: Terminal): Promise<string> {
  const isTyped = 'isTTY' in input && input.isTTY === true;
  // what is typed is shown nowhere
  const hidden = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input, output: hidden, terminal: isTyped });
  try {
    if (!isTyped) {
      for await (const line of lines) return required(line);
      return required(undefined);
    }
    const ask = async (prompt: string): Promise<string> => {
      messages.write(prompt);
      const typed = await lines.question('');
      messages.write('\n');
      return typed;
    };
    const password = required(await ask('Password: '));
    if ((await ask('Again: ')) !== password) throw new Error('the two passwords differ');
    return password;
  } finally {
    lines.close();
  }
}

function required(text: string | undefined): string {
  if (text === undefined || text === '') throw new Error('no password: type one, or send it to standard input');
  return text;
}
