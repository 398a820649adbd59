/** What the command `dossier-store` does, in its own process or as `dossier store`: it serves a data folder to other programs. */
import { setTimeout as later } from 'node:timers/promises';
import { readOptions, usage, UsageError } from './cli-options.ts';
import { open, type OpenStore } from './index.ts';
import { type Address, hostAndPort, urlOf } from './wire/address.ts';

export { UsageError };

/** The database of servers and clients whose address names none, such as a server that has used the folder so far. */
const database = 'test';

/** What the command needs of its process. */
export interface StoreTerminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Sets what ends the store when the process is to end. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

const minPasswordLength = 12;

/** Milliseconds that a store that has stopped may take to close. */
const maxCloseMs = 10_000;

/** The store has stopped permanently: a new process can serve its folder again. */
export class StoreStopped extends Error {}

/** The exit codes of the command besides 0. */
export const exitCodes = { failed: 1, wrongUsage: 2, storeStopped: 3 } as const;

/** The exit code for what `runStore` throws. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.wrongUsage;
  return error instanceof StoreStopped ? exitCodes.storeStopped : exitCodes.failed;
}

const namesOf = (address: Address): string =>
  address.kind === 'socket' ? address.path : address.hosts.map((host) => hostAndPort(host, address.port)).join(' and ');

/** Prints the address. The password is printed only at the start that generates it. */
function printAddress(store: OpenStore, dir: string, print: StoreTerminal['print']): void {
  const { newAccount, user = '' } = store;
  print(`The store listens on ${namesOf(store.address)}, with its data in ${dir}.`);
  print('It is for development, tests and small sites, and serves programs on this machine only.');
  if (newAccount !== undefined) {
    print(`User ${user}, password ${newAccount.password}: it is not shown again, and only its hash is kept.`);
  }
  print(`MONGODB_URL=${urlOf(store.address, newAccount ?? { user, password: 'PASSWORD' }, database)}`);
}

/**
 * Serves until the process ends.
 * @returns after printing the help, otherwise never
 * @throws UsageError for wrong flags; Error when the folder or the port can't be used; StoreStopped when the store stops permanently later
 */
export async function runStore(args: readonly string[], terminal: StoreTerminal): Promise<void> {
  const { environment, print, printError, onStop } = terminal;
  const options = readOptions(args, environment);
  if (options.help) return print(usage.trimEnd());
  const { dir, sharing, limits } = options;
  if (sharing.password !== undefined && sharing.password.length < minPasswordLength) {
    printError('Any program on this machine can try passwords: use one of at least 12 characters.');
  }
  let fail = (error: Error): void => printError(error.message);
  const failure = new Promise<never>((_, reject) => (fail = reject));
  const onFatal = ({ message }: Error): void => fail(new StoreStopped(message));
  const store = await open({ dir, sharing, limits, onWarning: printError, onFatal });
  onStop(() => store.close());
  printAddress(store, dir, print);
  try {
    await failure;
  } finally {
    // the first error is the one to report
    const late = later(maxCloseMs, undefined, { ref: false });
    await Promise.race([store.close(), late]).catch(() => undefined);
  }
}
