/** `api.later`: checks what is asked for, and makes the entry of the outbox. */
import type { JobRequest, LaterOptions } from '../../api/contract.ts';
import { badRequest, type Services, suggestion } from '../../core.ts';
import type { NewEntry } from '../../outbox/contract.ts';
import { durationOf } from '../../text/durations.ts';
import { functionNamed, unknownFunction } from './functions.ts';
import { askerOf, defaultRetries, type JobData, jobKind } from './job.ts';
import { mailEntry } from './mail.ts';

/** Bytes of an input as JSON. */
const maxInput = 100 * 1024;
const maxRetries = 100;
const maxKey = 200;

/** @throws TypeError for a function or options that there are not, and for a mail that is not valid; 400 for an input that is too large, 503 */
export const later =
  (services: Services) =>
  async (request: JobRequest): Promise<NewEntry> =>
    'mail' in request ? mailEntry(services.settings, request) : callEntry(services, request);

async function callEntry(
  { registry, shared }: Services,
  { name, input, options, principal, requestId }: Exclude<JobRequest, { readonly mail: unknown }>,
): Promise<NewEntry> {
  if (typeof name !== 'string') throw new TypeError('api.later takes the name of a function, such as "film.recompute"');
  const found = functionNamed(registry, name);
  if (found === undefined) throw new TypeError(`api.later: ${unknownFunction(registry, name)}`);
  const { due, key, retries } = readOptions(options, await shared.clock.now());
  const data: JobData = {
    asker: askerOf(principal),
    input: jsonOf(input),
    retries,
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
  return {
    ...{ kind: jobKind, group: found.name, due },
    ...(key === undefined ? {} : { key: `${jobKind} ${found.name} ${key}` }),
    data: { ...data },
  };
}

/** @throws TypeError for what JSON cannot carry */
function jsonOf(input: unknown): string | null {
  const json = JSON.stringify(input) as string | undefined;
  if (json === undefined) {
    if (input === undefined) return null;
    throw new TypeError('api.later: the input is no value that JSON carries');
  }
  if (Buffer.byteLength(json) > maxInput)
    throw badRequest(`the input of a job must have at most ${maxInput} bytes as JSON`);
  return json;
}

const names = ['in', 'at', 'key', 'retries'];

/** @param now in milliseconds @throws TypeError */
function readOptions(options: LaterOptions, now: number) {
  if (typeof options !== 'object' || (options as unknown) === null)
    throw new TypeError(`api.later takes an object with ${names.join(', ')}`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(
      `api.later has no option ${unknown}; there are ${names.join(', ')}${suggestion(unknown, names)}`,
    );
  const { key, retries = defaultRetries } = options;
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > maxKey))
    throw new TypeError(`api.later: key must be a text of 1 to ${maxKey} characters`);
  if (!Number.isInteger(retries) || retries < 0 || retries > maxRetries)
    throw new TypeError(`api.later: retries must be a whole number from 0 to ${maxRetries}`);
  return { due: dueOf(options, now), key, retries };
}

function dueOf({ in: delay, at }: LaterOptions, now: number): Date {
  if (delay !== undefined && at !== undefined) throw new TypeError('api.later: give in or at, not both');
  if (at !== undefined) {
    const due = new Date(at);
    if ((typeof at !== 'string' && !(at instanceof Date)) || Number.isNaN(due.getTime()))
      throw new TypeError('api.later: at must be a time: a Date or a text in ISO 8601');
    return new Date(Math.max(now, due.getTime()));
  }
  const ms = delay === undefined ? 0 : durationOf(delay);
  if (ms === undefined) throw new TypeError('api.later: in must be a duration such as 30s, 15m, 12h or 90d');
  return new Date(now + ms);
}
