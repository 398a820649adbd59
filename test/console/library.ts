/** The server of the console's tests: models with fields of every type, and users who sign in to the console. */
import type { Page } from 'playwright-core';
import { emailOf, openPeople, passwordOf, type PeopledServer, type Person } from '../support/fixtures/people.ts';
import type { StartOptions } from '../support/server.ts';

type Names = 'root' | 'eve';

export const openLibrary = (options: StartOptions = {}): Promise<PeopledServer<Names>> =>
  openPeople(['root', 'eve'], {
    max_sessions: 20,
    ...options,
    models: {
      author: ({ Schema }) =>
        new Schema({ name: { type: String, required: true } }, { perms: { user: 'r', admin: 'crud' } }),
      book: ({ Schema }) => {
        const schema = new Schema(
          {
            title: { type: String, required: true },
            pages: { type: Number, min: 1 },
            released: Date,
            kind: { type: String, enum: ['novel', 'essay'] },
            lent: Boolean,
            author_id: { type: Schema.Types.ObjectId, link: 'author' },
            tags: [String],
            parts: [new Schema({ label: String, length: Number })],
            address: { city: String, street: String },
            extra: Schema.Types.Mixed,
          },
          {
            perms: { user: 'r', admin: 'crud' },
            callable_statics: { longest: 'r', titled: { needs: 'r', on: 'document' } },
            timestamps: true,
          },
        );
        schema.statics['longest'] = async function (this: any, { above = 0 }: { above?: number }) {
          return this.find({ pages: { $gt: Number(above) } })
            .sort({ pages: -1 })
            .limit(1)
            .lean();
        };
        schema.statics['titled'] = (book: any, { before = '' }: { before?: string }) => `${before}${book.title}`;
        return schema;
      },
      letter: ({ Schema }) =>
        new Schema({ name: String, subject: String }, { title: 'subject', perms: { admin: 'crud' } }),
      ledger: ({ Schema }) => new Schema({ amount: Number }, { perms: { admin: 'crud' } }),
    },
  });

/** Opens a view of the console and signs in. */
export async function signIn(page: Page, url: string, person: Person, view = ''): Promise<void> {
  await page.goto(`${url}/console${view}`);
  await sendSignIn(page, emailOf(person), passwordOf(person));
  await page.getByRole('button', { name: `Account of ${emailOf(person)}` }).waitFor();
}

/**
 * Fills in the form for signing in and sends it: views that are shown until a sign-out is done have inputs of the same names.
 * @param field the label of the input for the name
 */
export async function sendSignIn(page: Page, name: string, password: string, field = 'Email'): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  const form = page.locator('form').filter({ has: button });
  await form.getByLabel(field).fill(name);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Creates documents, in their order: what is sorted by ids or times is in it too. @returns their ids */
export async function fill(
  server: PeopledServer<Names>,
  model: string,
  documents: readonly object[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const body of documents) {
    const { document, text } = await server.as('root', 'POST', `/api/${model}`, { body });
    if (document['_id'] === undefined) throw new Error(text);
    ids.push(String(document['_id']));
  }
  return ids;
}

/**
 * Until a page is notified of changes of a document: before, it only sees that there was one, and not by whom.
 * @returns a promise for the subscription that the page opens next, which its test awaits once the page is there
 */
export function watching(page: Page, id: string): Promise<void> {
  return new Promise((done) => {
    page.on('websocket', (socket) => {
      let isOfDocument = false;
      socket.on('framesent', ({ payload }) => (isOfDocument ||= payload.includes(id)));
      socket.on('framereceived', ({ payload }) =>
        isOfDocument && payload.includes('"subscription"') ? done() : undefined,
      );
    });
  });
}
