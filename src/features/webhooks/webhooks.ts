/** The webhooks of a server: who has made them, where they are sent to, and their secrets. */
import { makeStoredSealer, type StoredSealer } from '../../adapters/sealing.ts';
import { gatherer } from '../../async/gathered.ts';
import type { Actor } from '../../auth/contract.ts';
import { commitWithEvent } from '../../auth/events/record-event.ts';
import {
  badRequest,
  changeRow,
  type Collection,
  contested,
  type Core,
  insertRow,
  internalCollection,
  type ModelEntry,
  monotonicClock,
  ObjectId,
  type Principal,
  principalOf,
  removeRow,
  shapeValue,
  signInFirst,
  tooMany,
  unknownDocument,
} from '../../core.ts';
import { isId } from '../../models/fields/values/ids-and-dates.ts';
import { changeFeed } from '../../ports/core.ts';
import { type AddressRules, addressRules } from './addresses.ts';
import type { CountedWebhook, WebhookAnswer, WebhookRow } from './contract.ts';
import { webhookChanged, webhookCreated, webhookRemoved, webhookRotated } from './events.ts';
import { Results } from './failing.ts';
import { deliveryKind } from './kinds.ts';
import { webhookRecorder } from './recorder.ts';
import { makeSender, type Sender } from './sender.ts';
import { newSecret } from './signature.ts';

/** Maximum webhooks of a server: each write of a document is compared with all of them. */
const maxWebhooks = 200;
/** Maximum replaced secrets that still sign. */
const maxEarlier = 5;

/** What admins decide about a webhook. */
export type WebhookValues = Pick<WebhookRow, 'url' | 'models' | 'events' | 'filter' | 'description' | 'active'>;

/** What a delivery is for. */
interface Target {
  readonly webhook: WebhookRow;
  /** Undefined for a user who has ended. */
  readonly maker: Principal | undefined;
}

/** Why a webhook is off whose secret can't be opened. */
export const secretLost =
  'its secret is lost, because SHARED_SECRET has changed: give it another one by POST /webhooks/{id}/rotate';

export const webhooks = (core: Core): Webhooks => new Webhooks(core);

export class Webhooks {
  readonly rules: AddressRules;
  readonly sender: Sender;
  readonly results: Results;
  readonly #rows: Collection<WebhookRow>;
  readonly #model: ModelEntry;
  readonly #sealer: StoredSealer;
  readonly #targetsRead = gatherer<Webhooks, string, Target | undefined>({ max: 100 }, async (webhooks, ids) => {
    const targets = await webhooks.#readTargets(ids);
    return ids.map((id) => () => Promise.resolve(targets.get(id)));
  });

  constructor(private readonly core: Core) {
    const { services, auth, onClose } = core;
    const { settings, registry } = services;
    const elapsed = services.of(monotonicClock);
    this.#model = registry.internal('_webhook');
    this.#rows = internalCollection(registry, '_webhook');
    this.#sealer = makeStoredSealer(auth.secrets, 'webhook secret');
    this.rules = addressRules(settings);
    this.sender = makeSender({ rules: this.rules, timeoutMs: settings.webhook.timeout * 1000, elapsed });
    this.results = new Results({ auth, log: services.log, changed: () => this.#changed(false) });
    const recorder = services.of(webhookRecorder);
    const feed = services.of(changeFeed);
    recorder.position = () => feed.position();
    // positions are those of a feed that is read
    recorder.active.whenActive = () => feed.ensureDelivered();
    onClose(() => this.sender.close());
    onClose(() => Promise.resolve(recorder.active.close()));
  }

  /** Later writes of its models are delivered, by whichever server. @throws 400 for too many */
  async create(by: Actor, values: WebhookValues): Promise<WebhookAnswer & { readonly secret: string }> {
    const { auth } = this.core;
    if ((await this.#rows.countDocuments({})) >= maxWebhooks) throw tooMany('webhooks', maxWebhooks);
    const _id = new ObjectId();
    const maker = await this.#makerBy(by);
    const secret = newSecret();
    const row: WebhookRow = {
      ...{ _id, ...maker },
      ...values,
      ...{ secret: this.#sealer.seal(secret, String(_id)), earlier: [], created_at: auth.clock() },
    };
    await commitWithEvent(auth, { what: webhookCreated, whom: String(_id), by }, insertRow(this.#model, row));
    await this.#changed(values.active);
    return { ...webhookAnswer(row), secret };
  }

  /** The newest first. @param after the id of the one before */
  async list(limit: number, after?: string): Promise<readonly CountedWebhook[]> {
    const filter = after === undefined ? {} : { _id: { $lt: new ObjectId(after) } };
    const rows = await this.#rows.find(filter).sort({ _id: -1 }).limit(limit).toArray();
    return this.counted(rows.map(webhookAnswer));
  }

  /** Adds how many deliveries wait or run, and how many are dead. @throws 503 */
  async counted(all: readonly WebhookAnswer[]): Promise<readonly CountedWebhook[]> {
    const { outbox } = this.core.services;
    const ids = all.map(({ id }) => id);
    const counts = await outbox.counts(deliveryKind, ids, ['waiting', 'running', 'dead']);
    return all.map((webhook) => {
      const own = counts.get(webhook.id);
      const pending = (own?.get('waiting') ?? 0) + (own?.get('running') ?? 0);
      return { ...webhook, deliveries: { pending, dead: own?.get('dead') ?? 0 } };
    });
  }

  /** Those that are off. @throws 503 */
  async off(): Promise<readonly WebhookAnswer[]> {
    const rows = await this.#rows.find({ active: false }).sort({ _id: -1 }).limit(maxWebhooks).toArray();
    return rows.map(webhookAnswer);
  }

  /** @throws 404 */
  async get(id: string): Promise<WebhookRow> {
    const row = isId(id) ? await this.#rows.findOne({ _id: new ObjectId(id) }) : null;
    if (row === null) throw unknownDocument('webhook', id);
    return row;
  }

  /**
   * Changes values. One that is switched on begins without failures, and who changes the URL is its maker from then on: what the
   * receiver gets is what that user may read. @throws 404, 400 for switching on one whose secret is lost, 401 for a URL of no user's
   */
  async change(by: Actor, id: string, { url, ...values }: Partial<WebhookValues>): Promise<WebhookAnswer> {
    const before = await this.get(id);
    const isOn = values.active === true;
    if (isOn && this.secretsOf(before).length === 0) throw badRequest(secretLost);
    const fresh = isOn ? { failing_since: null, off_reason: null } : {};
    // a URL that stays is not written: another request may change it meanwhile
    const sentElsewhere = url === undefined || url === before.url ? {} : { url, ...(await this.#makerBy(by)) };
    const update = { $set: { ...values, ...fresh, ...sentElsewhere } };
    const own = { _id: new ObjectId(id) };
    const change = changeRow(this.#model, own, update);
    const row = await commitWithEvent(this.core.auth, { what: webhookChanged, whom: id, by }, change);
    if (row === null) throw unknownDocument('webhook', id);
    const after = row as unknown as WebhookRow;
    await this.#changed(after.active);
    return webhookAnswer(after);
  }

  /** Ends a webhook, with its deliveries. @throws 404 */
  async remove(by: Actor, id: string): Promise<void> {
    await this.get(id);
    const removal = removeRow(this.#model, { _id: new ObjectId(id) });
    if ((await commitWithEvent(this.core.auth, { what: webhookRemoved, whom: id, by }, removal)) === null)
      throw unknownDocument('webhook', id);
    await this.#changed(false);
    await this.core.services.outbox.removeGroup(deliveryKind, id);
  }

  /** Replaces the secret. @param overlap seconds for which the earlier one signs, too @throws 404, 409 for two rotations at once */
  async rotate(by: Actor, id: string, overlap: number): Promise<WebhookAnswer & { readonly secret: string }> {
    const row = await this.get(id);
    const secret = newSecret();
    const now = this.core.auth.clock();
    const until = new Date(now.getTime() + overlap * 1000);
    const valid = row.earlier.filter((one) => one.until > now);
    const earlier = overlap === 0 ? [] : [...valid, { secret: row.secret, until }].slice(-maxEarlier);
    const same = { _id: row._id, secret: row.secret };
    const update = { $set: { secret: this.#sealer.seal(secret, id), earlier } };
    const change = changeRow(this.#model, same, update);
    if ((await commitWithEvent(this.core.auth, { what: webhookRotated, whom: id, by }, change)) === null)
      throw contested('this webhook is being rotated by another request');
    return { ...webhookAnswer(row), secret };
  }

  /** The secrets that sign now, the newest first; none where the newest is lost, because another shared secret has sealed it. */
  secretsOf({ _id, secret, earlier }: WebhookRow): readonly string[] {
    const opened = (sealed: string): readonly string[] => {
      const text = this.#sealer.open(sealed, String(_id))?.text;
      return text === undefined ? [] : [text];
    };
    const now = this.core.auth.clock();
    const valid = earlier.filter(({ until }) => until > now);
    const newest = opened(secret);
    return newest.length === 0 ? [] : [...newest, ...valid.flatMap((one) => opened(one.secret))];
  }

  /** A webhook with its maker, as both are now; those of concurrent deliveries are read at once. Undefined for one that has ended. */
  target(id: string): Promise<Target | undefined> {
    return this.#targetsRead(this, id);
  }

  async #readTargets(ids: readonly string[]): Promise<ReadonlyMap<string, Target>> {
    const valid = [...new Set(ids)].filter(isId).map((id) => new ObjectId(id));
    const rows = await this.#rows.find({ _id: { $in: valid } }).toArray();
    const makers = new Map<string, Promise<Principal | undefined>>();
    const targets = new Map<string, Target>();
    for (const webhook of rows) {
      const { user_id, incarnation } = webhook;
      const key = `${String(user_id)} ${incarnation}`;
      const maker = makers.get(key) ?? this.#makerOf(webhook);
      makers.set(key, maker);
      targets.set(String(webhook._id), { webhook, maker: await maker });
    }
    return targets;
  }

  /** The user who has made a webhook, with their rights of this moment; undefined when they have ended. */
  async #makerOf({ user_id, incarnation }: WebhookRow): Promise<Principal | undefined> {
    const now = await this.core.auth.reconcileAccount(String(user_id));
    if (now?.user.incarnation !== incarnation) return undefined;
    return principalOf(now.user.known, undefined, now.user.own);
  }

  /** A user as the maker of a webhook. @throws 401 for an actor who is no user, 404 for one who has ended */
  async #makerBy({ user }: Actor): Promise<Pick<WebhookRow, 'user_id' | 'incarnation'>> {
    // the server's own operator has no end
    if (user === undefined) throw signInFirst();
    const now = await this.core.auth.reconcileAccount(user);
    if (now === undefined) throw unknownDocument('user', user);
    return { user_id: new ObjectId(user), incarnation: now.user.incarnation };
  }

  /** Reports to all processes that the active webhooks have changed. */
  #changed(isMore: boolean): Promise<void> {
    return this.core.services.of(webhookRecorder).active.changed(isMore);
  }
}

/** A webhook without its secrets. */
export const webhookAnswer = (row: WebhookRow): WebhookAnswer => ({
  id: String(row._id),
  ...{ url: row.url, models: row.models, events: row.events },
  filter: shapeValue(row.filter == null ? null : JSON.parse(row.filter)),
  description: row.description ?? null,
  active: row.active,
  off_reason: row.off_reason ?? null,
  failing_since: row.failing_since ?? null,
  user_id: String(row.user_id),
  created_at: row.created_at,
});
