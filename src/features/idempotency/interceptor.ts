/** Idempotency-Key: a request that is sent again gets its first answer again, and writes nothing. */
import type { Request } from '../../context.ts';
import {
  type Answer,
  badRequest,
  type Context,
  Failure,
  fromDatabase,
  type ModelContext,
  type Operation,
  type RecorderParts,
  type Services,
  shapes,
} from '../../core.ts';
import { answerId } from '../../operations/answer.ts';
import type { AnswerSubject } from '../../operations/contract.ts';
import type { Around, Interceptor, OnAnswer } from '../../operations/interceptor.ts';
import { isOfModel, isWrite } from '../../operations/operation.ts';
import { isCredential } from '../../query/parameter-table.ts';
import { record } from '../../write/mutation/record.ts';
import type { Claim, EarlierAnswer, Idempotency, StoredAnswer } from './contract.ts';
import { IdempotencyRecords } from './records.ts';

/** Longer than any request may take, in milliseconds of `max_time_ms`. */
const claimLimits = 6;

export const records = ({ settings, secrets: [secret], ...parts }: RecorderParts): IdempotencyRecords =>
  new IdempotencyRecords({ ...parts, secret, claimMs: settings.query_limits.max_time_ms * claimLimits });

/** RFC 9110, 5.5: visible ASCII characters. */
const keyPattern = /^[\x21-\x7e]{1,255}$/;
const replayedHeader = 'Idempotency-Replayed';

/** Writes of documents, operations that consist of them, and those whose rows have it. */
const accepts = (operation: Operation): boolean =>
  operation.http.method !== 'GET' &&
  isWrite(operation) &&
  (isOfModel(operation) || operation.parts !== undefined || operation.takesKey === true);

export const idempotencyKey: Interceptor = {
  header: 'Idempotency-Key',
  meaning: 'A key of the request: sent again within 24 hours, it gets the first answer again',
  answerHeaders: [replayedHeader],
  failures: [409, 410, 422],
  accepts,
  prepare: (operation, services) => (operation.http.method === 'GET' ? undefined : aroundWith(operation, services)),
};

function aroundWith(operation: Operation, services: Services): Around {
  const { timeoutMs } = operation;
  return async ({ value: key, request, caller: { principal }, authorise }, next) => {
    if (!accepts(operation))
      throw badRequest('Idempotency-Key is accepted by writes of documents, /batch, /bulkwrite, /call and routes');
    if (!keyPattern.test(key)) throw badRequest('Idempotency-Key must have 1 to 255 visible ASCII characters');
    if (principal.user === undefined) {
      authorise();
      throw badRequest('Idempotency-Key is for callers who have signed in');
    }
    const idempotency = services.of(records);
    const claim = await idempotency.claim({ principal, key, content: contentOf(operation, request), timeoutMs });
    if (!('kept' in claim)) return repeated(claim);
    const attempt = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) =>
        services.log.error('the record of an Idempotency-Key could not be written', error),
      );
    const storeAnswer: OnAnswer = async (answer, context) => {
      const entry = claim.kept(storedAnswerFrom(answer), subjectsOf(operation, context, answer));
      const { unit } = context;
      if (unit?.session === undefined) await attempt(idempotency.write([entry], undefined));
      else record(unit, idempotency, entry);
    };
    try {
      const answer = await next(storeAnswer);
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
  const preconditions = input?.condition === 'If-Match' ? [headers['if-match'], headers['if-none-match']] : [];
  return [
    http.method,
    url.replace(/([?&])([^=&]*)=[^&]*/g, (part, mark: string, name: string) => (isCredential(name) ? mark : part)),
    headers['content-type'],
    body,
    ...preconditions.filter((header) => header !== undefined),
  ];
};

/**
 * An answer that does not concern the request itself, or that says to try again, is not stored. A 503 that does not say so is that of a
 * request which may have been carried out, and which must not run again.
 */
const isStorable = ({ status, headers }: Failure): boolean =>
  status !== 401 && (status < 500 || status === 503) && headers['Retry-After'] === undefined;

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
  if (answer.kind === 'text' && (typeof answer.body === 'string' || Buffer.isBuffer(answer.body))) {
    const { type, status = 200, headers = {}, body } = answer;
    return { status, headers, type, body: Buffer.from(body).toString('base64') };
  }
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
  return [{ model, id: Object.values(answers).some(showsDocument) ? answerId(answer, id) : undefined }];
}

/** Whether an answer has a document by its schema, which may have more members. */
const showsDocument = (schema: Operation['answers'][number]): boolean =>
  typeof schema === 'object' &&
  (schema as { readonly properties?: { readonly data?: unknown } }).properties?.data === shapes.documentMark;

/** @throws the failure from before */
function repeated({ status, headers: first, type, body }: EarlierAnswer): Answer {
  if (type !== undefined) {
    const content = Buffer.from(String(body), 'base64');
    return { kind: 'text', status, type, body: content, headers: { ...first, [replayedHeader]: 'true' } };
  }
  // only those of content may have lists
  const headers = { ...(first as Readonly<Record<string, string>>), [replayedHeader]: 'true' };
  if (status < 400) return { kind: 'json', status, value: body, headers };
  const { message, reason, errors, details } = body as unknown as Failure;
  throw new Failure(status, message, reason, { ...(errors === undefined ? {} : { errors }), details, headers });
}
