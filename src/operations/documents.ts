/** Documents and counts: `/api`, `/update`, `/count`. */
import type { ModelContext } from '../context.ts';
import { bytes, created, json, ok, type Answer } from './answer.ts';
import { letter, type RouteGroup } from './operation.ts';
import * as read from '../read/index.ts';
import { change as changeFields } from '../write/change.ts';
import { create as createOne } from '../write/create.ts';
import { remove as removeOne } from '../write/remove.ts';
import { save as saveOne } from '../write/save.ts';
import { baseUrl } from '../settings/public-url.ts';

export const documents: RouteGroup = {
  title: 'Documents',
  endpoints: [
    { method: 'GET', path: '/api/:model/:id', access: letter('r'), hook: 'getOne', summary: 'One document', run: one },
    {
      method: 'GET',
      path: '/api/:model',
      access: letter('r'),
      hook: 'get',
      summary: 'Lists documents',
      run: list,
    },
    {
      method: 'POST',
      path: '/api/:model',
      access: letter('c'),
      hook: 'post',
      summary: 'Creates a document',
      run: create,
    },
    {
      method: 'PUT',
      path: '/api/:model/:id',
      access: letter('u'),
      hook: 'put',
      summary: 'Changes the fields given',
      run: change,
    },
    {
      method: 'DELETE',
      path: '/api/:model/:id',
      access: letter('d'),
      hook: 'delete',
      // `_cascade` may go through thousands
      many: true,
      summary: 'Deletes, softly at first',
      run: remove,
    },
    {
      method: 'PUT',
      path: '/update/:model/:id',
      access: letter('u'),
      hook: 'update',
      summary: 'Changes by load and save',
      run: save,
    },
    {
      method: 'POST',
      path: '/update/:model/:id',
      access: letter('u'),
      hook: 'update',
      summary: 'The same as PUT',
      run: save,
    },
    {
      method: 'GET',
      path: '/count/:model',
      access: letter('r'),
      hook: 'count',
      summary: 'Counts documents',
      run: count,
    },
  ],
};

async function list(context: ModelContext): Promise<Answer> {
  return bytes(await read.list(context));
}

async function one(context: ModelContext): Promise<Answer> {
  return bytes(await read.one(context));
}

async function count(context: ModelContext): Promise<Answer> {
  return json({ count: await read.count(context) });
}

async function create(context: ModelContext): Promise<Answer> {
  const { model, services } = context;
  const made = await createOne(context);
  const base = baseUrl(services.settings) ?? '';
  return created(`${base}/api/${model.name}/${made.id}`, `${model.name} created`, made.data);
}

async function change(context: ModelContext): Promise<Answer> {
  const changed = await (context.model.options.save_on_put ? saveOne : changeFields)(context);
  return ok(`${context.model.name} updated`, { data: changed.data });
}

async function save(context: ModelContext): Promise<Answer> {
  const saved = await saveOne(context);
  return ok(`${context.model.name} updated`, { data: saved.data });
}

async function remove(context: ModelContext): Promise<Answer> {
  return ok(`${context.model.name} deleted`, { ...(await removeOne(context)) });
}
