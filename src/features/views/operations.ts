/** Saved views: listing, creating, changing and ending them. */
import {
  type Answer,
  type Context,
  type Failure,
  json,
  type OperationGroup,
  parametersNamed,
  type PlainOperation,
  readPage,
  shapes,
  shapeValue,
  signedInAccess,
  signInFirst,
  success,
} from '../../core.ts';
import { badValue } from '../../errors/errors.ts';
import type { Fault } from '../../operations/body-check.ts';
import { idIn } from '../../operations/fields.ts';
import { badView, modelOf, nameSchemas, valueSchemas, valuesOf, type ViewBody } from './body.ts';
import { deletedChoices, type ViewRow, type ViewValues } from './contract.ts';
import { figureAnswer } from './figures/body.ts';
import { maxOrdered, orderRule, type PlaceOf, viewOrders } from './order.ts';
import { isVisible, savedViews, viewAnswer } from './views.ts';

const view = shapes.object({
  ...{
    id: shapes.id,
    model: shapes.text,
    title: shapes.text,
    shared: shapes.flag,
    filter: shapes.orNull(shapes.filter),
  },
  ...{
    search: shapes.orNull(shapes.text),
    sort: shapes.orNull(shapes.text),
    fields: shapes.orNull(shapes.listOf(shapes.text)),
  },
  ...{ deleted: shapes.orNull({ ...shapes.text, enum: deletedChoices }), figure: shapes.orNull(figureAnswer) },
  ...{
    own: shapes.flag,
    may_change: shapes.flag,
    place: shapes.orNull(shapes.integer),
    created_at: shapes.date,
    changed_at: shapes.date,
  },
});
const written = shapes.object({ ...shapes.message, data: view });
const one = '/views/:id';
const order = shapes.withDescription('The ids of views, each once; it replaces the order before', {
  ...shapes.listOf(shapes.id),
  maxItems: maxOrdered,
});

export const viewOperations: OperationGroup = {
  title: 'Saved views',
  after: 'Models',
  operations: [
    {
      name: 'views.list',
      http: { method: 'GET', path: '/views' },
      summary: "Lists the caller's saved views, and the shared ones",
      access: signedInAccess,
      input: { query: parametersNamed('limit', 'after') },
      answers: {
        200: shapes.object({ data: shapes.listOf(view), limit: shapes.integer }, { next_cursor: shapes.text }),
      },
      run: list,
    },
    {
      name: 'views.create',
      http: { method: 'POST', path: '/views' },
      summary: 'Saves a view of a model',
      access: signedInAccess,
      input: {
        body: { schema: shapes.object(nameSchemas, valueSchemas), refuse: badView },
      },
      answers: { 201: written },
      run: create,
    },
    {
      name: 'views.order',
      http: { method: 'PUT', path: '/views' },
      summary: "Sets the order of the caller's own and shared views",
      access: signedInAccess,
      input: { body: { schema: shapes.object({ order }), refuse: badOrder } },
      answers: { 200: shapes.successAnswer },
      run: setOrder,
    },
    {
      name: 'views.change',
      http: { method: 'PUT', path: one },
      summary: 'Changes a saved view',
      access: signedInAccess,
      input: {
        body: { schema: shapes.object({}, { ...nameSchemas, ...valueSchemas }), refuse: badView },
      },
      failures: [404],
      answers: { 200: written },
      run: change,
    },
    {
      name: 'views.remove',
      http: { method: 'DELETE', path: one },
      summary: 'Ends a saved view',
      access: signedInAccess,
      failures: [404],
      answers: { 200: shapes.successAnswer },
      run: remove,
    },
  ] satisfies readonly PlainOperation[],
};

async function list(context: Context): Promise<Answer> {
  const caller = callerIn(context);
  const { rows, page } = await readPage<ViewRow, string>(
    context,
    ['views', caller.user],
    (limit, after) => service(context).list(caller, limit, after),
    ({ _id }) => String(_id),
  );
  const placeOf = await placesOf(context);
  const seen = rows.filter((row) => isVisible(row, caller)).map((row) => viewAnswer(row, caller, placeOf));
  return json({ data: shapeValue(seen), ...page });
}

async function create(context: Context): Promise<Answer> {
  const { model: name = '', title = '' } = context.body as ViewBody;
  const model = modelOf(context, name);
  const empty = { filter: null, search: null, sort: null, fields: null, deleted: null, figure: null };
  const values: ViewValues = { ...empty, title, shared: false, ...valuesOf(context, model) };
  const caller = callerIn(context);
  const made = await service(context).create(caller, model.name, values);
  const data = shapeValue(viewAnswer(made, caller, () => null));
  return json({ status: 'ok', message: 'the view is saved', data }, 201);
}

async function change(context: Context): Promise<Answer> {
  const caller = callerIn(context);
  const row = await service(context).changeable(caller, idIn(context));
  const { model: name } = context.body as ViewBody;
  if (name !== undefined && name !== row.model)
    throw badValue('model', 'immutable', 'of a saved view cannot be changed: save another one');
  const values = valuesOf(context, modelOf(context, row.model), row);
  const changed = await service(context).change(caller, row, values);
  return success('the view is changed', { data: shapeValue(viewAnswer(changed, caller, await placesOf(context))) });
}

async function setOrder(context: Context): Promise<Answer> {
  const { order: ids } = context.body as { readonly order: readonly string[] };
  await context.services.of(viewOrders).set(callerIn(context).user, ids);
  return success('the order is kept');
}

async function remove(context: Context): Promise<Answer> {
  const caller = callerIn(context);
  await service(context).remove(caller, await service(context).changeable(caller, idIn(context)));
  return success('the view has ended');
}

/** The failure of a body that has no order. */
function badOrder({ keyword }: Fault): Failure {
  return badValue('order', keyword, orderRule);
}

const placesOf = (context: Context): Promise<PlaceOf> => context.services.of(viewOrders).places(callerIn(context).user);
const service = ({ services }: Context): ReturnType<typeof savedViews> => services.of(savedViews);
/** @throws 401 for the server's own operator, who has no views */
function callerIn(context: Context): { readonly context: Context; readonly user: string } {
  const { user } = context.principal;
  if (user === undefined) throw signInFirst();
  return { context, user: user.id };
}
