/** `$out`: replaces a collection by the documents. */
import { notSupported } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { StageReader } from './stage.ts';
import { targetOf, writing } from './write-target.ts';

export const out: StageReader = (operand, { compiler: { context } }, name) => {
  if (isDoc(operand) && Object.hasOwn(operand, 'timeseries')) throw notSupported('$out to a time-series collection');
  return writing(targetOf(operand, context, name), 'out', context);
};
