/** What follows from the results of deliveries for their webhook: it is switched off, and admins are notified. */
import { mailAdmins } from '../../auth/mails/admins.ts';
import { mailContent } from '../../auth/mails/content.ts';
import { type AuthCore, type BuiltInMail, changeRow, commit, type Log, type ModelEntry, type Row } from '../../core.ts';
import type { WebhookRow } from './contract.ts';

/** Milliseconds of failures only after which a webhook is switched off: five days. */
const maxFailingMs = 5 * 86_400_000;

interface Parts {
  readonly auth: AuthCore;
  readonly log: Log;
  /** Called when a webhook has been switched off. */
  readonly changed: () => Promise<void>;
}

export class Results {
  readonly #model: ModelEntry;

  constructor(private readonly parts: Parts) {
    this.#model = parts.auth.registry.internal('_webhook');
  }

  async succeeded({ _id, failing_since }: WebhookRow): Promise<void> {
    if (failing_since != null) await this.#change({ _id }, { $unset: { failing_since: '' } });
  }

  /** After five days of failures only, the webhook is switched off, and admins get a mail. */
  async failed(webhook: WebhookRow): Promise<void> {
    const { _id, failing_since } = webhook;
    const now = this.parts.auth.clock();
    if (failing_since == null) {
      await this.#change({ _id, failing_since: null }, { $set: { failing_since: now } });
      return;
    }
    if (now.getTime() - failing_since.getTime() < maxFailingMs) return;
    const same = { failing_since };
    if (await this.switchOff(webhook, 'all deliveries of five days have failed', same))
      await mailAdmins(this.parts.auth, offMail(String(_id), new URL(webhook.url).host));
  }

  /** @param same what the webhook must still have @returns false where another process has switched it off, or it has changed */
  async switchOff({ _id, url }: WebhookRow, reason: string, same: object = {}): Promise<boolean> {
    const off = { $set: { active: false, off_reason: reason } };
    if ((await this.#change({ _id, active: true, ...same }, off)) === null) return false;
    this.parts.log.warn('a webhook has been switched off', { webhook: String(_id), host: new URL(url).host, reason });
    await this.parts.changed();
    return true;
  }

  #change(filter: object, update: object): Promise<Row | null> {
    const writer = { services: this.parts.auth, user: undefined, silent: false };
    return commit(writer, changeRow(this.#model, filter, update));
  }
}

const offMail = (id: string, host: string): BuiltInMail => ({
  kind: 'webhook_off',
  webhook: { id, host },
  content: mailContent({
    subject: 'A webhook was switched off',
    opening: `All deliveries of the webhook ${id} to ${host} have failed for five days, so it was switched off.`,
    closing: ['When its receiver works again, switch it on, and repeat the deliveries that are missing.'],
  }),
});
