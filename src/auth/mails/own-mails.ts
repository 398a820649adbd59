/** Mails of an application's own: the templates of its config, and the built-in text where one of them fails. */
import { withTimeout } from '../../async/timeout.ts';
import type { MailText } from '../../define/contract.ts';
import { pathState } from '../../models/fields/known-path.ts';
import { modelOf, ObjectId, type Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { Registry } from '../../models/registry.ts';
import type { KnownUser } from '../../policy/principal.ts';
import type { Log } from '../../ports/log.ts';
import type { DossierConfig } from '../../settings/config-file.ts';
import type { BuiltInMail } from './content.ts';
import { localeOf, requestedLocale } from './language.ts';

interface Parts {
  readonly registry: Registry;
  readonly config: Pick<DossierConfig, 'mails'>;
  readonly log: Log;
  /** Milliseconds that a template may take. */
  readonly limit: number;
}

export class OwnMails {
  constructor(private readonly parts: Parts) {}

  /** The text of a mail for a user. Never rejects. */
  async textOf(user: KnownUser, mail: BuiltInMail): Promise<MailText> {
    const { config, log, limit } = this.parts;
    const { kind, content, link, seconds, webhook } = mail;
    const template = config.mails?.[kind];
    if (template === undefined) return content;
    // the context of the request ends with the first wait
    const requested = requestedLocale();
    try {
      const { _id, id, email, name, admin, groups } = user;
      const locale = (await this.#localeOf(id)) ?? requested;
      const shown = Object.freeze({ _id, id, email, ...(name === undefined ? {} : { name }), admin, groups });
      const input = Object.freeze({ user: shown, link, seconds, locale, webhook });
      const late = (): Error => new Error(`mails.${kind} did not end within ${limit} ms`);
      const given: unknown = await withTimeout(
        limit,
        Promise.resolve().then(() => template(input)),
        late,
      );
      return given === undefined ? content : checkedText(given);
    } catch (error) {
      log.error(`mails.${kind} failed, so the built-in text is sent`, error);
      return content;
    }
  }

  /** The language that the user has in a field `locale`. */
  async #localeOf(id: string): Promise<string | undefined> {
    const user = this.parts.registry.internal('user');
    if (pathState(user.schema, 'locale').kind !== 'stored') return undefined;
    const only = { projection: { locale: 1 } };
    const row = (await modelOf(user)
      .collection.findOne({ _id: new ObjectId(id) }, only)
      .catch(() => null)) as Row | null;
    return localeOf(row?.['locale']);
  }
}

/** The text of a mail that code of the application has made. @throws TypeError that says what it lacks */
export function checkedText(given: unknown): MailText {
  const { subject, text, html } = isPlainObject(given) ? given : {};
  if (typeof subject !== 'string' || subject.trim() === '' || /[\r\n\0\u2028\u2029]/.test(subject))
    throw new TypeError('a mail must have a subject of one line');
  if (typeof text !== 'string' || text.trim() === '') throw new TypeError('a mail must have a text');
  if (html !== undefined && typeof html !== 'string') throw new TypeError('the html of a mail must be a text');
  return { subject, text, ...(html === undefined ? {} : { html }) };
}
