/** The built files of the console, which `packages/console` creates: an index, and files whose names have a hash of their content. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { escapedHtml, unknownPath } from '../../core.ts';

const folder = join(dirname(createRequire(import.meta.url).resolve('dossier-console/package.json')), 'dist');

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** A file as it is sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers of a body with this content coding. */
const coded = (coding: string | undefined): Readonly<Record<string, string>> => ({
  Vary: 'Accept-Encoding',
  ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
});

/** The name of a built file: a hash of its content, 8 characters, stands before the ending. */
const named = /^[\w.-]*-[\w-]{8}\.(js|css)$/;
/** The ending of the compressed file that the build writes beside each one. */
const endings: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };

/**
 * A built file, compressed as the caller accepts it. Its content never changes, since its name has a hash of it.
 * @throws 404 for any other name
 */
export async function consoleFile(name: string, accepted: string | undefined): Promise<ConsoleFile> {
  const ending = named.exec(name)?.[1];
  if (ending === undefined) throw unknownPath();
  const coding = codingOf(accepted);
  const body = await readFile(join(folder, name + (endings[coding ?? ''] ?? ''))).catch(() => {
    throw unknownPath();
  });
  return {
    type: types[ending] ?? '',
    body,
    headers: { ...coded(coding), 'Cache-Control': 'public, max-age=31536000, immutable' },
  };
}

const building = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>{{name}}</title>
  </head>
  <body>
    <h1>The console is not built</h1>
    <p><code>npm run build</code> builds it.</p>
  </body>
</html>
`;

/**
 * The policy of the console: its own scripts and requests to this server only. Parts of the page write styles, which carry the nonce
 * of the answer.
 */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
  ].join('; ');

/** What the console needs to know before anyone has signed in. */
interface ConsoleValues {
  /** Of the project. */
  readonly name: string;
  /** How many a user may have. */
  readonly sessions: number;
  /** By which users sign in. */
  readonly loginField: string;
}

/**
 * The index with a nonce of its own; no cache keeps it, so that a new version of the server is seen at once.
 */
export async function consoleIndex(
  { name, sessions, loginField }: ConsoleValues,
  accepted: string | undefined,
): Promise<ConsoleFile> {
  const nonce = randomBytes(16).toString('base64');
  const template = await readFile(join(folder, 'index.html'), 'utf8').catch(() => building);
  // the name last, and by a function, since it may contain anything
  const page = Buffer.from(
    template
      .replaceAll('{{nonce}}', nonce)
      .replaceAll('{{sessions}}', String(sessions))
      .replaceAll('{{login}}', () => escapedHtml(loginField))
      .replaceAll('{{name}}', () => escapedHtml(name)),
  );
  const coding = codingOf(accepted);
  return {
    type: 'text/html; charset=utf-8',
    body: coding === undefined ? page : compress[coding](page),
    headers: { ...coded(coding), 'Content-Security-Policy': policyWith(nonce), 'Cache-Control': 'no-store' },
  };
}

/** The index is less than a kilobyte, and has another nonce each time. */
const compress = {
  br: (page: Buffer) => brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (page: Buffer) => gzipSync(page),
} as const;

/** In the order of preference. */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];

/** The best coding of those that `Accept-Encoding` names with a weight above zero; undefined for the plain file. */
export function codingOf(accepted: string | undefined): Coding | undefined {
  const weights = new Map((accepted ?? '').toLowerCase().split(',').map(weighted));
  return codings.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0);
}

function weighted(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
