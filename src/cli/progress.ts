/** Progress of a command: a line on standard error that changes, only where that is a terminal. */
import type { Terminal } from './terminal.ts';

/**
 * Runs the work and shows its progress meanwhile.
 * @param work receives a function that replaces the text
 */
export async function withProgress<T>(
  { messages }: Terminal,
  text: string,
  work: (update: (text: string) => void) => Promise<T>,
): Promise<T> {
  if (messages.isTTY !== true) return work(() => undefined);
  const { default: makeSpinner } = await import('yocto-spinner');
  // the process has its own way to end by a signal
  const spinner = makeSpinner({ text, stream: messages, handleSignals: false }).start();
  try {
    return await work((next) => (spinner.text = next));
  } finally {
    spinner.stop();
  }
}
