/** `api.mail`: messages by the mail server of the settings. Each is a job of its own, in a group that no function can have. */
import type { JobRequest, MailMessage } from '../../api/contract.ts';
import type { Mail } from '../../auth/contract.ts';
import { checkedText } from '../../auth/mails/own-mails.ts';
import { isPlainObject, type Settings, suggestion } from '../../core.ts';
import type { Entry, NewEntry } from '../../outbox/contract.ts';
import { emailRule, isEmail } from '../../text/email.ts';
import { askerOf, dataOf, defaultRetries, type JobData, jobKind } from './job.ts';

/** The group of the entries, which lists of jobs show as their function. */
export const mailGroup = 'mail';

const maxAddresses = 20;
/** Bytes of a message as JSON. */
const maxBytes = 1024 ** 2;

type MailRequest = Extract<JobRequest, { readonly mail: unknown }>;

/** @throws TypeError where no mail server is set, and for a message that is not valid */
export function mailEntry({ smtp }: Pick<Settings, 'smtp'>, { mail, principal, requestId }: MailRequest): NewEntry {
  if (smtp.url === undefined)
    throw new TypeError('api.mail: no mail server is set; SMTP_URL, or smtp.url, is the address of one');
  const input = JSON.stringify(checkedMessage(mail));
  if (Buffer.byteLength(input) > maxBytes)
    throw new TypeError(`api.mail: a message must have at most ${maxBytes} bytes`);
  const data: JobData = {
    ...{ asker: askerOf(principal), input, retries: defaultRetries },
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
  return { kind: jobKind, group: mailGroup, data: { ...data } };
}

/** Sends the message of an entry, unless it has been sent: then its contents are no longer stored. @throws 500, 503 */
export async function sendMail(mail: Mail, entry: Entry): Promise<void> {
  const { input } = dataOf(entry);
  if (input !== null) await mail.send(JSON.parse(input) as MailMessage);
}

const keys = ['to', 'subject', 'text', 'html'];

/** A copy of a message. Errors never repeat its texts, which may be secret. @throws TypeError */
function checkedMessage(given: unknown): MailMessage {
  if (!isPlainObject(given)) throw new TypeError(`api.mail takes an object with ${keys.join(', ')}`);
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw new TypeError(
      `api.mail: a message has no ${JSON.stringify(unknown.slice(0, 40))}; there are ${keys.join(', ')}${suggestion(unknown, keys)}`,
    );
  const to: readonly unknown[] = [given['to']].flat();
  if (to.length === 0 || to.length > maxAddresses)
    throw new TypeError(`api.mail: to must have 1 to ${maxAddresses} addresses, got ${to.length}`);
  const wrong = to.findIndex((one) => typeof one !== 'string' || !isEmail(one));
  if (wrong !== -1) throw new TypeError(`api.mail: ${Array.isArray(given['to']) ? `to.${wrong}` : 'to'} ${emailRule}`);
  return { to: to as readonly string[], ...checkedText(given) };
}
