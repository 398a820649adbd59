/** Delivers one entry: judges it by the rights of this moment, signs and sends it, and decides what follows. */
import { type Core, policyFor, type Principal } from '../../core.ts';
import { jsonId } from '../../models/fields/id-types.ts';
import type { Entry, OutboxKind, RunOutcome } from '../../outbox/contract.ts';
import { present } from '../../policy/present.ts';
import type { DeliveryData, WebhookRow } from './contract.ts';
import { decodeImages, reducedImages } from './images.ts';
import { deliveryKind, testType } from './kinds.ts';
import type { TryResult } from './sender.ts';
import { signaturesOf } from './signature.ts';
import { decidingNames, judge } from './visible-events.ts';
import { secretLost, type Webhooks, webhooks } from './webhooks.ts';

/** Part of a pause by which it may be longer, so that many deliveries do not return at once. */
const jitter = 0.1;
/** Milliseconds that a receiver may ask for: a day. */
const maxAskedMs = 86_400_000;
const leastMs = 1000;

interface Timing {
  /** Milliseconds. */
  readonly now: number;
  /** The pauses after each try. */
  readonly pauses: readonly number[];
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * @param tries that have failed @param retryAfter what the receiver asks for (RFC 9110, 10.2.3): seconds, or a date
 * @returns undefined after the last try
 */
function nextTry(tries: number, retryAfter: string | undefined, timing: Timing): Date | undefined {
  const { now, pauses, random = Math.random } = timing;
  const pause = pauses[tries - 1];
  if (pause === undefined) return undefined;
  const asked = askedMs(retryAfter, now);
  return new Date(now + (asked ?? pause * (1 + jitter * random())));
}

function askedMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(maxAskedMs, Math.max(leastMs, ms));
}

/** Deliveries that a process sends at a time, and those of one webhook. One without an answer for a second leaves room for the others. */
const concurrency = 20;
const groupConcurrency = 6;
const slowAfterMs = 1000;
/** Bytes of a body beyond which it is sent without the item. */
const maxBody = 256 * 1024;

export function deliveries({ services }: Core): OutboxKind {
  const { settings, clock } = services;
  const service = services.of(webhooks);
  const { keep: keepMs } = settings.webhook;
  const delivery = new Delivery(service, { registry: services.registry, clock, retries: settings.webhook.retries });
  return {
    kind: deliveryKind,
    concurrency,
    groupConcurrency,
    slowAfterMs,
    keepMs,
    counter: 'dossier_webhook_deliveries_total',
    run: (entry, signal) => delivery.run(entry, signal),
  };
}

interface Parts extends Pick<Core['services'], 'registry' | 'clock'> {
  /** Pauses after failed tries. */
  readonly retries: readonly number[];
}

/** What is sent. */
interface Message {
  readonly type: string;
  readonly body: string;
  /** What the entry keeps of its images when it has ended. */
  readonly images?: unknown;
}

class Delivery {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly parts: Parts,
  ) {}

  async run(entry: Entry, signal: AbortSignal): Promise<RunOutcome> {
    const target = await this.webhooks.target(entry.group);
    if (target === undefined) return { status: 'gone' };
    const { webhook, maker } = target;
    const data = entry.data as unknown as DeliveryData;
    if (!webhook.active && data.type !== testType) return unsent(webhook.off_reason ?? 'the webhook is switched off');
    if (maker === undefined) return this.#endsWith(webhook, makerEnded);
    const secrets = this.webhooks.secretsOf(webhook);
    if (secrets.length === 0) return this.#endsWith(webhook, secretLost);
    const message = data.type === testType ? testMessage(entry) : this.#messageOf(entry, data, webhook, maker);
    if (message === undefined) return { status: 'gone' };
    const sent = await this.webhooks.sender.send(this.#signed(entry.id, webhook, { ...message, secrets }), signal);
    return this.#after(entry, webhook, message, sent);
  }

  /** Switches a webhook off that can send nothing more. */
  async #endsWith(webhook: WebhookRow, reason: string): Promise<RunOutcome> {
    await this.webhooks.results.switchOff(webhook, reason);
    return unsent(reason);
  }

  /** @returns undefined where the maker sees nothing of the change, or the webhook is for other events */
  #messageOf(entry: Entry, data: DeliveryData, webhook: WebhookRow, maker: Principal): Message | undefined {
    const model = this.parts.registry.find(data.model ?? '');
    if (model === undefined) return undefined;
    const images = decodeImages(data.images);
    const parts = { model, webhook, maker, clock: this.parts.clock };
    const judged = judge(images, parts);
    if (judged === undefined || !webhook.events.includes(judged.event)) return undefined;
    const type = `${model.name}.${words[judged.event]}`;
    const content = {
      model: model.name,
      id: jsonId(model.idType, data.document ?? ''),
      user_id: data.user ?? null,
      position: data.position ?? null,
    };
    const item = judged.item && present(policyFor(maker, model), judged.item);
    const whole = bodyOf(type, entry, item === undefined ? content : { ...content, item });
    const body = Buffer.byteLength(whole) > maxBody ? bodyOf(type, entry, content) : whole;
    return { type, body, images: reducedImages(images, decidingNames(parts)) };
  }

  #signed(
    id: string,
    { url }: WebhookRow,
    { body, secrets }: Message & { readonly secrets: readonly string[] },
  ): Parameters<Webhooks['sender']['send']>[0] {
    const timestamp = Math.floor(this.parts.clock().getTime() / 1000);
    return {
      url,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Dossier',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signaturesOf({ id, timestamp, body }, secrets),
      },
    };
  }

  async #after(entry: Entry, webhook: WebhookRow, { type, images }: Message, sent: TryResult): Promise<RunOutcome> {
    const { code, ms, reason, answer } = sent;
    const set = { type, code, ms, reason, answer };
    const ended = { ...set, ...(images === undefined ? {} : { images }) };
    const { results } = this.webhooks;
    if (sent.isDelivered) {
      await results.succeeded(webhook);
      return { status: 'ok', set: ended };
    }
    if (code === 410) await results.switchOff(webhook, 'its receiver has answered 410');
    else await results.failed(webhook);
    const due = sent.isRefused || code === 410 ? undefined : nextTry(entry.attempts, sent.retryAfter, this.#timing);
    return due === undefined ? { status: 'dead', set: ended } : { status: 'waiting', due, set };
  }

  get #timing(): Parameters<typeof nextTry>[2] {
    return { now: this.parts.clock().getTime(), pauses: this.parts.retries };
  }
}

const makerEnded = 'the user who has made the webhook has ended';

const words = { post: 'created', put: 'updated', del: 'deleted' } as const;

const unsent = (reason: string): RunOutcome => ({
  status: 'dead',
  set: { code: null, ms: null, answer: null, reason },
});

const bodyOf = (type: string, { at }: Entry, data: object): string => JSON.stringify({ type, timestamp: at, data });

const testMessage = (entry: Entry): Message => ({
  type: testType,
  body: bodyOf(testType, entry, { webhook: entry.group }),
});
