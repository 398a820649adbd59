/** Parses the flags and environment variables of `dossier-store`. */
import { parseArgs, types } from 'node:util';
import type { Sharing } from './endpoint.ts';
import { isPassword, isUserName } from './login/scram.ts';
import { type LoopbackHost, loopbackHosts } from './wire/address.ts';

/** The parsed command line. */
export type CliOptions =
  { readonly help: true } | { readonly help: false; readonly dir: string; readonly sharing: Sharing };

/** A wrong flag or variable; the command prints the message and exits with code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What `--help` prints. */
export const usage = `dossier-store [--port 27017] [--data ./data] [--host 127.0.0.1] [--user name] [--password text]

Serves the embedded store to other programs on this machine, which sign in with a user and a password.

  --port      The port; 0 selects a free one. Default: 27017
  --data      The folder of the data. Default: ./data
  --host      127.0.0.1 or ::1. Default: both
  --user      The user; also DOSSIER_STORE_USER. Default: dossier
  --password  A new password; also DOSSIER_STORE_PASSWORD, which other users of the machine cannot read.
              Without it the first start generates one and prints it once
  --help      This text
`;

const flags = {
  port: { type: 'string', default: '27017' },
  data: { type: 'string', default: './data' },
  host: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const [sentence = ''] = types.isNativeError(error) ? error.message.split('. ') : [];
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`);
  }
}

/** Parses the command line. @throws UsageError naming the flag */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CliOptions {
  const given = parse(args);
  if (given.help) return { help: true };
  if (given.data === '') throw new UsageError('--data must be the path of a folder, got "".');
  const user = given.user ?? environment['DOSSIER_STORE_USER'];
  const password = given.password ?? environment['DOSSIER_STORE_PASSWORD'];
  if (user !== undefined && !isUserName(user)) {
    throw new UsageError('The user must be 1 to 64 letters, digits or the characters . _ @ -');
  }
  if (password !== undefined && !isPassword(password)) {
    throw new UsageError('The password must be 1 to 256 printable ASCII characters.');
  }
  return {
    help: false,
    dir: given.data,
    sharing: { port: portOf(given.port), hosts: hostsOf(given.host), user, password },
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port must be a whole number from 0 to 65535, got ${JSON.stringify(text)}.`);
}

function hostsOf(host: string | undefined): readonly LoopbackHost[] {
  if (host === undefined || host === 'localhost') return loopbackHosts;
  const known = loopbackHosts.filter((one) => one === host);
  if (known.length > 0) return known;
  throw new UsageError(
    `--host must be 127.0.0.1 or ::1, got ${JSON.stringify(host)}: the store serves programs on this machine only. For other machines, use a MongoDB server.`,
  );
}
