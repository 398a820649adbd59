/** Runs code of the project in the unit of work of a write that causes it. */
import { anyOf } from '../async/signals.ts';
import { withTimeout } from '../async/timeout.ts';
import { Failure, internal, neverEnded } from '../errors/errors.ts';
import { fromModelCode } from '../models/mongoose/model-code-errors.ts';
import { operator } from '../policy/principal.ts';
import type { Services } from '../services.ts';
import type { AuthorInUnit } from '../write/contract.ts';
import { makeProgress } from '../write/progress.ts';
import type { Api, ApiRequest, ProgramLog } from './contract.ts';
import { insideServer, programLog } from './programs.ts';

/** What such code may use. Most code looks at a part of it, so each part is made when it is read. */
export interface WriteUse {
  /** Acts as the caller of the write, or as the system where there is none, in the unit of the write. */
  readonly api: Api;
  readonly log: ProgramLog;
  /** Aborted when the caller disconnects, and at the time limit. */
  readonly signal: AbortSignal;
}

/**
 * @param name of the code, in the log @param call may write until the time limit of requests
 * @throws Failure: that of a refusal, or a 500 for anything else, such as what does not end in time. An error of the database is not taken for
 * one of the write itself; it stays the cause, by which a unit knows that it has to begin again
 */
export async function runForWrite(
  services: Services,
  author: AuthorInUnit,
  name: string,
  call: (use: WriteUse) => unknown,
): Promise<void> {
  const stop = new AbortController();
  const progress = makeProgress(author.progress);
  const use = useOf(services, { ...author, progress }, name, stop.signal);
  const limit = services.settings.query_limits.max_time_ms;
  const late = (): Error => {
    progress.end();
    stop.abort();
    return neverEnded(name, limit);
  };
  try {
    const running = Promise.resolve().then(() => call(use));
    await withTimeout(limit, running, late);
  } catch (thrown) {
    const known = fromModelCode(thrown);
    throw known instanceof Failure ? known : internal(known);
  }
}

function useOf(services: Services, { cause, unit, progress }: AuthorInUnit, name: string, stop: AbortSignal): WriteUse {
  const { principal = operator, address = insideServer, ip = insideServer, requestId, depth } = cause ?? {};
  let [api, log, signal]: [Api?, ProgramLog?, AbortSignal?] = [];
  // reading the signal of a request costs
  const signalOf = (): AbortSignal => (signal ??= anyOf(...[cause?.signal, stop].filter((one) => one !== undefined)));
  const request: ApiRequest = {
    ...{ principal, address, ip, requestId, depth, unit, progress },
    get signal() {
      return signalOf();
    },
  };
  return {
    get api() {
      return (api ??= services.apis.of(request));
    },
    get log() {
      return (log ??= programLog(services.log, { ...(requestId === undefined ? {} : { id: requestId }), code: name }));
    },
    get signal() {
      return signalOf();
    },
  };
}
