/** Every view of the console over the models of `library.ts`, each with a text by which it is known to be complete. */
import type { Page } from 'playwright-core';

interface View {
  /** The part of the address behind `#/`; `{book}` is the id of a book, `{eve}` that of a user. */
  readonly hash: string;
  /** A text of the view's main part. */
  readonly shown: string | RegExp;
}

/** @example `test.each(Object.entries(allViews))` */
export const allViews: Readonly<Record<string, View>> = {
  home: { hash: '', shown: /\d documents/ },
  documents: { hash: 'documents/book', shown: 'A book' },
  'a document beside its table': { hash: 'documents/book?open={book}', shown: 'Add to parts' },
  'no documents': { hash: 'documents/ledger', shown: 'No documents.' },
  'a document': { hash: 'documents/book/{book}', shown: 'Add to parts' },
  'its raw text': { hash: 'documents/book/{book}?tab=raw', shown: 'As curl' },
  'its links': { hash: 'documents/book/{book}?tab=links', shown: 'No model links' },
  'a new document': { hash: 'documents/book/new', shown: 'Create' },
  'an import': { hash: 'import/book', shown: 'Choose a file' },
  live: { hash: 'live', shown: 'Nothing has happened' },
  queries: { hash: 'queries', shown: 'Run' },
  functions: { hash: 'functions', shown: 'Call' },
  rights: { hash: 'rights', shown: 'Roles' },
  users: { hash: 'users', shown: 'eve@x.test' },
  'a user': { hash: 'users/{eve}', shown: 'Save the groups' },
  audit: { hash: 'audit', shown: 'When' },
  webhooks: { hash: 'webhooks', shown: 'No webhooks.' },
  schedules: { hash: 'schedules', shown: 'No schedules.' },
  jobs: { hash: 'jobs', shown: 'No such jobs.' },
  server: { hash: 'server', shown: 'The cache is off.' },
  advice: { hash: 'server?tab=advice', shown: /advice|What to do/ },
  requests: { hash: 'server?tab=requests', shown: '/model' },
  'slow reads': { hash: 'server?tab=slow', shown: /slow|plan/i },
  indexes: { hash: 'server?tab=indexes', shown: '_id' },
  backups: { hash: 'server?tab=backups', shown: /No backups|MongoDB/ },
  log: { hash: 'server?tab=log', shown: /Level|line/ },
  'the models': { hash: 'reference', shown: 'You may create' },
  'the reference of a model': { hash: 'reference/book', shown: 'essay' },
  account: { hash: 'account', shown: 'this one' },
  'no such view': { hash: 'nosuch', shown: 'There is nothing' },
  'no such model': { hash: 'documents/nosuch', shown: 'There is no model' },
};

/** Opens a view and waits until it is shown. @param base the address of the console */
export async function openView(page: Page, base: string, view: View, ids: Readonly<Record<string, string>>) {
  const hash = view.hash.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  await page.goto(`${base}#/${hash}`);
  await page.getByRole('main').getByText(view.shown).locator('visible=true').first().waitFor();
}
