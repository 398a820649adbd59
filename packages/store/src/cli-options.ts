/** Parses the flags and environment variables of `dossier-store`. */
import { parseArgs, types } from 'node:util';
import type { Sharing } from './endpoint.ts';
import type { Limits } from './engine/limits.ts';
import { isPassword, isUserName } from './login/scram.ts';
import { type LoopbackHost, loopbackHosts } from './wire/address.ts';

/** The parsed command line. */
export type CliOptions =
  | { readonly help: true }
  | {
      readonly help: false;
      readonly dir: string;
      readonly sharing: Sharing;
      /** The limits that were given. */
      readonly limits: Partial<Limits>;
    };

/** A wrong flag or variable; the command prints the message and exits with code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What `--help` prints. */
export const usage = `dossier-store [--port 27017] [--data ./data] [--host 127.0.0.1] [--user name] [--password text]
              [--max-bytes 0] [--history-hours 24] [--history-bytes 1gb]

Serves the embedded store to other programs on this machine, which sign in with a user and a password.

  --port           The port; 0 selects a free one. Default: 27017
  --data           The folder of the data. Default: ./data
  --host           127.0.0.1 or ::1. Default: both
  --user           The user; also DOSSIER_STORE_USER. Default: dossier
  --password       A new password; also DOSSIER_STORE_PASSWORD, which other users of the machine cannot read.
                   Without it the first start generates one and prints it once
  --max-bytes      Maximum size of all documents, such as 20gb. Default: 0, as the disk allows
  --history-hours  Hours for which changes are kept, so that change streams can resume. Default: 24
  --history-bytes  Maximum size of these changes; the oldest are removed. Default: 1gb
  --help           This text
`;

const flags = {
  port: { type: 'string', default: '27017' },
  data: { type: 'string', default: './data' },
  host: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
  'max-bytes': { type: 'string' },
  'history-hours': { type: 'string' },
  'history-bytes': { type: 'string' },
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
    limits: limitsOf(given),
  };
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
/** Minimum bytes of the history: a change stream has to read it before it is removed. */
const minHistory = 1024 ** 2;
const maxHours = 8760;

function limitsOf(given: ReturnType<typeof parse>): Partial<Limits> {
  const { 'max-bytes': maxBytes, 'history-hours': hours, 'history-bytes': bytes } = given;
  return {
    ...(maxBytes === undefined ? {} : { maxBytes: sizeOf('--max-bytes', maxBytes, 0) }),
    ...(hours === undefined ? {} : { eventLogHours: hoursOf(hours) }),
    ...(bytes === undefined ? {} : { eventLogBytes: sizeOf('--history-bytes', bytes, minHistory) }),
  };
}

/** Reads a number of bytes with an optional unit. */
function sizeOf(flag: string, text: string, min: number): number {
  const [, digits, unit = ''] = /^(\d{1,12})([a-z]{0,2})$/i.exec(text) ?? [];
  const size = Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (size >= min) return size;
  const least = min === 0 ? '' : ` of at least ${min / 1024 ** 2}mb`;
  throw new UsageError(`${flag} must be a size such as 500mb or 20gb${least}, got ${JSON.stringify(text)}.`);
}

function hoursOf(text: string): number {
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (hours >= 1 && hours <= maxHours) return hours;
  throw new UsageError(`--history-hours must be a whole number from 1 to ${maxHours}, got ${JSON.stringify(text)}.`);
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
