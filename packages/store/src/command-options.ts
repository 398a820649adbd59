/** Reads the flags and the environment of `dossier-store`; what is wrong is said in a sentence. */
import { parseArgs, types } from 'node:util';
import type { Sharing } from './place.ts';
import { isPassword, isUserName } from './login/scram.ts';
import { loopbackHosts, type LoopbackHost } from './wire/address.ts';

/** What the command is asked to do. */
export type Asked = { readonly help: true } | { readonly help: false; readonly dir: string; readonly sharing: Sharing };

/** A flag or variable that can't be followed: the command ends with the exit code 2. */
export class WrongUse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongUse';
  }
}

/** What `--help` prints. */
export const usage = `dossier-store [--port 27017] [--data ./data] [--host 127.0.0.1] [--user name] [--password text]

Serves the embedded store to other programs of this machine, which sign in with a user and a password.

  --port      The port; 0 takes a free one. Default: 27017
  --data      The folder of the data. Default: ./data
  --host      127.0.0.1 or ::1. Default: both
  --user      The user; also DOSSIER_STORE_USER. Default: dossier
  --password  A new password; also DOSSIER_STORE_PASSWORD, which other users of the machine can't read.
              Without it the first start makes one and prints it once
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
    throw new WrongUse(`${sentence.replace(/\.$/, '')}.`);
  }
}

/**
 * What the command is asked to do.
 * @throws WrongUse naming the flag
 */
export function readCommand(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Asked {
  const given = parse(args);
  if (given.help) return { help: true };
  if (given.data === '') throw new WrongUse('--data needs the name of a folder.');
  const user = given.user ?? environment['DOSSIER_STORE_USER'];
  const password = given.password ?? environment['DOSSIER_STORE_PASSWORD'];
  if (user !== undefined && !isUserName(user)) {
    throw new WrongUse('The user must be 1 to 64 letters, digits or the characters . _ @ -');
  }
  if (password !== undefined && !isPassword(password)) {
    throw new WrongUse('The password must be 1 to 256 printable ASCII characters.');
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
  throw new WrongUse(`--port must be a whole number from 0 to 65535, not ${JSON.stringify(text)}.`);
}

function hostsOf(host: string | undefined): readonly LoopbackHost[] {
  if (host === undefined || host === 'localhost') return loopbackHosts;
  const known = loopbackHosts.filter((one) => one === host);
  if (known.length > 0) return known;
  throw new WrongUse(
    `--host must be 127.0.0.1 or ::1, not ${JSON.stringify(host)}: the store is for programs of this machine. For other machines take MongoDB.`,
  );
}
