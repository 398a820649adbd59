/** Writes the result of a command to a file or to standard output. */
import { writeFile } from 'node:fs/promises';
import type { Terminal } from './terminal.ts';

/** @param file standard output when undefined */
export async function writeText({ output }: Terminal, file: string | undefined, text: string): Promise<void> {
  if (file === undefined) output.write(text);
  else await writeFile(file, text);
}
