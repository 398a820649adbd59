/**
 * Keeps what depends on a caller, a model and a text alone, such as the plan of a query string: callers send the same few again and again.
 * It is kept for the policy, which belongs to one caller and one model and is dropped with the caller.
 */
import type { ModelContext } from '../context.ts';
import type { Policy } from '../policy/policy.ts';
import { credentialNames } from '../query/parameter-table.ts';

/** Beyond this many times the texts of one caller and model, all are dropped: many callers must not fill the memory. */
const maxCallers = 100;

export class PolicyCache<T> {
  #byPolicy = new WeakMap<Policy, Map<string, T>>();
  readonly #maxTexts: number;
  /** Number of texts since all were dropped; those of callers that are gone count too. */
  #added = 0;

  /** @param maxTexts per caller and model; beyond it the oldest is dropped */
  constructor(maxTexts: number) {
    this.#maxTexts = maxTexts;
  }

  get(policy: Policy, text: string): T | undefined {
    return this.#byPolicy.get(policy)?.get(text);
  }

  set(policy: Policy, text: string, value: T): void {
    this.#added += 1;
    if (this.#added > maxCallers * this.#maxTexts) {
      this.#byPolicy = new WeakMap();
      this.#added = 0;
    }
    let byText = this.#byPolicy.get(policy);
    if (byText === undefined) this.#byPolicy.set(policy, (byText = new Map<string, T>()));
    const [oldest] = byText.keys();
    if (byText.size >= this.#maxTexts && oldest !== undefined && !byText.has(text)) byText.delete(oldest);
    byText.set(text, value);
  }
}

/** Characters of a request that is recognised. */
const maxLength = 2000;
/** A date relative to the present time, or what may be one because letters are percent-encoded. */
const relative = /relative|%[467]|%5[^bd]/i;
/** Parameters that hold credentials, which are not kept. */
const credential = new RegExp(`[?&](?:${credentialNames.join('|')})\\b`, 'i');

/** Whether no hook has taken part in a request. */
export const isUnchangedByHooks = ({ hook, afterHooks }: ModelContext['restrictions']): boolean =>
  hook === undefined && afterHooks === undefined;

/** The text of a request whose plan depends on nothing but the caller and the text; undefined for any other. */
export function requestKey({ url, body, restrictions }: ModelContext): string | undefined {
  if (!isUnchangedByHooks(restrictions)) return undefined;
  const text = body === undefined ? url : `${url} ${JSON.stringify(body)}`;
  return text.length > maxLength || relative.test(text) || credential.test(text) ? undefined : text;
}
