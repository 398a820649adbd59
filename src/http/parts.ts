/** Operations inside of a request, such as those of a batch: found by the text of their paths, as requests are. */
import { badPath, wrongMethod } from '../errors/errors.ts';
import { answerId } from '../operations/answer.ts';
import type { PartAnswer } from '../operations/contract.ts';
import { envelopeOf, failureFrom } from '../operations/failures.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import type { Operation } from '../operations/operation.ts';
import { shapeValue } from '../policy/shape.ts';
import { isCredential } from '../query/parameter-table.ts';
import { logFailure } from './failures.ts';
import { type PathMatch, Paths } from './paths.ts';
import { innerHeaders, invokeInside, type MakeParts, type PreparedOperation, preparedOperation } from './prepared.ts';
import { parametersFor } from './query-string.ts';

interface Part extends PreparedOperation {
  readonly parameters: ReturnType<typeof parametersFor>;
}

/** Prepares operations to be parts of requests. */
export function preparePartOperations(operations: readonly Operation[], services: InvokeServices): MakeParts {
  const paths = pathsOf(operations, services);
  const headersOf = innerHeaders(services);
  return (enclosing, caller) => ({
    check(method, path) {
      find(paths, method, path);
      refuseCredentials(path);
    },
    async invoke({ method, path: url, body, headers: own }, unit) {
      const { part, params } = find(paths, method, url);
      const headers = headersOf(enclosing.headers, own);
      const request = { params, query: part.parameters(url), body, url, headers };
      const answer = await invokeInside(part, request, { ...caller, unit }, enclosing);
      if (answer.kind !== 'json') throw new Error('a write must answer with JSON');
      const { model = '', id } = params;
      return {
        status: answer.status,
        body: answer.value,
        subject: { model: services.registry.get(model), id: answerId(answer, id) },
      };
    },
    failureFrom,
    refuse(thrown, { method, path }): PartAnswer {
      const failure = failureFrom(thrown);
      const id = caller.requestId ?? '';
      logFailure(services.log, { id, method, path }, failure);
      return { status: failure.status, body: shapeValue(envelopeOf(failure, id)) };
    },
  });
}

function pathsOf(operations: readonly Operation[], services: InvokeServices): Paths<readonly Part[]> {
  const byPath = new Map<string, Part[]>();
  for (const operation of operations) {
    const prepared = preparedOperation(operation, services);
    const { path } = operation.http;
    const part = { ...prepared, parameters: parametersFor(operation, prepared.hooks) };
    byPath.set(path, [...(byPath.get(path) ?? []), part]);
  }
  return new Paths(byPath);
}

/** @throws 400 for a path of no part, 405 */
function find(paths: Paths<readonly Part[]>, method: string, url: string) {
  const found = pathIn(paths, url);
  if (found === undefined) throw badPath(`${JSON.stringify(url.slice(0, 100))} is not a path of a write`);
  const { value: parts, params } = found;
  const part = parts.find(({ operation }) => operation.http.method === method);
  if (part !== undefined) return { part, params };
  throw wrongMethod(
    method,
    parts.map(({ operation }) => operation.http.method),
  );
}

/** What belongs to the path of a URL; undefined for one that is unknown or not percent-encoded correctly. */
function pathIn<T>(paths: Paths<T>, url: string): PathMatch<T> | undefined {
  try {
    return paths.find(url.split('?', 1)[0] ?? '');
  } catch {
    return undefined;
  }
}

/** @throws 400 for a credential, which would have no effect: all operations run as the caller of the request */
function refuseCredentials(url: string): void {
  const names = (url.split('?', 2)[1] ?? '').split('&').map((pair) => nameOf(pair.split('=', 1)[0] ?? ''));
  const credential = names.find(isCredential);
  if (credential === undefined) return;
  const name = JSON.stringify(credential.slice(0, 20));
  throw badPath(`${name} is a credential: send it with the batch, whose operations all run as its caller`);
}

/** A name with wrong encoding is refused where the operation is invoked. */
function nameOf(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
