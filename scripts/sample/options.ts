/** How the sample is run: flags before variables before defaults. */
import { parseArgs } from 'node:util';

export interface SampleOptions {
  readonly url: string;
  readonly email: string | undefined;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  readonly setupToken: string | undefined;
  readonly batch: number;
  readonly concurrency: number;
  readonly help: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const usage = `npm run sample -- [options]

Fills a running Dossier server with about 3,200 films through its API. Run again, it adds only what is missing.

  --url <url>          the server                         DOSSIER_URL, http://127.0.0.1:4001
  --batch <n>          documents in one request           200
  --concurrency <n>    concurrent requests                4
  --help

Credentials: API_KEY, or ADMIN_EMAIL and ADMIN_PASSWORD. A server without users gets a first
admin, whose email and password are printed. Set SETUP_TOKEN if the server requires one.
`;

/** @throws Error for an unknown flag or an invalid number */
export function optionsFrom(given: readonly string[], environment: Environment): SampleOptions {
  const { values } = parseArgs({
    args: [...given],
    options: {
      url: { type: 'string' },
      batch: { type: 'string' },
      concurrency: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const of = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  return {
    url: values.url ?? of('DOSSIER_URL') ?? 'http://127.0.0.1:4001',
    email: of('ADMIN_EMAIL'),
    password: of('ADMIN_PASSWORD'),
    apiKey: of('API_KEY'),
    setupToken: of('SETUP_TOKEN'),
    batch: countOf('batch', values.batch, 200, 5000),
    concurrency: countOf('concurrency', values.concurrency, 4, 32),
    help: values.help ?? false,
  };
}

function countOf(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new Error(`--${name} must be a whole number from 1 to ${most}`);
  return count;
}
