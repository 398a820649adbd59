/** The process of `dossier-store`: flags, store, signals, exit code. */
import { readCommand, usage, WrongUse } from './command-options.ts';
import { open, type OpenStore } from './index.ts';
import { hostAndPort, urlOf, type Address } from './wire/address.ts';

const shortPassword = 12;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const namesOf = (address: Address): string =>
  address.kind === 'socket' ? address.path : address.hosts.map((host) => hostAndPort(host, address.port)).join(' and ');

/** What the operator has to know; a password only when nobody knows it yet. */
function introduce(store: OpenStore, dir: string): void {
  const { newAccount, user = '' } = store;
  say(`The store listens on ${namesOf(store.address)}, with its data in ${dir}.`);
  say('It is for development, tests and small sites, and for programs of this machine only.');
  if (newAccount !== undefined) {
    say(`User ${user}, password ${newAccount.password}: it is not shown again, and only its hash is kept.`);
  }
  say(`MONGODB_URL=${urlOf(store.address, newAccount ?? { user, password: 'PASSWORD' })}`);
}

async function run(): Promise<void> {
  const asked = readCommand(process.argv.slice(2), process.env);
  if (asked.help) {
    process.stdout.write(usage);
    return;
  }
  const { dir, sharing } = asked;
  if (sharing.password !== undefined && sharing.password.length < shortPassword) {
    complain('Any program of this machine can try passwords: take a longer one.');
  }
  let exitCode = 0;
  let stop = (): void => undefined;
  const store = await open({
    dir,
    sharing,
    onWarning: complain,
    onFatal: (error) => {
      complain(error.message);
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
  introduce(store, dir);
}

run().catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error));
  if (error instanceof WrongUse) complain('`--help` lists the flags.');
  process.exitCode = error instanceof WrongUse ? 2 : 1;
});
