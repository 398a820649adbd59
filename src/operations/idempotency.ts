/** Idempotency-Key: a request that is sent again gets its first answer again, and writes nothing. */
import type { Caller, Context, ModelContext, Request } from '../context.ts';
import { written } from '../docs/openapi/answers.ts';
import { badRequest, Failure } from '../errors.ts';
import type { AnswerSubject, Claim, Idempotency, Repeated, StoredAnswer } from '../idempotency/contract.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { isCredential } from '../query/parameter-table.ts';
import type { Services } from '../services.ts';
import { record } from '../write/mutation/record.ts';
import type { Answer } from './answer.ts';
import { acceptsIdempotencyKey, type Operation } from './operation.ts';

/** Stores the answer, in the unit of work of the request where there is one. */
export type StoreAnswer = (answer: Answer, context: Context) => Promise<void>;

interface RequestSteps {
  /** Checks the caller's rights. @throws 401, 403, 404 */
  readonly check: () => void;
  readonly steps: (storeAnswer: StoreAnswer) => Promise<Answer | undefined>;
}

/** RFC 9110, 5.5: visible ASCII characters. */
const keyPattern = /^[\x21-\x7e]{1,255}$/;
const replayed = { 'Idempotency-Replayed': 'true' };

/** @returns runs the steps of a request with a key, unless they have run before */
export function idempotent(
  operation: Operation,
  { idempotency, log }: Services,
): (key: string, request: Request, caller: Caller, run: RequestSteps) => Promise<Answer | undefined> {
  return async (key, request, { principal }, { check, steps }) => {
    if (!acceptsIdempotencyKey(operation))
      throw badRequest('Idempotency-Key is accepted by writes of documents, /batch, /bulkwrite and /call');
    if (!keyPattern.test(key)) throw badRequest('Idempotency-Key must have 1 to 255 visible ASCII characters');
    if (principal.user === undefined) {
      check();
      throw badRequest('Idempotency-Key is for callers who have signed in');
    }
    const claim = await idempotency.claim({ principal, key, content: contentOf(operation, request) });
    if (!('kept' in claim)) return repeated(claim);
    const attempt = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => log.error('the record of an Idempotency-Key could not be written', error));
    const storeAnswer: StoreAnswer = async (answer, context) => {
      const entry = claim.kept(storedAnswerFrom(answer), subjectsOf(operation, context, answer));
      const { unit } = context;
      if (unit?.session === undefined) await attempt(idempotency.write([entry], undefined));
      else record(unit, idempotency, entry);
    };
    try {
      const answer = await steps(storeAnswer);
      if (answer === undefined) await attempt(claim.release());
      return answer;
    } catch (error) {
      await attempt(afterFailure(idempotency, claim, error));
      throw error;
    }
  };
}

/** The credentials of the query string may change between two tries. */
const contentOf = ({ http, input }: Operation, { url, headers, body }: Request): unknown => {
  const precondition = input?.condition === 'If-Match' ? headers['if-match'] : undefined;
  return [
    http.method,
    url.replace(/([?&])([^=&]*)=[^&]*/g, (part, mark: string, name: string) => (isCredential(name) ? mark : part)),
    headers['content-type'],
    body,
    ...(precondition === undefined ? [] : [precondition]),
  ];
};

/** An answer that does not concern the request itself, or that says to try again, is not stored. */
const isStorable = ({ status, headers }: Failure): boolean =>
  status !== 401 && status < 500 && headers['Retry-After'] === undefined;

async function afterFailure(idempotency: Idempotency, claim: Claim, error: unknown): Promise<void> {
  const failure = fromDatabase(error);
  if (!(failure instanceof Failure) || !isStorable(failure)) return claim.release();
  const { status, message, reason, errors, details, headers } = failure;
  return idempotency.write(
    [claim.kept({ status, headers, body: { message, reason, errors, details } }, [])],
    undefined,
  );
}

function storedAnswerFrom(answer: Answer): StoredAnswer {
  if (answer.kind !== 'json') return { status: 200, headers: {}, body: undefined };
  return { status: answer.status, headers: answer.headers ?? {}, body: answer.value };
}

/** What the answer is about: as the operation states, the document that it shows, or the one that a function was called on. */
function subjectsOf({ answers, runsModelCode }: Operation, context: Context, answer: Answer): readonly AnswerSubject[] {
  const { model } = context as Partial<ModelContext>;
  if (answer.kind === 'json' && answer.subjects !== undefined) return answer.subjects;
  if (model === undefined) return [];
  const id = context.params['id'];
  if (runsModelCode === true) return [{ model, id }];
  return [{ model, id: Object.values(answers).includes(written) ? shownId(answer, id) : undefined }];
}

/** The id of the document that an answer shows; undefined when it shows none. */
export function shownId(answer: Answer, id: string | undefined): string | undefined {
  const { data } = (answer.kind === 'json' ? answer.value : {}) as { readonly data?: { readonly _id?: unknown } };
  return data === undefined ? undefined : String(data._id ?? id ?? '');
}

/** @throws the failure from before */
function repeated({ status, headers: first, body }: Repeated): Answer {
  const headers = { ...first, ...replayed };
  if (status < 400) return { kind: 'json', status, value: body, headers };
  const { message, reason, errors, details } = body as unknown as Failure;
  throw new Failure(status, message, reason, { ...(errors === undefined ? {} : { errors }), details, headers });
}
