/** The process of `dossier-store`: flags, store, signals, exit code. */
import { readOptions, usage, UsageError } from './cli-options.ts';
import { open, type OpenStore } from './index.ts';
import { type Address, hostAndPort, urlOf } from './wire/address.ts';

const minPasswordLength = 12;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const printError = (line: string): void => void process.stderr.write(`${line}\n`);

const namesOf = (address: Address): string =>
  address.kind === 'socket' ? address.path : address.hosts.map((host) => hostAndPort(host, address.port)).join(' and ');

/** Prints the address. The password is printed only at the start that generates it. */
function printAddress(store: OpenStore, dir: string): void {
  const { newAccount, user = '' } = store;
  print(`The store listens on ${namesOf(store.address)}, with its data in ${dir}.`);
  print('It is for development, tests and small sites, and serves programs on this machine only.');
  if (newAccount !== undefined) {
    print(`User ${user}, password ${newAccount.password}: it is not shown again, and only its hash is kept.`);
  }
  print(`MONGODB_URL=${urlOf(store.address, newAccount ?? { user, password: 'PASSWORD' })}`);
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(usage);
    return;
  }
  const { dir, sharing } = options;
  if (sharing.password !== undefined && sharing.password.length < minPasswordLength) {
    printError('Any program on this machine can try passwords: use one of at least 12 characters.');
  }
  let exitCode = 0;
  let stop = (): void => undefined;
  const store = await open({
    dir,
    sharing,
    onWarning: printError,
    onFatal: (error) => {
      printError(error.message);
      exitCode = 1;
      stop();
    },
  });
  let closing: Promise<void> | undefined;
  stop = () => {
    closing ??= store.close().then(
      () => process.exit(exitCode),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  printAddress(store, dir);
}

run().catch((error: unknown) => {
  printError(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) printError('`--help` lists the flags.');
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
