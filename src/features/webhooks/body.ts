/** Reads the body that describes a webhook. */
import { type Context, filterFromJson, type ModelEntry, policyFor, refusals, suggestion } from '../../core.ts';
import { badValue } from '../../errors/errors.ts';
import { filterRule, filterText } from '../../operations/fields.ts';
import type { WebhookEvent } from './contract.ts';
import { webhookEvents } from './kinds.ts';
import { webhooks, type WebhookValues } from './webhooks.ts';

export const maxUrl = 2000;
export const maxModels = 100;
export const maxDescription = 500;

export interface WebhookBody {
  readonly url?: string;
  readonly models?: readonly string[];
  readonly events?: readonly string[];
  readonly filter?: unknown;
  readonly description?: string | null;
  readonly active?: boolean;
}

/** The failure of a body that its schema refuses. */
export const badWebhook = refusals(
  {
    url: `must be an https URL of at most ${maxUrl} characters`,
    models: `must be a list of 1 to ${maxModels} names of models, or ["*"]`,
    events: `must be a list of ${webhookEvents.join(', ')}`,
    filter: filterRule,
    description: `must be text of at most ${maxDescription} characters`,
    active: 'must be true or false',
  },
  'send an object such as {"url": "https://example.com/hook", "models": ["film"]}',
);

/**
 * The values of a body.
 * @param known those of a webhook that is changed, whose filter and models must fit, too
 * @throws 400
 */
export function valuesOf(context: Context, known?: Pick<WebhookValues, 'models' | 'filter'>): Partial<WebhookValues> {
  const { url, models, events, filter, description, active } = context.body as WebhookBody;
  const refusal = url === undefined ? undefined : context.services.of(webhooks).rules.ofUrl(url);
  if (refusal !== undefined) throw badValue('url', 'url', refusal);
  const named = models === undefined ? undefined : modelNames(context, models);
  const given = filter === undefined ? known?.filter : filterText(filter);
  if (given != null && (named !== undefined || filter !== undefined))
    checkFilter(context, named ?? known?.models ?? [], JSON.parse(given));
  return {
    ...(url === undefined ? {} : { url }),
    ...(named === undefined ? {} : { models: named }),
    ...(events === undefined ? {} : { events: eventsOf(events) }),
    ...(filter === undefined ? {} : { filter: filterText(filter) }),
    ...(description === undefined ? {} : { description }),
    ...(active === undefined ? {} : { active }),
  };
}

/** @throws 400 for unknown models, with the nearest name */
function modelNames({ services: { registry } }: Context, given: readonly string[]): readonly string[] {
  if (given.includes('*')) return ['*'];
  const names = given.map((name, at) => {
    const model = registry.find(name);
    if (model !== undefined && !model.isOwn) return model.name;
    const hint = suggestion(
      name,
      registry.served.map((one) => one.name),
    );
    throw badValue(
      `models.${at}`,
      'enum',
      `must be a model: there is no model ${JSON.stringify(name.slice(0, 40))}${hint}`,
    );
  });
  return [...new Set(names)];
}

function eventsOf(given: readonly string[]): readonly WebhookEvent[] {
  const wrong = given.findIndex((event) => !(webhookEvents as readonly string[]).includes(event));
  if (wrong !== -1) throw badValue(`events.${wrong}`, 'enum', `must be one of ${webhookEvents.join(', ')}`);
  return webhookEvents.filter((event) => given.includes(event));
}

/** @throws 400 for a filter that a model does not take, or that names what the caller may not read */
function checkFilter({ services, principal }: Context, names: readonly string[], filter: unknown): void {
  const { registry, clock } = services;
  const models: readonly ModelEntry[] = names.includes('*') ? registry.served : names.map((name) => registry.get(name));
  for (const model of models) filterFromJson(filter, policyFor(principal, model).view, clock);
}
