/** The mail to admins about a backup that has failed. */
import { type BuiltInMail, mailContent } from '../../auth/mails/content.ts';

/** @param reason a sentence without secrets */
export const failedMail = (at: Date, reason: string): BuiltInMail => ({
  kind: 'backup_failed',
  content: mailContent({
    subject: 'A backup has failed',
    opening: `The backup of ${at.toISOString()} has failed: ${reason}`,
    closing: [
      'The backups that were made before are kept. Remove the cause, and begin one with POST /server/backups.',
      'No further mail follows until a backup succeeds and another one fails.',
    ],
  }),
});
