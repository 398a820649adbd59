/** Prints one line. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
