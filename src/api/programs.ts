/** What code of the author gets that runs without a request, in schedules and jobs, and what is kept of its errors. */
import { types } from 'node:util';
import { DossierError } from 'dossier-client';
import type { Log } from '../ports/log.ts';
import type { Settings } from '../settings/types.ts';
import type { ProgramLog } from './contract.ts';

/** @param bound is in each line, such as the name of a schedule */
export const programLog = (log: Log, bound: Readonly<Record<string, string>>): ProgramLog => ({
  debug: (message, more) => log.debug(message, { ...more, ...bound }),
  info: (message, more) => log.info(message, { ...more, ...bound }),
  warn: (message, more) => log.warn(message, { ...more, ...bound }),
  error: (message, more) =>
    types.isNativeError(more) ? log.error(message, more, bound) : log.error(message, undefined, { ...more, ...bound }),
});

/** The address of callers inside of the server, in the audit log. */
export const insideServer = 'server';

const maxLength = 300;

/** Parts of texts that may be secrets: credentials in URLs, query strings, authorizations, JWTs, keys and tokens. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/(\w:\/\/)[^\s/@]+@/g, '$1***@'],
  [/(\w:\/\/[^\s?]*)\?\S*/g, '$1?***'],
  [/\b(basic|bearer)\s+\S+/gi, '$1 ***'],
  [/\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, '***'],
  [/\b[A-Za-z0-9_-]*_[A-Za-z0-9]{20,}/g, '***'],
  [/\b(pass\w*|secret|token|api_?key)(["']?\s*[:=]\s*)\S+/gi, '$1$2***'],
];

/** The reason of an error, as admins may read it: one line without what looks like a secret. The log has the error with its stack. */
export function reasonForAdmins(error: unknown, settings: Pick<Settings, 'shared_secret'>): string {
  const text = error instanceof DossierError ? error.err : types.isNativeError(error) ? error.message : '';
  const [line = ''] = text.trim().split('\n', 1);
  const own = settings.shared_secret;
  const plain = own === undefined ? line : line.replaceAll(own, '***');
  const kept = secrets.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), plain).slice(0, maxLength);
  return kept === '' ? 'it failed without a reason' : kept;
}
