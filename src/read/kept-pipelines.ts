/** Pipelines that were checked before: callers send the same few again and again, and checking one costs as much as a small one. */
import type { ModelContext } from '../context.ts';
import type { Policy } from '../policy/policy.ts';
import type { Stage } from '../query/pipeline-secrets.ts';

/** Per caller and model; the oldest is dropped. */
const maxKept = 50;
/** Characters of a body whose pipeline is kept. */
const maxLength = 4000;

const kept = new WeakMap<Policy, Map<string, readonly Stage[]>>();

/**
 * The stages for a body: those of an equal one of the same caller, or those that `check` returns.
 * @param check whose stages are kept if they depend on nothing but the body and the caller
 */
export function checkedOnce(
  { body, grant: { policy }, restrictions }: ModelContext,
  showDeleted: boolean,
  check: () => { readonly stages: readonly Stage[]; readonly isConstant: boolean },
): readonly Stage[] {
  if (restrictions.hook !== undefined || policy.rows('r') !== 'all') return check().stages;
  const text = `${showDeleted} ${JSON.stringify(body)}`;
  const known = kept.get(policy)?.get(text);
  if (known !== undefined) return known;
  const { stages, isConstant } = check();
  if (isConstant && text.length <= maxLength && !relative.test(text)) keep(policy, text, stages);
  return stages;
}

/** Texts that stand for dates relative to the present time. */
const relative = /relative_date/i;

function keep(policy: Policy, text: string, stages: readonly Stage[]): void {
  const ofPolicy = kept.get(policy) ?? new Map<string, readonly Stage[]>();
  kept.set(policy, ofPolicy);
  const [oldest] = ofPolicy.keys();
  if (ofPolicy.size >= maxKept && oldest !== undefined) ofPolicy.delete(oldest);
  ofPolicy.set(text, stages);
}
