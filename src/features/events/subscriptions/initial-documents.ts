/** Sends the documents that a subscription begins with, while its changes wait behind them in the subscriber's queue. */
import { type ModelEntry, policyFor, type Principal } from '../../../core.ts';
import type { Row, Transport } from './contract.ts';
import { encodeDocument } from './event-encoder.ts';
import { maxDocuments, tooManyDocuments } from './reasons.ts';
import type { SubscriberParts } from './subscriber-parts.ts';
import type { Subscription } from './subscription.ts';

/** The subscriber that receives them. */
interface Receiver {
  readonly transport: Transport;
  readonly parts: Pick<SubscriberParts, 'feed' | 'log'>;
  /** The caller with whose rights the documents are read. */
  readonly principal: Principal;
  readonly verified: () => Promise<Principal | undefined>;
  readonly isSubscribed: () => boolean;
  /** Waits while the connection is full. */
  readonly room: () => Promise<void>;
  /** Ends the subscription. */
  readonly drop: (message: string) => void;
}

/** Ends the connection where documents would be missing: they cannot be read, or the caller's rights change meanwhile. */
export async function sendDocuments(
  documents: AsyncIterable<readonly Row[]>,
  { key, model, sent }: Subscription,
  { transport, parts, principal, verified, isSubscribed, room, drop }: Receiver,
): Promise<void> {
  const begun = rightsOf(principal, model);
  let count = 0;
  try {
    for await (const rows of documents) {
      const now = await verified();
      if (!isSubscribed()) return;
      if (now === undefined || rightsOf(now, model) !== begun) return transport.end('missed');
      count += rows.length;
      if (count > maxDocuments) return drop(tooManyDocuments);
      const policy = policyFor(now, model);
      for (const row of rows) sent?.add(String(row['_id']), row, policy);
      transport.send(rows.map((row) => encodeDocument(model, row, policy)));
      await room();
    }
    sent?.complete();
    transport.ready(key, parts.feed.position());
  } catch (error) {
    parts.log.error('the documents of a subscription could not be read', error);
    transport.end('missed');
  }
}

/** What decides which rows and paths of a model a caller reads. */
function rightsOf(principal: Principal, model: ModelEntry): string {
  const policy = policyFor(principal, model);
  return JSON.stringify([policy.rowsKey(), policy.key]);
}
