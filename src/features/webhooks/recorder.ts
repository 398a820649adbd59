/** Writes a delivery with each write of a document that an active webhook is for. */
import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import {
  type Author,
  type DocumentOperation,
  type ModelEntry,
  operationOf,
  type Recorder,
  type RecorderParts,
  type States,
} from '../../core.ts';
import type { NewEntry } from '../../outbox/contract.ts';
import { recordableRow } from '../../policy/recordable.ts';
import { type ActiveWebhook, type ActiveWebhooks, activeWebhooks, isOf } from './active.ts';
import type { DeliveryData, WebhookEvent } from './contract.ts';
import { encodeImages } from './images.ts';
import { deliveryKind } from './kinds.ts';

/** Characters of an id in a lane, which an index takes in every engine. */
const maxIdLength = 300;

/** What a write has done to a document. */
interface Written {
  readonly model: ModelEntry;
  readonly id: string;
  readonly op: DocumentOperation;
  readonly state: States[number];
  readonly user: string | undefined;
}

export const webhookRecorder = (parts: RecorderParts): WebhookRecorder => new WebhookRecorder(parts);

export class WebhookRecorder implements Recorder<Written> {
  readonly name = 'webhooks';
  readonly active: ActiveWebhooks;
  readonly needs: ActiveWebhooks['mayDeliver'];
  readonly needsBoth: ActiveWebhooks['mayHave'];
  /** The position before what is written now; undefined in a process that has no feed. */
  position: () => string | undefined = () => undefined;

  constructor(private readonly parts: RecorderParts) {
    this.active = activeWebhooks(parts);
    this.needs = this.active.mayDeliver;
    this.needsBoth = this.active.mayHave;
  }

  mayNeed({ options }: ModelEntry): boolean {
    return !options.internal;
  }

  entriesOf(model: ModelEntry, states: States, { user }: Author): readonly Written[] {
    return states.map((state) => ({
      ...{ model, state, user },
      id: String((state.after ?? state.before)?.['_id']),
      op: operationOf(state),
    }));
  }

  async write(all: readonly Written[], session: ClientSession | undefined): Promise<void> {
    const webhooks = await this.active.current(session);
    const entries = all.flatMap((written) => this.#entriesFor(written, webhooks));
    if (entries.length > 0) await this.parts.outbox.write(entries, session);
  }

  committed(): void {
    this.parts.outbox.committed();
  }

  #entriesFor(written: Written, webhooks: readonly ActiveWebhook[]): readonly NewEntry[] {
    const { model, id, op, state, user } = written;
    const wanted = webhooks.filter(
      (one) => isOf(one, model.name) && possible[op].some((event) => one.events.includes(event)),
    );
    if (wanted.length === 0) return [];
    const position = this.position();
    const clean = (row: States[number]['after']): States[number]['after'] => row && recordableRow(model, row);
    const data: DeliveryData = {
      ...{ model: model.name, document: id, op, user: user ?? null },
      type: `${model.name}.${usual[op]}`,
      ...(position === undefined ? {} : { position }),
      images: encodeImages({ before: clean(state.before), after: clean(state.after) }),
    };
    return wanted.map(({ _id }) => ({
      kind: deliveryKind,
      group: String(_id),
      lane: laneOf(String(_id), model.name, id),
      data: { ...data },
    }));
  }
}

/** The events that a write may be for a reader. */
const possible: Readonly<Record<DocumentOperation, readonly WebhookEvent[]>> = {
  create: ['post'],
  restore: ['post'],
  change: ['post', 'put', 'del'],
  delete: ['del'],
  remove: ['del'],
};

/** What a write is for a reader of all documents. */
const usual: Readonly<Record<DocumentOperation, 'created' | 'updated' | 'deleted'>> = {
  create: 'created',
  restore: 'created',
  change: 'updated',
  delete: 'deleted',
  remove: 'deleted',
};

/** The lane of a webhook and a document. */
export function laneOf(webhook: string, model: string, id: string): string {
  const short = id.length > maxIdLength ? createHash('sha256').update(id).digest('hex') : id;
  return `${webhook} ${model} ${short}`;
}
