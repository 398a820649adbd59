/** The events of the audit log in words. Pure. */
import { labelOf, listText } from '../../api/labels.ts';
import type { Model } from '../../api/models.ts';

/** An event, as `GET /audit` has it. */
export interface AuditEvent {
  readonly _id: string;
  readonly who: string | null;
  readonly whom: string | null;
  readonly what: string;
  readonly when: string;
  readonly address: string | null;
  readonly method: string | null;
  /** The admin who has acted as the user. */
  readonly by?: string;
  readonly for?: string;
  readonly via?: string;
  readonly model?: string;
  readonly paths?: readonly string[];
  readonly count?: number;
}

/** What an event is about, which decides how that is shown. */
export type About = 'user' | 'document' | 'webhook' | 'job' | 'name';

interface Words {
  readonly text: string;
  readonly about: About;
}

const of = (about: About, texts: Readonly<Record<string, string>>): [string, Words][] =>
  Object.entries(texts).map(([kind, text]) => [kind, { text, about }]);

const words = new Map<string, Words>([
  ...of('user', {
    login: 'Signed in',
    'login.failed': 'Failed to sign in',
    'admin.granted': 'Became an admin',
    'admin.revoked': 'Is no longer an admin',
    'groups.changed': 'Has other groups',
    'password.changed': 'Has another password',
    'email.changed': 'Has another email',
    'apikey.renewed': 'Has another permanent key',
    'jwt.created': 'Made a token to act as a user',
    'key.created': 'Created a key',
    'key.rotated': 'Replaced the secret of a key',
    'key.removed': 'Removed a key',
    'factor.enabled': 'Switched a second factor on',
    'factor.disabled': 'Switched a second factor off',
    setup: 'Created the first admin',
    'setup.data': 'Loaded setup data',
  }),
  ...of('document', {
    'document.create': 'Created a document',
    'document.change': 'Changed a document',
    'document.delete': 'Deleted a document',
    'document.restore': 'Restored a document',
    'document.remove': 'Removed a document permanently',
    'document.removed': 'Document removed permanently',
    'history.forgotten': 'Removed the history of a document',
  }),
  ...of('webhook', {
    'webhook.created': 'Created a webhook',
    'webhook.changed': 'Changed a webhook',
    'webhook.rotated': 'Replaced the secret of a webhook',
    'webhook.removed': 'Removed a webhook',
  }),
  ...of('job', {
    'job.removed': 'Removed a job',
    'job.retried': 'Had a job run again',
  }),
  ...of('name', {
    'schedule.run': 'Ran a schedule',
    'schedule.paused': 'Paused a schedule',
    'schedule.resumed': 'Resumed a schedule',
    'backup.begun': 'Began a backup',
    'index.build': 'Built an index',
    'index.drop': 'Dropped an index',
  }),
]);

/** The kinds with their words, as a filter offers them. */
export const kindChoices = [...words].map(([value, { text }]) => ({ value, label: text }));

export const aboutOf = ({ what, model }: AuditEvent): About =>
  words.get(what)?.about ?? (model === undefined ? 'user' : 'document');

/** What has happened, with the fields that have changed. @param model of the document, where the caller may read it */
export function eventText({ what, paths = [] }: AuditEvent, model: Model | undefined): string {
  const text = words.get(what)?.text ?? what;
  if (what !== 'document.change' || paths.length === 0) return text;
  const labels = [...new Set(paths.map((path) => (model === undefined ? path : labelOf(model, path))))];
  return `Changed ${listText(labels)}`;
}

/** Equal events of one minute. */
export interface FoldedEvents {
  readonly event: AuditEvent;
  readonly times: number;
}

const minute = 60_000;
const sameParts = ['what', 'who', 'whom', 'by', 'for', 'via', 'model', 'address', 'method'] as const;

/** Events that follow each other with nothing that tells them apart, as one. @param events in the order of their times */
export function folded(events: readonly AuditEvent[]): FoldedEvents[] {
  const all: { event: AuditEvent; times: number }[] = [];
  for (const event of events) {
    const last = all.at(-1);
    const times = event.count ?? 1;
    if (last !== undefined && isSameAs(last.event, event)) last.times += times;
    else all.push({ event, times });
  }
  return all;
}

const isSameAs = (one: AuditEvent, other: AuditEvent): boolean =>
  sameParts.every((part) => one[part] === other[part]) &&
  JSON.stringify(one.paths) === JSON.stringify(other.paths) &&
  Math.abs(Date.parse(one.when) - Date.parse(other.when)) < minute;
