/** Every view of the console over the models of `library.ts`, each with a text by which it is known to be complete. */
import type { Page } from 'playwright-core';

interface View {
  /** The part of the address behind `#/`; `{book}` is the id of a book, `{eve}` that of a user. */
  readonly hash: string;
  /** A text of the view's main part. */
  readonly shown: string | RegExp;
  /** The title of the browser's tab, without the name of the project. */
  readonly title: string;
}

/** @example `test.each(Object.entries(allViews))` */
export const allViews: Readonly<Record<string, View>> = {
  home: { hash: '', shown: /\d documents/, title: 'Home' },
  documents: { hash: 'documents/book', shown: 'A book', title: 'Books' },
  'a document beside its table': { hash: 'documents/book?open={book}', shown: 'Add to parts', title: 'A book · Books' },
  'no documents': { hash: 'documents/ledger', shown: 'No documents.', title: 'Ledgers' },
  'a document': { hash: 'documents/book/{book}', shown: 'Add to parts', title: 'A book · Books' },
  'its raw text': { hash: 'documents/book/{book}?tab=raw', shown: 'As curl', title: 'A book · Raw · Books' },
  'its links': {
    hash: 'documents/book/{book}?tab=links',
    shown: 'No model links',
    title: 'A book · Links here · Books',
  },
  'a new document': { hash: 'documents/book/new', shown: 'Create', title: 'New book' },
  'an import': { hash: 'import/book', shown: 'Choose a file', title: 'Import into Books' },
  live: { hash: 'live', shown: 'Nothing has happened', title: 'Live events' },
  queries: { hash: 'queries', shown: 'Run', title: 'Queries' },
  functions: { hash: 'functions', shown: 'Call', title: 'Functions' },
  rights: { hash: 'rights', shown: 'Roles', title: 'Rights' },
  users: { hash: 'users', shown: 'eve@x.test', title: 'Users' },
  'a user': { hash: 'users/{eve}', shown: 'Save the groups', title: 'eve@x.test · Users' },
  audit: { hash: 'audit', shown: 'When', title: 'Audit' },
  webhooks: { hash: 'webhooks', shown: 'No webhooks.', title: 'Webhooks' },
  schedules: { hash: 'schedules', shown: 'No schedules.', title: 'Schedules' },
  jobs: { hash: 'jobs', shown: 'No such jobs.', title: 'Jobs' },
  server: { hash: 'server', shown: 'The cache is off.', title: 'Overview · Server' },
  advice: { hash: 'server?tab=advice', shown: /advice|What to do/, title: 'Advice · Server' },
  requests: { hash: 'server?tab=requests', shown: '/model', title: 'Requests · Server' },
  'slow reads': { hash: 'server?tab=slow', shown: /slow|plan/i, title: 'Slow reads · Server' },
  indexes: { hash: 'server?tab=indexes', shown: '_id', title: 'Indexes · Server' },
  backups: { hash: 'server?tab=backups', shown: /No backups|MongoDB/, title: 'Backups · Server' },
  log: { hash: 'server?tab=log', shown: /Level|line/, title: 'Log · Server' },
  'the models': { hash: 'reference', shown: 'You may create', title: 'Model reference' },
  'the reference of a model': { hash: 'reference/book', shown: 'essay', title: 'Books · Model reference' },
  account: { hash: 'account', shown: 'this one', title: 'Account' },
  'no such view': { hash: 'nosuch', shown: 'There is nothing', title: 'No such view' },
  'no such model': { hash: 'documents/nosuch', shown: 'There is no model', title: 'Documents' },
};

/** Opens a view and waits until it is shown. @param base the address of the console */
export async function openView(page: Page, base: string, view: View, ids: Readonly<Record<string, string>>) {
  const hash = view.hash.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  await page.goto(`${base}#/${hash}`);
  await page.getByRole('main').getByText(view.shown).locator('visible=true').first().waitFor();
}
