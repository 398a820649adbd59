/** Every failure that the server answers with, one constructor each. Code throws no other failures. */
import { emailRule } from '../text/email.ts';
import { operatorSuggestion } from '../text/nearest.ts';
import { Failure, type PathFault } from './failure.ts';

export { Failure, type PathFault } from './failure.ts';

const retryIn = (seconds: number): Readonly<Record<string, string>> => ({ 'Retry-After': String(seconds) });

// 400: the request itself
type More = ConstructorParameters<typeof Failure>[3];
/** @param message the kind of the fault */
const faulty = (message: string, reason: string, more?: More): Failure => new Failure(400, message, reason, more);
export const badRequest = (reason: string): Failure => faulty('Bad request', reason);
export const badBody = (reason: string): Failure => faulty('Bad request body', reason);
export const badParameter = (name: string, reason: string): Failure => faulty('Bad parameter', `${name}: ${reason}`);
/** @param where `any endpoint`, or `this endpoint` for one of others @param hint the nearest parameter, to end the sentence with */
export const unknownParameter = (name: string, where: string, hint: string): Failure =>
  faulty('Unknown parameter', `${name} is not a parameter of ${where}${hint}`);
/** @param where the part of the request that names the field, such as `sort` */
export const unknownField = (where: string, fault: string): Failure => faulty('Unknown field', `${where}: ${fault}`);
export const badFilter = (reason: string): Failure => faulty('Bad filter', reason);
export const badPipeline = (reason: string): Failure => faulty('Bad pipeline', reason);
/** @param allowed the operators that the caller may use in this place, of which the nearest is suggested */
export const operatorDenied = (operator: string, allowed: Iterable<string>): Failure =>
  faulty(
    'Operator not allowed',
    `${operator.slice(0, 60)} is not allowed here${operatorSuggestion(operator, allowed)}`,
  );
export const notAcceptedByDatabase = (cause: unknown, reason = 'the database does not accept this request'): Failure =>
  new Failure(400, 'Bad request', reason, { cause });
export const tooDeep = (what: string, levels: number): Failure =>
  faulty('Too deep', `${what} must have at most ${levels} levels`);
export const tooMany = (what: string, max: number): Failure => faulty('Too many', `at most ${max} ${what} are allowed`);
/** @param link the name of the link */
export const tooManyLinked = (link: string, max: number): Failure =>
  faulty('Too many', `the filter through ${link} matches more than ${max} linked documents: make it match fewer`);
/** An update operator in a body that consists of fields. */
export const operatorInBody = (operator: string, model: string): Failure =>
  new Failure(
    400,
    'Key not allowed',
    operator === '$set'
      ? '$set is not accepted here: the body consists of the fields to set, such as {"<field>": <value>}'
      : `${operator} is not accepted here: the body consists of the fields to set; send update operators with PATCH /api/${model}/{id}, as application/json`,
  );
/** @param index the position of an operation in a JSON Patch; undefined where the patch as a whole is wrong */
export const badOperation = (index: number | undefined, reason: string): Failure =>
  index === undefined
    ? badBody(reason)
    : faulty('Bad request body', `operation ${index}: ${reason}`, { details: { index } });
/** @param field the field of the body that contains the key */
export const dangerousKey = (key: string, field?: string): Failure =>
  new Failure(400, 'Key not allowed', `${JSON.stringify(key)} cannot be used as a name`, {
    ...(field === undefined
      ? {}
      : { errors: [{ path: field, kind: 'key', message: `${field} contains a key that cannot be used` }] }),
  });
export const badPath = (reason: string): Failure => faulty('Bad path', reason);
export const secretPath = (path: string): Failure => faulty('Field not allowed', `${path} cannot be queried`);
/** @param path of a field whose value is, or may be, an object with keys that are not shown */
export const comparedWhole = (path: string): Failure =>
  new Failure(
    400,
    'Field not allowed',
    `${path} cannot be compared as a whole object, because it may contain fields that are not shown: compare the fields inside it`,
  );
export const expressionDenied = (): Failure =>
  new Failure(
    400,
    'Operator not allowed',
    '$expr is not allowed in a filter of stored documents: use it in a $match stage of /aggregate, or of the pipeline of $lookup',
  );
/** @param rule what an id must be */
export const badId = (path: string, rule: string, text: string): Failure =>
  faulty('Bad id', `${path} ${rule}, got ${JSON.stringify(text.slice(0, 40))}`);
export const badValue = (path: string, kind: string, reason: string): Failure =>
  faulty('Bad value', `${path} ${reason}`, { errors: [{ path, kind, message: `${path} ${reason}` }] });
export const badEmail = (): Failure => badValue('email', 'email', emailRule);
/** @param other text that names an alternative to the limit */
export const limitRequired = (model: string, max: number, other = ''): Failure =>
  faulty('Limit required', `${model} is a large collection: set a limit from 1 to ${max}${other}`);
export const limitAboveMaximum = (model: string, max: number): Failure =>
  faulty('Bad limit', `limit must be from 1 to ${max} on ${model}, which is a large collection`);
export const noTextIndex = (model: string): Failure => faulty('Search not available', `${model} has no text index`);
/** The text index covers fields that the caller may not read. */
export const searchesHidden = (model: string): Failure =>
  faulty('Search not available', `search in ${model} is not available to you: search in fields by search[<field>]`);
export const validationFailed = (errors: readonly PathFault[]): Failure =>
  faulty('Validation failed', errors.map((fault) => fault.message).join('; '), { errors });

// 401 and 403: the caller and their rights
/** @param field by which users sign in */
export const loginFailed = (field: string): Failure =>
  new Failure(401, 'Authentication failed', `the ${field} or the password is wrong`);
export const badCredentials = (reason: string): Failure => new Failure(401, 'Authentication failed', reason);
/** The user has been deleted or has another password since the caller was verified. */
export const credentialEnded = (): Failure => badCredentials('this credential has just ended');
/** A 401 for the right credentials: it is no guess, and does not count as a failed login. */
export class IncompleteLogin extends Failure {}
export const emailNotVerified = (): Failure =>
  new IncompleteLogin(
    401,
    'Authentication failed',
    'the email is not verified: open the link in the mail that was sent to it',
  );
export const signInFirst = (): Failure => new Failure(401, 'Authentication failed', 'sign in to do this');
/**
 * The password is right, but the user has a second factor on.
 * @param ticket what the caller exchanges for a session, with a code
 */
export const secondFactorNeeded = (ticket?: string): Failure =>
  new IncompleteLogin(
    401,
    'Authentication failed',
    'a second factor is needed',
    ticket === undefined ? {} : { details: { ticket } },
  );
/** It does not reveal whether a ticket that was sent with the code is valid. */
export const wrongCode = (): Failure =>
  badCredentials('the code or the ticket is not valid, has expired or has been used');
export const factorRequired = (): Failure =>
  new Failure(403, 'Forbidden', 'admins need a second factor here: set it up with POST /login/mfa');
export const forbidden = (reason: string, cause?: unknown): Failure => new Failure(403, 'Forbidden', reason, { cause });
/** @param models the plural of a model's name @param paths of fields that the caller may not write */
export const forbiddenPaths = (models: string, paths: readonly string[]): Failure =>
  new Failure(403, 'Forbidden', `you may not write ${paths.join(', ')} of ${models}`, {
    errors: paths.map((path) => ({ path, kind: 'forbidden', message: `${path} may not be written by you` })),
  });
/** An operation for admins: 401 for callers who have not signed in, 403 for those who have. */
export const adminOnly = (caller: { readonly user: unknown }, what: string): Failure =>
  caller.user === undefined ? signInFirst() : new Failure(403, 'Forbidden', `${what} is for admins`);
export const switchedOff = (what: string, model: string): Failure =>
  new Failure(403, 'Forbidden', `${what} is switched off for ${model}`);

// 404 and 405: the path, the model, the document or the method does not exist
export const unknownPath = (): Failure => new Failure(404, 'Not found', 'there is nothing at this path');
/** @param hint the nearest model that the caller may see, to end the sentence with */
export const unknownModel = (name: string, hint = ''): Failure =>
  new Failure(404, 'Unknown model', `no model is named ${JSON.stringify(name.slice(0, 60))}${hint}`);
export const unknownDocument = (model: string, id: string): Failure =>
  new Failure(404, 'Not found', `no ${model} has the id ${id}`);
export const unknownRevision = (model: string, id: string, rev: number): Failure =>
  new Failure(404, 'Not found', `${model} ${id} has no revision ${rev}`);
export const deletedDocument = (model: string, id: string): Failure =>
  new Failure(404, 'Not found', `${model} ${id} is deleted`);
export const wrongMethod = (method: string, allowed: readonly string[]): Failure =>
  new Failure(405, 'Method not allowed', `${method} is not supported here`, { headers: { Allow: allowed.join(', ') } });

// 409 and up: the state of the server, the request's size, and overload
/** A conflict with a state that lasts: the same request fails again until something else has changed. */
export const conflict = (reason: string): Failure => new Failure(409, 'Conflict', reason);
/** A conflict with other requests, which the same request may not meet again. */
export const contested = (reason: string): Failure =>
  new Failure(409, 'Conflict', `${reason}: try again`, { headers: retryIn(1) });
/** The end of the reason of `notUnique`. */
export const takenValue = 'this value exists already';
/** @param cause the key, for who looks for the document that has it */
export const notUnique = (paths: readonly string[], cause?: unknown): Failure =>
  new Failure(409, 'Conflict', `${paths.join(', ')} must be unique, and ${takenValue}`, {
    errors: paths.map((path) => ({ path, kind: 'unique', message: `${path} must be unique` })),
    cause,
  });
/** @param links such as `review.film_id`; undefined for links of models that the caller may not see */
export const stillReferenced = (model: string, links: readonly (string | undefined)[]): Failure => {
  const names = links.map((link) => link ?? 'documents of another model');
  return conflict(`this ${model} cannot be deleted while other documents link to it: ${names.join(', ')}`);
};
/** A `test` of a JSON Patch. */
export const testFailed = (index: number, pointer: string): Failure =>
  new Failure(409, 'Conflict', `operation ${index}: ${pointer} does not have this value`, { details: { index } });
/** @param paths whose values a deleted document has */
export const deletedMatch = (model: string, paths: readonly string[]): Failure =>
  new Failure(
    410,
    'Deleted',
    `a deleted ${model} has this ${paths.join(' and ')}: send "_deleted": false to restore it with the change`,
  );
export const historyGone = (): Failure =>
  new Failure(
    410,
    'History gone',
    'the history does not reach back to this position: read the list again, then subscribe again',
  );
/** The answer to a request with an Idempotency-Key that was sent before. */
export const answerGone = (): Failure =>
  new Failure(410, 'Answer gone', 'this request was answered before, and you may no longer read what the answer shows');
export const notRepeatable = (): Failure =>
  conflict('this request was answered before, and its answer was too large to be repeated');
export const stillRunning = (): Failure => contested('a request with this Idempotency-Key is under way');
export const keyReused = (): Failure =>
  new Failure(422, 'Key reused', 'this Idempotency-Key was sent with another request: use a new key for each request');
export const preconditionFailed = (): Failure =>
  new Failure(
    412,
    'Precondition failed',
    'the document is not of a revision that If-Match or If-None-Match allows: it may have changed in the meantime',
  );
export const bodyTooLarge = (max: number): Failure =>
  new Failure(413, 'Body too large', `a body must have at most ${max} bytes (MAX_BODY_SIZE)`, {
    headers: { Connection: 'close' },
  });
/** @param bytes of an answer that is whole: it may be of one document, of which the caller cannot request less */
export const answerTooLarge = (max: number, bytes?: number): Failure => {
  const limit = `an answer must have at most ${max} bytes (QUERY_LIMITS_MAX_RESPONSE_SIZE)`;
  const cure = 'request fewer documents or fields';
  const text =
    bytes === undefined ? `${limit}: ${cure}` : `${limit}, and this one has ${bytes}: ${cure}, if it has several`;
  return new Failure(413, 'Answer too large', text);
};
/** @param max bytes of the values that references of a batch stand for */
export const referencesTooLarge = (max: number): Failure =>
  new Failure(
    413,
    'Body too large',
    `the values of an operation's references must have at most ${max} bytes together (MAX_BODY_SIZE)`,
  );
export const needsTooMuch = (cause?: unknown): Failure =>
  new Failure(
    413,
    'Needs too much',
    'this needs more memory than the database gives one query, which no setting of the server changes: request fewer documents',
    { cause },
  );
export const wrongContentType = (reason: string): Failure => new Failure(415, 'Unsupported content type', reason);
/** @param types that PATCH accepts, which `Accept-Patch` lists (RFC 5789, 3.1) */
export const wrongPatchType = (types: readonly string[]): Failure =>
  new Failure(415, 'Unsupported content type', `send ${types.join(', ')}`, {
    headers: { 'Accept-Patch': types.join(', ') },
  });
export const requestTimeout = (): Failure => new Failure(408, 'Request timeout', 'the request took too long to arrive');
export const expectationFailed = (): Failure =>
  new Failure(417, 'Expectation failed', 'the only supported expectation is 100-continue');
export const headersTooLarge = (): Failure =>
  new Failure(
    431,
    'Headers too large',
    'the URL and the headers must have at most 16 KB together, in at most 1000 headers',
  );
/** @param headers further ones, such as the name of the limit */
export const throttled = (seconds: number, headers: Readonly<Record<string, string>> = {}): Failure =>
  new Failure(429, 'Too many requests', `try again in ${seconds} s`, {
    headers: { ...headers, ...retryIn(seconds) },
  });
export const tooManyConnections = (of: 'address' | 'user', max: number): Failure =>
  new Failure(429, 'Too many connections', `at most ${max} WebSockets and event streams of one ${of} may be open`, {
    headers: retryIn(10),
  });
export const internal = (cause: unknown): Failure =>
  new Failure(500, 'Internal error', 'something went wrong on the server', { cause });
/** @param what names the code that did not end, such as `book: pre save` */
export const neverEnded = (what: string, milliseconds: number): Failure =>
  internal(new Error(`${what} did not end within ${milliseconds} ms`));
/** The database has found that the documents of a collection are damaged. */
export const dataDamaged = (cause?: unknown): Failure =>
  new Failure(500, 'Data damaged', 'these documents are damaged in the database: its log has the reason', { cause });
/** A 503 passes by itself, and says after how many seconds the request may be sent again: nothing of it is written (`write/progress.ts`). */
const unavailableFor = (seconds: number, message: string, reason: string, cause?: unknown): Failure =>
  new Failure(503, message, reason, { headers: retryIn(seconds), cause });
export const unavailable = (cause?: unknown): Failure =>
  unavailableFor(5, 'Database unavailable', 'the database cannot be reached, try again', cause);
export const tookTooLong = (cause?: unknown): Failure =>
  unavailableFor(1, 'Took too long', 'the time limit was reached: make the request smaller, or try again', cause);
export const busy = (): Failure => unavailableFor(1, 'Busy', 'too much work of this kind is waiting');
/** The server has more requests than it can process in time. The pauses differ, so that callers do not all come back at once. */
export const overloaded = (): Failure =>
  unavailableFor(1 + Math.floor(3 * Math.random()), 'Overloaded', 'the server has too many requests: try again');
/** A write that was tried again and again, because others changed its documents each time. Nothing is written. */
export const overtaken = (cause?: unknown): Failure =>
  unavailableFor(1, 'Busy', 'other requests keep changing the same documents: try again', cause);
/** The database is building a text index, as it does after a start. */
export const searchNotReady = (cause?: unknown): Failure =>
  unavailableFor(5, 'Search not ready', 'the text index is being built, try again', cause);
/** The database has no room: its disk is full or refuses writes, or the embedded store has reached a limit. */
export const outOfStorage = (reason: string, cause?: unknown): Failure =>
  new Failure(507, 'Insufficient storage', reason, { cause });
/** The database answers reads and refuses writes. */
export const readOnly = (): Failure =>
  unavailableFor(5, 'Database read-only', 'the disk of the database is full or refuses writes; reads still work');

/** The embedded store has stopped permanently; the process ends, and its supervisor starts another one. */
export const storeStopped = (): Failure =>
  unavailableFor(5, 'Database stopped', 'the embedded store has stopped, and the server must be restarted');
/** What cannot be done on this database. */
export const notImplemented = (reason: string): Failure => new Failure(501, 'Not implemented', reason);
/** @param ref the operation of the batch that has failed */
export const failedDependency = (ref: string): Failure =>
  new Failure(424, 'Failed dependency', `the operation ${ref} has failed`);
// logging in
export const unauthorized = (reason: string): Failure => new Failure(403, 'Unauthorized', reason);
/** @param field by which users sign in */
export const unauthorizedUnknown = (field: string): Failure =>
  new Failure(404, 'Unauthorized', `no user has this ${field}`);
export const unknownLogin = (field: string): Failure => new Failure(404, 'Not found', `no user has this ${field}`);
export const notConfigured = (what: string): Failure => new Failure(500, 'Not configured', what);
/** The mail server is away, silent or refuses the mail: another attempt may succeed. */
export const mailNotSent = (cause: unknown): Failure =>
  unavailableFor(30, 'Mail not sent', 'the mail server did not accept the mail: try again later', cause);
export const unknownProvider = (name: string): Failure =>
  new Failure(404, 'Unknown provider', `no provider is named ${JSON.stringify(name.slice(0, 60))}`);
