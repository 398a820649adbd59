/**
 * What is typed and not saved yet, kept in the storage of the tab for the user and the form: it survives a reload, and the end of the session,
 * until it is saved or discarded. Passwords are never kept.
 */
import { client } from './api/client.ts';
import { isSecret } from './api/fields.ts';

const prefixOf = (user: string | undefined): string =>
  `${JSON.stringify(['dossier.draft', user ?? null]).slice(0, -1)},`;

/** @param form what tells the form from others, such as its name and the model; anything that JSON can write */
export const draftKey = (...form: readonly [name: string, ...unknown[]]): string =>
  prefixOf(client.user) + JSON.stringify(form).slice(1);

/** What was kept of a form; undefined where there is nothing. It may be that of another version of the console. */
export function readDraft(key: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(key) ?? '') as unknown;
  } catch {
    return undefined;
  }
}

export const hasDraft = (key: string): boolean => readDraft(key) !== undefined;

/** A text of JSON, finished or not, that has a password. */
const hasPassword = (value: unknown): boolean => typeof value === 'string' && /"password"\s*:/i.test(value);

/** The text that is kept of a draft. */
export const draftText = (draft: unknown): string =>
  JSON.stringify(draft, (name, value: unknown) => (isSecret(name) || hasPassword(value) ? undefined : value));

/** @param text undefined where there is nothing to keep */
export function keepDraft(key: string, text: string | undefined): void {
  const { sessionStorage } = window;
  sessionStorage.removeItem(key);
  if (text === undefined) return;
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // without room it lives as long as the page
  }
}

/** Ends what is kept of a form. */
export const dropDraft = (key: string): void => keepDraft(key, undefined);

/** Ends what is kept of a form that its user leaves. A form that is gone since the session is over keeps its draft. */
export function leaveDraft(key: string): void {
  if (key.startsWith(prefixOf(client.user))) dropDraft(key);
}

const keysOf = (user: string | undefined): string[] =>
  Object.keys(window.sessionStorage).filter((key) => key.startsWith(prefixOf(user)));

/** Whether the user has any. */
export const hasDrafts = (): boolean => keysOf(client.user).length > 0;

/** Ends all of a user. */
export const dropDrafts = (user: string | undefined): void => keysOf(user).forEach(dropDraft);
