/** Operations inside of a request, such as those of a batch. */
import type { Request, Response } from 'express';
import type { Caller } from '../context.ts';
import { badPath } from '../errors/errors.ts';
import { shownId } from '../operations/answer.ts';
import type { PartAnswer, Parts } from '../operations/contract.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import type { Operation } from '../operations/operation.ts';
import { shapeValue } from '../policy/shape.ts';
import { isCredential } from '../query/parameter-table.ts';
import { envelopeOf, failureFrom, logFailure } from './failures.ts';
import { innerOperations } from './inner-operations.ts';
import { requestId } from './request-id.ts';

/** Prepares operations to be parts of requests. */
export function preparePartOperations(
  operations: readonly Operation[],
  services: InvokeServices,
): (req: Request, res: Response, caller: Caller) => Parts {
  const inner = innerOperations(operations, services, 'a write');
  return (req, res, caller) => ({
    check(method, path) {
      inner.find(method, path);
      refuseCredentials(path);
    },
    async invoke(request, unit) {
      const part = inner.find(request.method, request.path);
      const outer = { headers: req.headers, request: () => [req, res] as const };
      const answer = await inner.invoke(part, request, { ...caller, unit }, outer);
      if (answer.kind !== 'json') throw new Error('a write must answer with JSON');
      const { model = '', id } = part.params;
      return {
        status: answer.status,
        body: answer.value,
        subject: { model: services.registry.get(model), id: shownId(answer, id) },
      };
    },
    failureFrom,
    refuse(thrown, { method, path }): PartAnswer {
      const failure = failureFrom(thrown);
      const id = requestId(res);
      logFailure(services.log, { id, method, path }, failure);
      return { status: failure.status, body: shapeValue(envelopeOf(failure, id)) };
    },
  });
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
