/**
 * A request and its caller as plain values, the actor of reads and writes, and the context that an operation receives
 * (types only). They depend on no transport.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { WaitOptions } from './async/semaphore.ts';
import type { ClientAddress } from './auth/contract.ts';
import type { ModelEntry } from './models/entry.ts';
import type { Json } from './models/plain-object.ts';
import type { Parts } from './operations/contract.ts';
import type { PendingEntries } from './outbox/contract.ts';
import type { Grant, GrantProof } from './policy/grants.ts';
import type { Principal } from './policy/principal.ts';
import type { ShapedDocument } from './policy/shaped.ts';
import type { Filter } from './query/filter.ts';
import type { ParameterTree } from './query/parameter-tree.ts';
import type { PastIntent } from './read/contract.ts';
import type { Services } from './services.ts';
import type { UnitOfWork, WriteProgress } from './write/contract.ts';

/** What is requested. */
export interface Request {
  /** The named parts of the operation's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParameterTree;
  readonly body: unknown;
  /** The body as it was sent; undefined without one, and where it is no JSON or did not come by HTTP. */
  readonly bodyText?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The path and query string; made when they are read, where there was no text. */
  readonly url: string;
  /** Where there was no text: what tells its operation and parameters from others. */
  readonly key?: string | undefined;
}

/** Who requests it. */
export interface Caller extends ClientAddress {
  readonly principal: Principal;
  /** The principal as of now. @throws 401 when a credential is no longer valid */
  readonly verify: () => Promise<Principal>;
  /** Aborted when the caller disconnects or a write reaches its time limit. */
  readonly stop: Pick<AbortController, 'signal' | 'abort'> & Pick<WaitOptions, 'departure'>;
  /** The unit of work of the request, where several requests are committed together. */
  readonly unit?: UnitOfWork | undefined;
  /** What its writes have sent; undefined for what has no time limit, such as a command. */
  readonly progress?: WriteProgress | undefined;
  /** The id of the request in the log; undefined for what no request causes. */
  readonly requestId?: string | undefined;
  /** How many calls of `api` enclose the request; none for one that comes from outside. */
  readonly depth?: number | undefined;
  /** Invokes the operations that a request consists of, where its operation has parts. */
  readonly parts?: Parts | undefined;
}

/**
 * The restrictions of the documents that a request may access. Each part has one owner. They are joined with each other
 * and with the row filter by AND.
 */
interface Restrictions {
  /** The filter of the pre-hooks. */
  readonly hook: Filter | undefined;
  /** Set when pre-hooks have run, which may have changed the query and the body in place. */
  readonly afterHooks?: true;
  /** The revisions that the headers If-Match and If-None-Match of a write allow. */
  readonly precondition: Filter | undefined;
  /** Whether it has If-Match, so that there must be a document. */
  readonly mustExist?: boolean;
}

/** Who acts, with which rights, and what it may reach: reads and writes receive nothing else of the request that caused them. */
export interface Actor extends Omit<Caller, 'stop' | 'parts'> {
  readonly services: Services;
  readonly grant: GrantProof;
  readonly restrictions: Restrictions;
  /** Whether it holds the mutex of what runs alone (`write/unit.ts`). */
  readonly runsAlone?: boolean;
  /** Aborted like `stop`. Reading it costs, so what ends soon does without it. */
  readonly signal: AbortSignal;
  /** That of `stop`. */
  readonly departure?: WaitOptions['departure'];
}

/** An actor that has a right on a model. */
export interface ModelActor extends Actor {
  readonly model: ModelEntry;
  readonly grant: Grant;
}

/** Reads documents as they were. */
export interface PastDocuments {
  /** Whether it can read those of a model. */
  keeps(model: ModelEntry): boolean;
  /** @throws 404 where the caller may not read it, or it did not exist, 410 where that is not known any longer */
  at(actor: ModelActor, intent: PastIntent): Promise<ShapedDocument>;
}

/** The context of an operation: a request and its actor. */
export interface Context extends Request, Actor, Pick<Caller, 'parts'> {
  /** What pre-hooks set in the document that is written. */
  readonly assignments?: Json | undefined;
  /** What the code of the author adds to the outbox where the request is no unit of work. */
  readonly pending?: PendingEntries | undefined;
  /** Undefined for a server without histories. */
  readonly past: PastDocuments | undefined;
}

/** The context of an operation that has a model in its path. */
export interface ModelContext
  extends Request, ModelActor, Pick<Context, 'parts' | 'past' | 'pending' | 'assignments'> {}
