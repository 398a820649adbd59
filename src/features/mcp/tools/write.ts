/** The tools that write, where `MCP` is `write`. */
import type { ArgumentRow } from './arguments.ts';
import type { Call, Hints, ToolRow } from './contract.ts';
import { checkSize } from './pages.ts';

const writes: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

const model: ArgumentRow = { name: 'model', kind: 'text', isRequired: true, meaning: 'The name of the model' };
const id: ArgumentRow = { name: 'id', kind: 'id', isRequired: true, meaning: 'The _id of the document' };
const silent: ArgumentRow = { name: 'silent', kind: 'flag', meaning: 'Sends no event and runs no post-hook' };

const flagsIn = ({ given }: Call): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    ['silent', 'permanent', 'cascade', 'atomic'].flatMap((name) => (given[name] === true ? [[name, true]] : [])),
  );
const idOf = ({ given }: Call): string => given['id'] as string;
const bodyOf = ({ given }: Call, name: string): Readonly<Record<string, unknown>> =>
  given[name] as Readonly<Record<string, unknown>>;

export const writeTools: readonly ToolRow[] = [
  {
    name: 'create',
    title: 'Create a document',
    description:
      'Creates a document. describe_model lists the fields and those that are required. Dates are ISO 8601 texts.',
    operations: ['documents.create'],
    hints: { ...writes, destructiveHint: false },
    arguments: [
      model,
      { name: 'document', kind: 'object', isRequired: true, meaning: 'The fields of the new document' },
      silent,
    ],
    shows: ['data'],
    run: async (call) => checkSize({ data: await call.model.create(bodyOf(call, 'document') as never, flagsIn(call)) }),
  },
  {
    name: 'update',
    title: 'Update a document',
    description:
      'Sets the given fields of a document; all others stay as they are. null removes a value. ignored in the result names fields that cannot be changed.',
    operations: ['documents.change'],
    hints: { ...writes, idempotentHint: true },
    arguments: [
      model,
      id,
      { name: 'fields', kind: 'object', isRequired: true, meaning: 'The fields to set, by name' },
      silent,
    ],
    shows: ['data', 'ignored'],
    run: async (call) => {
      let notice: { readonly ignored?: readonly string[] } = {};
      const onIgnored = (ignored: readonly string[]): void => void (notice = { ignored });
      const options = { ...flagsIn(call), onIgnored };
      const data = await call.model.set(idOf(call), bodyOf(call, 'fields'), options);
      return checkSize({ data, ...notice });
    },
  },
  {
    name: 'delete',
    title: 'Delete a document',
    description:
      'Deletes a document, so that lists leave it out; an administrator can restore it. With permanent it is gone.',
    operations: ['documents.delete'],
    hints: { ...writes, idempotentHint: true },
    arguments: [
      model,
      id,
      { name: 'permanent', kind: 'flag', meaning: 'Removes it from the database; ask the user before' },
      { name: 'cascade', kind: 'flag', meaning: 'Also deletes the documents that link to it; ask the user before' },
      silent,
    ],
    shows: ['deleted', 'unlinked'],
    run: async (call) => checkSize(await call.model.remove(idOf(call), flagsIn(call))),
  },
  {
    name: 'call',
    title: 'Call a function',
    description:
      'Calls a function that a model offers (callable_statics of describe_model), on the model or on one document.',
    operations: ['functions.call', 'functions.callForDocument'],
    hints: { ...writes, openWorldHint: true },
    arguments: [
      model,
      { name: 'name', kind: 'text', isRequired: true, meaning: 'The name of the function' },
      { name: 'input', kind: 'any', meaning: 'What the function receives' },
      { ...omitRequired(id), meaning: 'The _id of the document, for a function that is called on one' },
    ],
    shows: ['data'],
    run: async (call) => {
      const { given } = call;
      const on = given['id'] === undefined ? {} : { id: idOf(call) };
      return checkSize({ data: await call.model.call(String(given['name']) as never, given['input'], on) });
    },
  },
  {
    name: 'batch',
    title: 'Run several writes',
    description:
      'Runs several writes, all or nothing, as requests of the REST API: {"method": "POST", "path": "/api/film", "body": {…}, "ref": "new"}, {"method": "PUT", "path": "/api/film/<id>", "body": {…}}, {"method": "DELETE", "path": "/api/film/<id>"}. Later operations refer to earlier ones by "$new._id".',
    operations: ['batch.run'],
    hints: writes,
    arguments: [
      { name: 'operations', kind: 'objects', isRequired: true, meaning: 'The writes, in their order; at most 100' },
      { name: 'atomic', kind: 'flag', meaning: 'false: each by itself, and those that fail leave the others' },
    ],
    shows: ['data'],
    run: async ({ given, sender }) => {
      const { operations, atomic = true } = given;
      const body = { operations, ...(atomic === true ? {} : { atomic }) };
      const { data } = await sender.json<{ readonly data: unknown }>({
        operation: 'batch.run',
        params: {},
        body,
        repeat: 'once',
      });
      return checkSize({ data });
    },
  },
];

function omitRequired({ name, kind, meaning }: ArgumentRow): ArgumentRow {
  return { name, kind, meaning };
}
