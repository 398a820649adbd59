/** Pipelines that were checked before: callers send the same few again and again, and checking one costs as much as a small one. */
import type { ModelContext } from '../context.ts';
import type { Stage } from '../query/pipeline-secrets.ts';
import { isUnchangedByHooks, PolicyCache } from './policy-cache.ts';

/** Characters of a body whose pipeline is kept. */
const maxLength = 4000;

/** A checked pipeline, the same for equal bodies of one caller. */
export interface CheckedPipeline {
  readonly stages: readonly Stage[];
  /** Whether its rows came in one message the last time. */
  isSmall: boolean;
}

const pipelines = new PolicyCache<CheckedPipeline>(50);

/**
 * The pipeline of a body: that of an equal one of the same caller, or the one that `check` returns.
 * @param check whose stages are kept if they depend on nothing but the body and the caller
 */
export function checkedOnce(
  { body, grant: { policy }, restrictions }: ModelContext,
  showDeleted: boolean,
  check: () => { readonly stages: readonly Stage[]; readonly isConstant: boolean },
): CheckedPipeline {
  if (!isUnchangedByHooks(restrictions) || policy.rows('r') !== 'all')
    return { stages: check().stages, isSmall: false };
  const text = `${showDeleted} ${JSON.stringify(body)}`;
  const known = pipelines.get(policy, text);
  if (known !== undefined) return known;
  const { stages, isConstant } = check();
  const checked = { stages, isSmall: false };
  if (isConstant && text.length <= maxLength && !relative.test(text)) pipelines.set(policy, text, checked);
  return checked;
}

/** Texts that stand for dates relative to the present time. */
const relative = /relative_date/i;
