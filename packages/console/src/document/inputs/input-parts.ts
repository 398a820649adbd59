/** What every input of a form receives, and what stands below its label. */
import type { Field, OwnModel } from '../../api/models.ts';

export interface InputParts {
  readonly path: string;
  readonly field: Field;
  readonly label: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  /** The fault that was found in the value. */
  readonly fault?: string | undefined;
  readonly disabled?: boolean;
  /** The model of the field, for the fields of list members. */
  readonly model?: OwnModel | undefined;
}

/** The description of the model file, then what else is to be known of the values. */
export const describedBy = (
  { description }: Pick<Field, 'description'>,
  ...hints: readonly (string | undefined)[]
): string | undefined =>
  [description, ...hints]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => text?.replace(/\.$/, ''))
    .join('. ') || undefined;
