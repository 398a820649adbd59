/** The progress of commands, which is shown on a terminal only. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { withProgress } from '../../src/cli/progress.ts';

/** What a command writes to standard error, when that is a terminal and when it is not. */
async function shown(isTTY: boolean): Promise<string> {
  const move = (): boolean => true;
  const screen = { isTTY, columns: 80, rows: 24, cursorTo: move, moveCursor: move, clearLine: move };
  const messages = Object.assign(new PassThrough(), screen);
  const terminal = { input: new PassThrough(), output: new PassThrough(), messages, onStop: () => undefined };
  await withProgress(terminal, 'counting', (update) => Promise.resolve(update('counted 3')));
  messages.end();
  return text(messages);
}

test('progress is shown on a terminal only', async () => {
  const kept = process.env['CI'];
  delete process.env['CI'];
  try {
    expect(await shown(true)).toContain('counting');
    expect(await shown(false)).toBe('');
  } finally {
    if (kept !== undefined) process.env['CI'] = kept;
  }
});
