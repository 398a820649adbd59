/** Mails, sent over the configured server within a time limit. The door to nodemailer. */
import { createTransport } from 'nodemailer';
import { withTimeout } from './async/timeout.ts';
import type { Mail } from './auth/contract.ts';
import { isEmail } from './email.ts';
import { mailNotSent, notConfigured } from './errors.ts';
import type { Settings } from './settings/types.ts';

/** Milliseconds for each step, and for all of them together. */
const step = 5000;
const altogether = 15_000;

export function makeMail({ smtp, password_recovery_url }: Settings): Mail {
  return {
    async send({ to, subject, text, html }) {
      if (smtp.url === undefined) throw notConfigured('no mail server is set (SMTP_URL)');
      if (!isEmail(to)) throw mailNotSent(new Error('the stored email is not a single address'));
      const transport = createTransport({
        url: smtp.url,
        connectionTimeout: step,
        greetingTimeout: step,
        socketTimeout: step,
        dnsTimeout: step,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const from = smtp.from ?? senderFor(password_recovery_url);
      try {
        const sent = transport.sendMail({ from, to: { name: '', address: to }, subject, text, html });
        await withTimeout(altogether, sent, () => new Error('the mail server is too slow'));
      } catch (error) {
        throw mailNotSent(error);
      } finally {
        transport.close();
      }
    },
  };
}

/** Where no sender is set: the host of the page that the mail leads to. */
const senderFor = (page: string | undefined): string =>
  `no-reply@${page !== undefined && URL.canParse(page) ? new URL(page).hostname : 'localhost'}`;
