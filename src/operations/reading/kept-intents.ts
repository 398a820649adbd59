/** Keeps the intents of requests that are sent again and again: making one costs as much as a small read. */
import type { Context } from '../../context.ts';
import type { Policy } from '../../policy/policy.ts';

/** Beyond this many times the texts of one caller and model, all are dropped: many callers must not fill the memory. */
const maxCallers = 100;

/** Values by texts, for a policy, which belongs to one caller and one model. They are dropped with the caller. */
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

/** Intents of one caller for one model, and the characters of a request whose intent is kept. */
const [maxIntents, maxLength] = [100, 4000];

/** The intents of one kind. */
export class IntentCache<Intent extends object> {
  readonly #intents = new PolicyCache<Intent>(maxIntents);

  /** @param textOf all of a request that its intent is made of */
  constructor(private readonly textOf: (context: Context) => string) {}

  /** The intent of an equal request of the same caller, or the one that `make` returns, which is kept if it is constant. */
  of(context: Context, policy: Policy, make: () => Intent): Intent {
    if (!isAsSent(context)) return make();
    const text = this.textOf(context);
    if (text.length > maxLength) return make();
    const known = this.#intents.get(policy, text);
    if (known !== undefined) return known;
    const intent = make();
    if (isConstant(intent)) this.#intents.set(policy, text, intent);
    return intent;
  }
}

/** Whether an intent is the same at any time: it is, unless it says otherwise. */
const isConstant = (intent: { readonly isConstant?: boolean }): boolean => intent.isConstant !== false;

/**
 * Whether a request is what its text says: hooks may have changed it. The parameters of a read without hooks are frozen, unless they are
 * long or hold a credential, which is not to be kept (`http/query-string.ts`).
 */
const isAsSent = ({ query, restrictions: { hook, afterHooks } }: Context): boolean =>
  Object.isFrozen(query) && hook === undefined && afterHooks === undefined;
