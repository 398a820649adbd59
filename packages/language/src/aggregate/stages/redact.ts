/** `$redact`: keeps, prunes or descends into each level of a document. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { setField } from '../../values/path.ts';
import { show } from '../../values/show.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { Evaluate, Frame } from '../expressions/scope.ts';
import { perDocument, type StageReader } from './stage.ts';

const decisions = ['descend', 'prune', 'keep'] as const;

export const redact: StageReader = (operand, { compiler }) => {
  const decide = compiler.within('DESCEND', 'PRUNE', 'KEEP').compile(operand);
  return perDocument(compiler.context, (doc, outer) => {
    const frame = decisions.reduce<Frame | undefined>((around, value) => ({ value, outer: around }), outer);
    return redactDoc(doc, { decide, root: doc, frame });
  });
};

interface Redaction {
  readonly decide: Evaluate;
  readonly root: Doc;
  readonly frame: Frame | undefined;
}

function redactDoc(doc: Doc, redaction: Redaction): Doc | undefined {
  const { decide, root, frame } = redaction;
  const decision = decide({ root, current: doc, frame });
  if (decision === 'keep') return doc;
  if (decision === 'prune') return undefined;
  if (decision !== 'descend') {
    throw new StoreError(
      17053,
      `$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE, but returned ${show(decision)}`,
    );
  }
  const made: Record<string, Value> = {};
  for (const name of Object.keys(doc)) {
    const value = redactValue(doc[name], redaction);
    if (value !== undefined) setField(made, name, value);
  }
  return made;
}

function redactValue(value: Value, redaction: Redaction): Value {
  if (isDoc(value)) return redactDoc(value, redaction);
  if (!Array.isArray(value)) return value;
  return value.map((member) => redactValue(member, redaction)).filter((member) => member !== undefined);
}
