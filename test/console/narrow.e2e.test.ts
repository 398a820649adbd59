/** On a phone, no view of a document scrolls sideways, whatever its names and values. */
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { useBrowser, type Window } from './window.ts';

const word = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetze'.repeat(4);
const longName = 'aFieldWhoseNameIsMuchLongerThanThePhoneIsWideInAnyFont';

const model = `export default ({ Schema, ObjectId, Mixed }) => {
  const state = { type: String, enum: ['${word}', 'short'] };
  const piece = new Schema({ name: String, on: Date });
  const schema = new Schema({
    title: String, ${longName}: { type: String, required: true }, notes: { type: String, maxlength: 5000 },
    count: Number, price: Schema.Types.Decimal128, on: Date, sure: Boolean, state, states: [state], picture: Buffer, key: Schema.Types.UUID,
    words: [String], days: [Date], grid: [[Number]], counts: { type: Map, of: Number }, any: Mixed,
    self_id: { type: ObjectId, link: 'wide', reverse: 'selves' }, self_ids: [{ type: ObjectId, link: 'wide' }],
    address: { street: String, ${longName}: { deeper: { ${longName}: String, at: Date } } },
    parts: [new Schema({ label: String, ${longName}: Number, pieces: [piece] })],
  }, { perms: { admin: 'crud' }, timestamps: true, callable_statics: { ${longName}: { needs: 'r', on: 'document' } } });
  schema.statics.${longName} = (one) => one.title;
  return schema;
};`;

inBrowser('narrow views', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let phone: Window;
  let id: string;
  let other: string;
  beforeAll(async () => {
    server = await openPeople(['root'], {
      models: {
        'wide.ts': model,
      },
    });
    const make = async (body: object): Promise<string> => {
      const made = await server.as('root', 'POST', '/api/wide', { body });
      expect(made).toMatchObject({ status: 201 });
      return String(made.document['_id']);
    };
    other = await make({ title: word, [longName]: word });
    id = await make({
      title: word,
      [longName]: word,
      notes: word.repeat(5),
      count: 123456789012345,
      price: '1234567890123456789012345678901234',
      on: new Date(0),
      sure: true,
      state: word,
      states: [word],
      picture: Buffer.alloc(600, 'x').toString('base64'),
      words: [word, word],
      days: [new Date(0)],
      grid: [[1, 2, 3], Array.from({ length: 60 }, (_, n) => n)],
      counts: { [word]: 1 },
      any: { [word]: { [word]: [word] } },
      self_id: other,
      self_ids: [other],
      address: { street: word, [longName]: { deeper: { [longName]: word, at: new Date(0) } } },
      parts: [{ label: word, [longName]: 1, pieces: [{ name: word, on: new Date(0) }] }],
    });
    phone = await open(server.url, { viewport: { width: 360, height: 640 } });
    await signIn(phone.page, server.url, 'root');
  });

  /** The elements that reach beyond the right edge of the window. */
  const beyond = (): Promise<string[]> =>
    phone.page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1 && element.getClientRects().length > 0)
      .map((element) => element.outerHTML.slice(0, 300))`);

  test.each([
    ['form', () => `documents/wide/${id}`, 'Save'],
    ['raw', () => `documents/wide/${id}?tab=raw`, 'As curl'],
    ['links', () => `documents/wide/${other}?tab=links`, '1 document'],
    ['new', () => 'documents/wide/new', 'Create'],
  ])('%s', async (_name, view, shown) => {
    await phone.page.goto(`${server.url}/console#/${view()}`);
    await phone.page.getByRole('main').getByText(shown).first().waitFor();
    let found: readonly string[] = [];
    await until(
      async () => (found = await beyond()).length === 0,
      () => found.join('\n'),
    );
  });
});
