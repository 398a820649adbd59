/** What of a model a caller may use besides its documents: its functions and its reverse links. */
import { badRequest, type Failure, forbidden } from '../errors/errors.ts';
import type { ModelEntry, ReverseLink } from '../models/entry.ts';
import { type CallRule, type CallTarget, callTargets } from '../models/options/callable.ts';
import { suggestion } from '../text/nearest.ts';
import { type Grant, grantFor, requireLetter } from './grants.ts';
import { policyFor } from './policy.ts';
import type { Principal } from './principal.ts';
import { shapeValue } from './shape.ts';
import type { ShapedJson } from './shaped.ts';

/**
 * The grant of a call. A right on own documents only does not permit a call without a document: the function would know the
 * document's owner only from the body.
 * @throws 401 or 403 without the right, 400 when the function is called on the other target
 */
export function grantCall(principal: Principal, model: ModelEntry, rule: CallRule, target: CallTarget): Grant {
  const grant = requireLetter(principal, rule.needs, model);
  if (!accepts(rule, target))
    throw badRequest(
      target === 'model'
        ? `this function of ${model.name} is called on a document: put the document's id into the path`
        : `this function of ${model.name} is called on the model: leave the document's id out of the path`,
    );
  if (target === 'model' && !coversAll(grant))
    throw forbidden(
      `your right covers only your own documents of ${model.name}, so this call must name one by its id in the path`,
    );
  return grant;
}

const coversAll = ({ policy, letter }: Grant): boolean => policy.extent(letter) === 'all';

const accepts = ({ on }: CallRule, target: CallTarget): boolean => on === undefined || on === target;

/** Whether such a call can succeed, which decides whether the OpenAPI document shows it. */
export function mayCall(principal: Principal, model: ModelEntry, rule: CallRule, target: CallTarget): boolean {
  const grant = grantFor(principal, rule.needs, model);
  if (grant === undefined || !accepts(rule, target)) return false;
  return target === 'model' ? coversAll(grant) : grantFor(principal, 'r', model) !== undefined;
}

/** A function as a caller who may call it knows it. Without `on` the caller may call it on the model and on a document. */
export interface FunctionDescription extends Omit<CallRule, 'needs' | 'input' | 'answer'> {
  readonly name: string;
  /** The schemas of what it takes and answers. */
  readonly input?: ShapedJson;
  readonly answer?: ShapedJson;
}

/** The functions that a caller may call. */
export const functionsFor = (principal: Principal, model: ModelEntry): readonly FunctionDescription[] =>
  [...model.options.callable_statics].flatMap(([name, rule]) => {
    const targets = callTargets.filter((target) => mayCall(principal, model, rule, target));
    return targets.length === 0 ? [] : [functionDescription(name, rule, targets)];
  });

function functionDescription(name: string, rule: CallRule, targets: readonly CallTarget[]): FunctionDescription {
  const { needs: _needs, on: _on, input, answer, ...described } = rule;
  const [on, other] = targets;
  return {
    name,
    ...(on === undefined || other !== undefined ? {} : { on }),
    ...described,
    ...(input?.ofValues.described === undefined ? {} : { input: shapeValue(input.ofValues.described) }),
    ...(answer === undefined ? {} : { answer: shapeValue(answer) }),
  };
}

/** Maximum functions that a message lists. */
const maxListed = 20;

/** The failure for a name that is no callable function: it lists those that the caller may call in this way. */
export function notCallable(principal: Principal, model: ModelEntry, name: string, target: CallTarget): Failure {
  const names = [...model.options.callable_statics]
    .filter(([, rule]) => mayCall(principal, model, rule, target))
    .map(([callable]) => callable);
  const what = `${model.name} has no callable function with this name`;
  if (names.length === 0) return forbidden(what);
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  const where = target === 'model' ? 'on the model' : 'on a document';
  const list = `${names.slice(0, maxListed).join(', ')}${more}`;
  return forbidden(`${what}; you may call ${list} ${where}${suggestion(name, names)}`);
}

/** @param named finds a model by its name; undefined for one that is not served */
export const reversesFor = (
  principal: Principal,
  model: ModelEntry,
  named: (name: string) => ModelEntry | undefined,
): readonly ReverseLink[] =>
  model.reverses.filter(({ model: name, path, local }) => {
    const source = named(name);
    if (source === undefined) return false;
    const policy = policyFor(principal, source);
    return (
      !source.options.internal &&
      policy.permits('r') &&
      policy.view.shows(path) &&
      policyFor(principal, model).view.shows(local)
    );
  });
