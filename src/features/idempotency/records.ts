/**
 * The records of requests with a key. The record of a request is claimed before it runs; its answer is written in the transaction of
 * its writes, so that there are either both or none.
 */
import { randomUUID } from 'node:crypto';
import { makeDigest, makeStoredSealer, type StoredSealer } from '../../adapters/sealing.ts';
import {
  type ClientSession,
  type Collection,
  contested,
  inSession,
  internalCollection,
  type Principal,
  type Registry,
  type Row,
  type ShapedJson,
} from '../../core.ts';
import { answerGone, keyReused, notRepeatable, stillRunning } from '../../errors/errors.ts';
import { isFirst } from '../../models/database-errors.ts';
import type { AnswerSubject } from '../../operations/contract.ts';
import type { ProcessPlace } from '../../ports/parts.ts';
import type { Claim, EarlierAnswer, Idempotency, KeyedRequest, SealedAnswer, StoredAnswer } from './contract.ts';
import { recordModel } from './model.ts';
import { isReadable, type SubjectView, subjectViews } from './readable.ts';

/** Milliseconds for which an answer is repeated. */
const keptMs = 24 * 60 * 60 * 1000;
/** Maximum bytes of an answer that is kept. */
const maxBytes = 1024 ** 2;

export interface RecordParts {
  readonly registry: Registry;
  readonly clock: () => Date;
  /** The secret that servers over one database share. */
  readonly secret: string;
  /** Milliseconds after which a claim without an answer may be taken over: its server has gone away. */
  readonly claimMs: number;
  /** The process that makes the claims. */
  readonly place: ProcessPlace;
}

/** What is sealed in a record. */
interface Sealed {
  readonly answer: StoredAnswer | undefined;
  readonly shown: readonly SubjectView[];
}

export class IdempotencyRecords implements Idempotency {
  readonly name = 'idempotency';
  readonly #collection: Collection;
  /** Requests and keys are stored as digests, answers sealed for their record. */
  readonly #digest: (value: unknown) => string;
  readonly #sealer: StoredSealer;

  constructor(private readonly parts: RecordParts) {
    this.#collection = internalCollection(parts.registry, `_${recordModel.name}`);
    this.#digest = makeDigest(parts.secret, 'idempotency digest');
    this.#sealer = makeStoredSealer([parts.secret], 'idempotency seal');
  }

  async claim({ principal, key, content, timeoutMs = 0 }: KeyedRequest): Promise<Claim | EarlierAnswer> {
    const _id = this.#digest([principal.user?.id, key]);
    const request = this.#digest(content);
    const claim = randomUUID();
    if (await this.#isFree(_id, { request, claim, timeoutMs })) return this.#claimed(principal, _id, claim);
    const found = await this.#collection.findOne<Row>({ _id } as Row);
    if (found === null) throw stillRunning();
    if (found['request'] !== request) throw keyReused();
    if (typeof found['answer'] !== 'string') throw stillRunning();
    const opened = this.#sealer.open(found['answer'], _id);
    if (opened === undefined) throw notRepeatable();
    const { answer, shown } = JSON.parse(opened.text) as Sealed;
    if (!(await isReadable(this.parts.registry, principal, { shown, body: answer?.body }))) throw answerGone();
    if (answer === undefined) throw notRepeatable();
    // the answer has left the server before, in this form
    return { ...answer, body: answer.body as ShapedJson };
  }

  /** Frees the claims of processes that have ended. */
  async releaseEnded(): Promise<void> {
    const { ended } = this.parts.place;
    if (ended.length === 0) return;
    const ofEnded = ended === 'all' ? {} : { by: { $in: ended } };
    await this.#collection.deleteMany({ answer: null, ...ofEnded });
  }

  /** Creates the record, or takes over an expired one. The TTL index removes records some time after they expire. */
  #isFree(
    _id: string,
    { request, claim, timeoutMs }: { request: string; claim: string; timeoutMs: number },
  ): Promise<boolean> {
    const now = this.parts.clock();
    const after = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
    const expired = { _id, $or: [{ until: { $lte: now } }, { answer: null, claim_until: { $lte: now } }] } as Row;
    const { claimMs, place } = this.parts;
    const fresh = {
      request,
      claim,
      by: place.id ?? null,
      answer: null,
      claim_until: after(Math.max(claimMs, 2 * timeoutMs)),
      until: after(keptMs),
    };
    return isFirst(() => this.#collection.updateOne(expired, { $set: fresh }, { upsert: true }));
  }

  /** Answers are kept of requests, whatever these write. */
  mayNeed(): boolean {
    return false;
  }

  needs(): boolean {
    return false;
  }

  entriesOf(): readonly SealedAnswer[] {
    return [];
  }

  async write(answers: readonly SealedAnswer[], session: ClientSession | undefined): Promise<void> {
    for (const { _id, claim, sealed } of answers) {
      const own = unanswered(_id, claim);
      const done = await this.#collection.updateOne(own, { $set: { answer: sealed } }, inSession(session));
      if (done.matchedCount === 0) throw contested('the time limit was reached, and the request was sent again');
    }
  }

  #claimed(principal: Principal, _id: string, claim: string): Claim {
    return {
      kept: (answer, subjects) => ({
        _id,
        claim,
        sealed: this.#sealer.seal(this.#textOf(answer, principal, subjects), _id),
      }),
      release: async () => {
        await this.#collection.deleteOne(unanswered(_id, claim));
      },
    };
  }

  #textOf(answer: StoredAnswer, principal: Principal, subjects: readonly AnswerSubject[]): string {
    const shown = subjectViews(principal, subjects);
    const isKept = answer.body !== undefined && Buffer.byteLength(JSON.stringify(answer.body)) <= maxBytes;
    const sealed: Sealed = { answer: isKept ? answer : undefined, shown };
    return JSON.stringify(sealed);
  }
}

/** The record of a claim that has no answer yet. */
const unanswered = (_id: string, claim: string): Row => ({ _id, claim, answer: null });
